"""A provider of logins by OpenID Connect and of a tracker by OAuth 2.0, over HTTPS, for a browser: it asks nothing and sends the browser back."""

import base64
import datetime
import http.server
import ipaddress
import json
import secrets
import ssl
import threading
import time
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def certificate(folder):
    """A certificate of its own for this machine, with its key: the file's name."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(minutes=5)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(begin).not_valid_after(begin + datetime.timedelta(days=1)).add_extension(names, False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True).sign(key, hashes.SHA256())
    )
    authority, file = folder / "provider-ca.pem", folder / "provider.pem"
    authority.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(private + authority.read_bytes())
    return file


class Provider(http.server.ThreadingHTTPServer):
    """Who logs in at it, `user`, and whether they consent, `consents`, is set by tests."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Pages)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate(folder))
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.issuer = f"https://localhost:{self.server_address[1]}"
        self.key = ed25519.Ed25519PrivateKey.generate()
        self.user, self.consents, self.codes = {}, True, {}
        self.settings(folder)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A browser that finds a certificate which it does not know leaves, and comes again."""

    def settings(self, folder):
        (folder / "secret").write_text("a secret of the client")
        client = {"client_id": "tandem", "client_secret_file": "secret"}
        login = {"id": "friend", "name": "A friend", "kind": "openid", "issuer": self.issuer, **client}
        (folder / "providers.json").write_text(json.dumps({"providers": [login]}))
        data = f"{self.issuer}/strava"
        endpoints = {"authorization": f"{data}/authorize", "token": f"{data}/token", "revocation": f"{data}/revoke", "data": data}
        (folder / "trackers.json").write_text(json.dumps({"trackers": [{"id": "strava", **client, "endpoints": endpoints}]}))

    def token(self, code):
        """The ID token of a code, which works once."""
        user, nonce = self.codes.pop(code)
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": "tandem", "iat": now, "exp": now + 300, "nonce": nonce, "auth_time": now, **user}
        parts = [b64(json.dumps(part).encode()) for part in ({"alg": "EdDSA", "kid": "one"}, claims)]
        text = ".".join(parts)
        return f"{text}.{b64(self.key.sign(text.encode()))}"


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        issuer, query = self.server.issuer, dict(urllib.parse.parse_qsl(address.query))
        if address.path == "/.well-known/openid-configuration":
            places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
            self.say({"issuer": issuer, **{name: f"{issuer}/{path}" for name, path in places.items()}})
        elif address.path == "/keys":
            public = self.server.key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
            self.say({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "one", "x": b64(public)}]})
        elif address.path in ("/authorize", "/strava/authorize"):
            self.send_back(query)
        else:
            # A tracker without any activity.
            self.say([])

    def send_back(self, query):
        code = secrets.token_urlsafe(16)
        self.server.codes[code] = (self.server.user, query.get("nonce"))
        said = {"code": code, "scope": "read,activity:read_all"} if self.server.consents else {"error": "access_denied"}
        self.send_response(302)
        self.send_header("location", query["redirect_uri"] + "?" + urllib.parse.urlencode({"state": query["state"], **said}))
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers.get("content-length", 0))).decode()))
        if self.path == "/token":
            self.say({"access_token": "at", "token_type": "Bearer", "expires_in": 300, "id_token": self.server.token(form["code"])})
        else:
            self.say({"access_token": "at", "refresh_token": "rt", "token_type": "Bearer", "expires_in": 21_600, "athlete": {"id": 7001}})

    def say(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

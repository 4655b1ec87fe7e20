"""A provider of another company: people log in by it, and a tracker's data come from it. Over TLS on loopback, with an authority of its own.

Its page asks for an address and has the buttons "Allow" and "Refuse"; it has verified all addresses but those that begin with "unverified". As an OpenID provider it has the addresses below the origin, as
Polar those below /v3.
"""

import base64
import datetime
import hashlib
import http.server
import ipaddress
import itertools
import json
import secrets
import ssl
import threading
import time
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PAGE = """<!DOCTYPE html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,"><main><h1>Elsewhere</h1>
<form method="post"><label>Address <input name="address" value="{address}"></label>
<button name="answer" value="allow">Allow</button><button name="answer" value="refuse">Refuse</button></form></main></html>"""


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def base64url(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def certified(folder):
    """Writes the authority, and the certificate of localhost with its key."""
    now = datetime.datetime.now(datetime.UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]

    def certificate(subject, key, *extensions):
        made = x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name("Elsewhere")).public_key(key.public_key())
        made = made.serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=2))
        for extension, is_critical in extensions:
            made = made.add_extension(extension, is_critical)
        return made.sign(keys[0], hashes.SHA256())

    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    own = x509.SubjectKeyIdentifier.from_public_key(keys[0].public_key())
    usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
    root = certificate("Elsewhere", keys[0], (x509.BasicConstraints(ca=True, path_length=None), True), (own, False), (usage, True))
    server = certificate(
        "localhost", keys[1], (names, False), (x509.BasicConstraints(ca=False, path_length=None), True),
        (x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(own), False), (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
    )
    pem = serialization.Encoding.PEM
    (folder / "authority.pem").write_bytes(root.public_bytes(pem))
    (folder / "server.pem").write_bytes(server.public_bytes(pem))
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "server-key.pem").write_bytes(keys[1].private_bytes(pem, *plain))


class Provider:
    """Runs until `close`. `settings` are those of a suite whose people log in by it and connect the tracker Polar."""

    def __init__(self, folder):
        certified(folder)
        self.authority = folder / "authority.pem"
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.codes = {}
        self.numbers = itertools.count(1_000)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "server.pem", folder / "server-key.pem")
        handler = type("Handler", (Handler,), {"provider": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.origin = f"https://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.settings = self.written(folder)

    def written(self, folder):
        (folder / "secret").write_text("secret-of-tandem")
        login = {"id": "elsewhere", "name": "Elsewhere", "kind": "openid", "issuer": self.origin, "client_id": "tandem", "client_secret_file": "secret"}
        (folder / "providers.json").write_text(json.dumps({"providers": [login]}))
        endpoints = {"authorization": f"{self.origin}/authorize", "token": f"{self.origin}/token", "revocation": f"{self.origin}/v3/users", "data": self.origin}
        tracker = {"id": "polar", "client_id": "tandem", "client_secret_file": "secret", "endpoints": endpoints}
        (folder / "trackers.json").write_text(json.dumps({"trackers": [tracker]}))
        return {
            "TANDEM_IDENTITY_PROVIDERS": str(folder / "providers.json"), "TANDEM_IDENTITY_PROVIDER_CA": str(self.authority),
            "TANDEM_IMPORTER_TRACKERS": str(folder / "trackers.json"), "TANDEM_IMPORTER_TRACKER_CA": str(self.authority),
            "TANDEM_IMPORTER_TRACKER_HOSTS": "any",
        }

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def configuration(self):
        return {
            "issuer": self.origin, "authorization_endpoint": f"{self.origin}/authorize", "token_endpoint": f"{self.origin}/token",
            "jwks_uri": f"{self.origin}/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"], "authorization_response_iss_parameter_supported": True,
            "code_challenge_methods_supported": ["S256"],
        }

    def tokens(self, form):
        """The answer to a code, whose verifier has to be that of its challenge."""
        asked, address = self.codes.pop(form["code"])
        challenge = base64url(hashlib.sha256(form["code_verifier"].encode()).digest())
        assert challenge == asked["code_challenge"] and form["redirect_uri"] == asked["redirect_uri"]
        answer = {"access_token": secrets.token_urlsafe(), "token_type": "bearer", "expires_in": 3_600, "scope": asked.get("scope", "")}
        if "openid" not in answer["scope"].split():
            return {**answer, "x_user_id": next(self.numbers)}
        now = int(time.time())
        claims = {
            "iss": self.origin, "aud": "tandem", "sub": hashlib.sha256(address.encode()).hexdigest()[:20], "iat": now, "exp": now + 600, "auth_time": now,
            "nonce": asked["nonce"], "email": address, "email_verified": not address.startswith("unverified"),
        }
        return {**answer, "id_token": self.signed(claims)}

    def signed(self, claims):
        """A JWT by ES256."""
        text = ".".join(base64url(json.dumps(part).encode()) for part in ({"alg": "ES256", "kid": "one"}, claims))
        numbers = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{text}.{base64url(b''.join(number.to_bytes(32, 'big') for number in numbers))}"

    def keys(self):
        numbers = self.key.public_key().public_numbers()
        place = {"x": base64url(numbers.x.to_bytes(32, "big")), "y": base64url(numbers.y.to_bytes(32, "big"))}
        return {"keys": [{"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "one", **place}]}


def exercises():
    """A run of the day before, with a heart rate for each minute."""
    start = datetime.datetime.now(datetime.UTC).replace(tzinfo=None, microsecond=0) - datetime.timedelta(days=1)
    route = [{"latitude": 51.5 + 0.001 * at, "longitude": -0.12 + 0.0005 * at, "time": f"PT{at}M"} for at in range(20)]
    samples = [{"recording_rate": 60, "sample_type": "0", "data": ",".join(str(120 + at) for at in range(20))}]
    return [{
        "id": "2AC312F", "start_time": start.isoformat(), "start_time_utc_offset": 0, "duration": "PT20M", "distance": 2_400, "calories": 150,
        "sport": "RUNNING", "detailed_sport_info": "RUNNING", "heart_rate": {"average": 130, "maximum": 139}, "device": "Polar Vantage", "route": route, "samples": samples,
    }]


class Handler(http.server.BaseHTTPRequestHandler):
    provider = None

    def log_message(self, *_):
        pass

    def answer(self, status, content=b"", kind="application/json", **fields):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for field, value in {"content-type": kind, "content-length": str(len(body)), **fields}.items():
            self.send_header(field, value)
        self.end_headers()
        self.wfile.write(body)

    def form(self):
        return dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers.get("content-length") or 0)).decode()))

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        days = [{"start_time": (datetime.date.today() - datetime.timedelta(days=1)).isoformat(), "steps": 8_200}]
        documents = {
            "/.well-known/openid-configuration": self.provider.configuration,
            "/keys": self.provider.keys,
            "/v3/exercises": exercises, "/v3/users/activities": lambda: days, "/v3/users/sleep": lambda: {"nights": []},
        }
        if path in documents:
            self.answer(200, documents[path]())
        elif path == "/authorize":
            self.answer(200, PAGE.format(address="").encode(), "text/html; charset=utf-8")
        else:
            self.answer(404)

    def do_POST(self):
        path, query = urllib.parse.urlsplit(self.path).path, dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        form = self.form()
        if path == "/token":
            self.answer(200, self.provider.tokens(form))
        elif path == "/authorize":
            result = {"state": query["state"], "iss": self.provider.origin, "error": "access_denied"}
            if form.get("answer") == "allow":
                code = secrets.token_urlsafe()
                self.provider.codes[code] = (query, form.get("address", ""))
                result = {"state": query["state"], "iss": self.provider.origin, "code": code}
                if "openid" not in query.get("scope", ""):
                    del result["iss"]
            self.answer(302, location=f"{query['redirect_uri']}?{urllib.parse.urlencode(result)}")
        else:
            self.answer(200, {})

    def do_DELETE(self):
        self.answer(204)

"""OpenID providers that forge what they are told to, and a Facebook, for tests; over HTTPS, all on one port.

usage: hostile_provider.py FOLDER CERT KEY

Each first part of the path is a provider with keys of its own, whose issuer is https://localhost:PORT/NAME. Nobody logs in here: a test
makes a code up, which is JSON in base64url, and that says what the token endpoint answers. Members of a code:

    sub, email, email_verified, nonce, auth_time   of the ID token
    challenge                           of the attempt; the verifier is checked against it
    forge                               what to do wrong, see `forged` and `token`
    at                                  seconds since 1970 that the provider takes for the present

A code works once. What a refresh token is called decides about the answer to it, see `refresh`. The folder gets a file for every request, NNNN.json: path, headers, form.

What a provider is called decides about its documents: "stranger" says that it is another one, "plain" has a token endpoint without TLS,
"giant" a document without end, "slow" one that comes a byte at a time, "elsewhere" redirects, "naming" says that it names itself in
answers, "broken" answers 503 with Retry-After 7, "later" is broken until the folder has a file "mended".
"""
import base64
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import ssl
import sys
import threading
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

folder, certificate, key_file = sys.argv[1:]
lock = threading.Lock()
count = 0
used = set()
port = None
facebook_secret = b"facebook-secret"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, length=None):
    return b64(value.to_bytes(length or (value.bit_length() + 7) // 8, "big"))


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Keys:
    """A provider's keys, one of each algorithm, and one that it signs with once the folder has a file "rotated"."""

    def __init__(self):
        self.rsa = rsa.generate_private_key(65537, 2048)
        self.ec = ec.generate_private_key(ec.SECP256R1())
        self.ed = ed25519.Ed25519PrivateKey.generate()
        self.new = ed25519.Ed25519PrivateKey.generate()

    def jwks(self, with_new):
        modulus = self.rsa.public_key().public_numbers()
        point = self.ec.public_key().public_numbers()
        keys = [
            {"kty": "RSA", "kid": "rs", "use": "sig", "alg": "RS256", "n": number(modulus.n), "e": number(modulus.e)},
            {"kty": "EC", "kid": "es", "crv": "P-256", "x": number(point.x, 32), "y": number(point.y, 32)},
            {"kty": "OKP", "kid": "ed", "crv": "Ed25519", "x": b64(self.raw(self.ed))},
            # What nobody may take: a key for another use, a weak one, a shared one, and one that is no key.
            {"kty": "RSA", "kid": "encryption", "use": "enc", "n": number(modulus.n), "e": number(modulus.e)},
            {"kty": "RSA", "kid": "weak", "n": number(2**1023 + 1), "e": "AQAB"},
            {"kty": "oct", "kid": "shared", "k": b64(b"0" * 32)},
            {"kty": "EC", "kid": "nowhere", "crv": "P-256", "x": number(1, 32), "y": number(1, 32)},
        ]
        if with_new:
            keys.append({"kty": "OKP", "kid": "new", "crv": "Ed25519", "x": b64(self.raw(self.new))})
        return {"keys": keys}

    @staticmethod
    def raw(key):
        return key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)

    def sign(self, algorithm, data):
        if algorithm == "RS256":
            return self.rsa.sign(data, padding.PKCS1v15(), hashes.SHA256())
        if algorithm == "ES256":
            r, s = utils.decode_dss_signature(self.ec.sign(data, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        if algorithm == "HS256":
            # The classic: the public key as the shared secret.
            pem = self.rsa.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            return hmac.new(pem, data, hashlib.sha256).digest()
        if algorithm == "none":
            return b""
        return (self.new if algorithm == "EdDSA/new" else self.ed).sign(data)


providers = {}


def keys_of(name):
    with lock:
        return providers.setdefault(name, Keys())


def issuer(name):
    return f"https://localhost:{port}/{name}"


def forged(claims, forge, name):
    """The claims with one of them wrong."""
    now = claims["iat"]
    changes = {
        "issuer": {"iss": issuer("other")},
        "audience": {"aud": "somebody-else"},
        "audiences": {"aud": ["tandem", "somebody-else"], "azp": "tandem"},
        "party": {"azp": "somebody-else"},
        "expired": {"exp": now - 1},
        "old": {"iat": now - 3_600},
        "future": {"iat": now + 3_600, "exp": now + 7_200},
        "nonce": {"nonce": "A" * 43},
        "no nonce": {"nonce": None},
        "hash": {"at_hash": b64(b"0" * 16)},
        "subject": {"sub": ""},
        "long subject": {"sub": "s" * 256},
        "list": {"aud": ["tandem"], "azp": "tandem"},
        "text": {"email_verified": "true"},
    }.get(forge, {})
    return {name: value for name, value in (claims | changes).items() if value is not None}


def token(name, code, access_token):
    forge = code.get("forge", "")
    now = int(code["at"])
    keys = keys_of(name)
    algorithm = {"es256": "ES256", "eddsa": "EdDSA", "new key": "EdDSA/new", "none": "none", "hs256": "HS256",
                 "confused": "ES256"}.get(forge, "RS256")
    key_id = {"ES256": "es", "EdDSA": "ed", "EdDSA/new": "new"}.get(algorithm, "rs")
    key_id = {"unknown key": "nobody", "encryption key": "encryption", "confused": "rs"}.get(forge, key_id)
    digest = hashlib.sha512 if algorithm.startswith("EdDSA") else hashlib.sha256
    half = digest(access_token.encode()).digest()
    claims = {
        "iss": issuer(name), "sub": code["sub"], "aud": "tandem", "exp": now + 300, "iat": now, "nonce": code["nonce"],
        "at_hash": b64(half[: len(half) // 2]), "email": code.get("email"),
        "email_verified": code.get("email_verified"), "auth_time": code.get("auth_time"),
    }
    header = {"alg": algorithm.split("/")[0], "kid": key_id, "typ": "JWT"}
    if forge == "critical":
        header |= {"crit": ["b64"], "b64": True}
    if forge == "access token":
        header["typ"] = "at+jwt"
    payload = json.dumps(forged(claims, forge, name))
    if forge == "twice":
        payload = payload[:-1] + ', "sub": "admin"}'
    data = f"{b64(json.dumps(header).encode())}.{b64(payload.encode())}"
    signer = keys_of("other") if forge == "other key" else keys
    signature = signer.sign(algorithm, data.encode())
    if forge == "signature":
        signature = bytes([signature[0] ^ 1]) + signature[1:]
    if forge == "two parts":
        return data
    return f"{data}.{b64(signature)}"


class Provider(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def record(self, form):
        global count
        with lock:
            count += 1
            name = f"{count:04}"
        part = pathlib.Path(folder) / f"{name}.part"
        part.write_text(json.dumps({"path": self.path, "headers": dict(self.headers), "form": form}))
        part.rename(part.with_suffix(".json"))

    def answer(self, status, value, headers=()):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for field, text in headers:
            self.send_header(field, text)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def drip(self):
        """An answer that never ends, a byte at a time, until the client hangs up."""
        self.close_connection = True
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" ")
                self.wfile.flush()
                # Far apart, so that the answer is slow in bytes and yet never silent: only a limit on the whole exchange ends it.
                time.sleep(0.05)
        except OSError:
            pass

    def flood(self):
        """An answer that never ends, as fast as it is taken."""
        self.close_connection = True
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" " * 65_536)
        except OSError:
            pass

    def do_GET(self):
        self.record({})
        url = urllib.parse.urlparse(self.path)
        parts = url.path.strip("/").split("/")
        if url.path.endswith("/me"):
            return self.me(urllib.parse.parse_qs(url.query))
        name = parts[0]
        if parts[1:] == [".well-known", "openid-configuration"]:
            return self.discovery(name)
        if parts[1:] == ["jwks"]:
            rotated = (pathlib.Path(folder) / "rotated").exists()
            return self.answer(200, keys_of(name).jwks(rotated))
        self.answer(404, {})

    def discovery(self, name):
        if name == "giant":
            return self.flood()
        if name == "slow":
            return self.drip()
        if name == "elsewhere":
            return self.answer(302, {}, [("location", f"{issuer('honest')}/.well-known/openid-configuration")])
        if name == "broken" or (name == "later" and not (pathlib.Path(folder) / "mended").exists()):
            return self.answer(503, {}, [("retry-after", "7")])
        base = issuer(name)
        scheme = base.replace("https", "http") if name == "plain" else base
        self.answer(200, {
            "issuer": issuer("honest") if name == "stranger" else base,
            "authorization_endpoint": f"{base}/authorize?tenant=1", "token_endpoint": f"{scheme}/token",
            "jwks_uri": f"{base}/jwks", "authorization_response_iss_parameter_supported": name == "naming"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        form = {name: values[0] for name, values in urllib.parse.parse_qs(body).items()}
        self.record(form)
        path = self.path.strip("/").split("/")
        if path[-1] == "access_token":
            return self.facebook_token(form)
        if path[-1] == "token":
            return self.token(path[0], form)
        self.answer(404, {})

    def code(self, form):
        """What the code says, if it may be used with what came along; answers itself where not."""
        code = json.loads(unb64(form["code"]))
        verifier = b64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        with lock:
            is_fresh = form["code"] not in used
            used.add(form["code"])
        if not is_fresh or verifier != code["challenge"]:
            self.answer(400, {"error": "invalid_grant", "error_description": "the code is used or not yours"})
            return None
        return code

    def refresh(self, form):
        wanted = form["refresh_token"]
        if wanted == "revoked":
            return self.answer(400, {"error": "invalid_grant"})
        if wanted == "busy":
            return self.answer(503, {}, [("retry-after", "11")])
        if wanted == "foreign":
            return self.answer(401, {"error": "invalid_client"})
        if wanted == "shouted":
            return self.answer(400, {"error": "no\n\x1b[31m" + "x" * 100})
        return self.answer(200, {
            "access_token": "at-2", "token_type": "bearer", "expires_in": 60, "refresh_token": "rt-2",
            "scope": "steps sleep"})

    def token(self, name, form):
        if form["grant_type"] == "refresh_token":
            return self.refresh(form)
        code = self.code(form)
        if code is None:
            return None
        forge = code.get("forge", "")
        if forge == "elsewhere":
            return self.answer(307, {}, [("location", f"{issuer('other')}/token")])
        if forge == "giant answer":
            return self.flood()
        if forge == "slow answer":
            return self.drip()
        if forge == "busy":
            return self.answer(429, {}, [("retry-after", "11")])
        if forge == "client":
            return self.answer(401, {"error": "invalid_client"})
        if forge == "no json":
            return self.answer(200, b"<html>")
        access_token = "at-" + b64(os.urandom(24))
        tokens = {
            "access_token": access_token, "token_type": "Bearer", "expires_in": 300,
            "id_token": token(name, code, access_token)}
        if forge == "no token":
            del tokens["id_token"]
        if forge == "mac":
            tokens["token_type"] = "mac"
        self.answer(200, tokens)

    def facebook_token(self, form):
        code = self.code(form)
        if code is None:
            return
        if form.get("client_secret") != facebook_secret.decode():
            return self.answer(400, {"error": {"message": "Error validating client secret.", "code": 1}})
        self.answer(200, {"access_token": f"fb-{code['sub']}", "token_type": "bearer", "expires_in": 5_000_000})

    def me(self, query):
        access_token = self.headers.get("authorization", "").removeprefix("Bearer ")
        proof = hmac.new(facebook_secret, access_token.encode(), hashlib.sha256).hexdigest()
        if query.get("appsecret_proof") != [proof]:
            return self.answer(400, {"error": {"message": "Invalid appsecret_proof", "code": 100}})
        person = access_token.removeprefix("fb-")
        self.answer(200, {"id": person, "email": f"f{person}@provider.example"})


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


def end_with_the_test():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_the_test, daemon=True).start()
server = Server(("127.0.0.1", 0), Provider)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key_file)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
port = server.server_address[1]
part = pathlib.Path(folder) / "port.part"
part.write_text(str(port))
part.rename(pathlib.Path(folder) / "port")
server.serve_forever()

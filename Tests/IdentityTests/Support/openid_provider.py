"""A real OpenID provider for tests: glewlwyd over TLS on loopback, with a client, people, and a browser to log them in with.

usage: openid_provider.py FOLDER CERT KEY REDIRECT_URI [SCOPE]

With a scope, the client may ask for it besides "openid", each refresh token works once, and tokens can be revoked.

The folder gets a file `port` once the provider is ready. Its issuer is https://localhost:PORT/api/oidc, its client is "tandem" with the
secret "glewlwyd-secret". Of the people, ada's address counts as verified and grace's does not; the password of both is "password-9".

To have the browser go somewhere, put a file NAME.visit into the folder, with JSON: `url`, `user`, and `grants`, the scopes that the person
allows. Then NAME.arrived holds where the browser was sent in the end, which is the client's redirect URI with what the provider adds.
"""
import base64
import ctypes
import http.cookiejar
import json
import os
import pathlib
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives.asymmetric import ec

folder = pathlib.Path(sys.argv[1])
certificate, key, redirect_uri, *further_scopes = sys.argv[2:]
context = ssl.create_default_context(cafile=str(folder / "ca.pem"))


def end_with_the_test():
    sys.stdin.read()
    os._exit(0)


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Browser(urllib.request.HTTPRedirectHandler):
    """Keeps cookies and follows no redirection by itself."""

    def __init__(self, base):
        self.base = base
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), cookies, self)

    def redirect_request(self, *_):
        return None

    def ask(self, method, path, body=None):
        url = path if path.startswith("https://") else f"{self.base}{path}"
        request = urllib.request.Request(url, method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("content-type", "application/json")
        try:
            answer = self.opener.open(request, timeout=30)
        except urllib.error.HTTPError as error:
            if error.code >= 400:
                raise RuntimeError(f"{method} {path}: {error.code} {error.read()[:500]}") from error
            answer = error
        return answer.headers.get("location")

    def log_in(self, user, password):
        self.ask("POST", "/api/auth/", {"username": user, "password": password})


def signing_key():
    """A JWKS with a private P-256 key."""
    numbers = ec.generate_private_key(ec.SECP256R1()).private_numbers()

    def text(number):
        return base64.urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()

    public = numbers.public_numbers
    return json.dumps({"keys": [{
        "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "es", "x": text(public.x),
        "y": text(public.y), "d": text(numbers.private_value)}]})


def make_database(path):
    database = sqlite3.connect(path)
    database.executescript(pathlib.Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3").read_text())
    # People get a property that says whether their address was verified.
    (text,) = database.execute("select gumi_parameters from g_user_module_instance").fetchone()
    parameters = json.loads(text)
    parameters["data-format"]["verified"] = {"multiple": False, "read": True, "write": True}
    database.execute("update g_user_module_instance set gumi_parameters = ?", (json.dumps(parameters),))
    database.commit()
    database.close()


def configuration(port):
    return f"""
port={port}
bind_address="127.0.0.1"
external_url="https://localhost:{port}"
login_url="login.html"
api_prefix="api"
log_mode="file"
log_level="WARNING"
log_file="{folder}/glewlwyd.log"
cookie_secure=1
session_expiration=86400
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
allow_multiple_user_per_session=true
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
use_secure_connection=true
secure_connection_key_file="{key}"
secure_connection_pem_file="{certificate}"
hash_algorithm="SHA512"
database={{ type="sqlite3" path="{folder}/glewlwyd.db" }}
"""


def start(port):
    make_database(folder / "glewlwyd.db")
    (folder / "glewlwyd.conf").write_text(configuration(port))
    server = subprocess.Popen(
        ["/usr/bin/glewlwyd", "--config-file", str(folder / "glewlwyd.conf")], preexec_fn=die_with_parent)
    admin = Browser(f"https://localhost:{port}")
    while True:
        try:
            admin.log_in("admin", "password")
            return server, admin
        except (OSError, RuntimeError):
            if server.poll() is not None:
                sys.exit("glewlwyd does not start")
            # The provider says to nobody when it listens; it is asked again until it does, or has ended.
            time.sleep(0.05)


def set_up(admin, port):
    for scope in further_scopes:
        admin.ask("POST", "/api/scope/", {
            "name": scope, "display_name": scope, "password_required": True, "password_max_age": 0, "scheme": {}})
    admin.ask("POST", "/api/mod/plugin/", {
        "module": "oidc", "name": "oidc", "display_name": "OpenID", "order_rank": 0, "readonly": False,
        "parameters": {
            "iss": f"https://localhost:{port}/api/oidc", "jwks-private": signing_key(), "jwks-show": True,
            "access-token-duration": 600, "refresh-token-duration": 3600, "code-duration": 600,
            "refresh-token-rolling": False, "allow-non-oidc": False, "auth-type-code-enabled": True,
            "auth-type-code-revoke-replayed": True, "auth-type-refresh-enabled": True, "subject-type": "public",
            "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required": True,
            "oauth-as-iss-id": True, "introspection-revocation-allowed": bool(further_scopes),
            "introspection-revocation-allow-target-client": bool(further_scopes),
            "refresh-token-one-use": "always" if further_scopes else "never", "name-claim": "mandatory",
            "email-claim": "mandatory", "scope-claim": "no",
            "claims": [{
                "name": "email_verified", "user-property": "verified", "type": "boolean", "mandatory": True,
                "boolean-value-true": "yes", "boolean-value-false": "no", "on-demand": False, "scope": []}],
        }})
    admin.ask("POST", "/api/client/", {
        "client_id": "tandem", "name": "Tandem", "enabled": True, "confidential": True,
        "client_secret": "glewlwyd-secret", "redirect_uri": [redirect_uri], "scope": [],
        "authorization_type": ["code", "refresh_token"], "token_endpoint_auth_method": ["client_secret_basic"]})
    for user, verified in (("ada", "yes"), ("grace", "no")):
        admin.ask("POST", "/api/user/", {
            "username": user, "name": user.capitalize(), "email": f"{user}@provider.example", "password": "password-9",
            "verified": verified, "scope": ["openid", "g_profile", *further_scopes], "enabled": True})


def visit(port, wish):
    browser = Browser(f"https://localhost:{port}")
    browser.log_in(wish["user"], "password-9")
    browser.ask("PUT", "/api/auth/grant/tandem", {"scope": wish["grants"]})
    # What the login page adds once the person has logged in.
    return browser.ask("GET", wish["url"] + "&g_continue")


def serve(port):
    while True:
        for path in folder.glob("*.visit"):
            wish = json.loads(path.read_text())
            path.unlink()
            part = path.with_suffix(".part")
            part.write_text(visit(port, wish) or "")
            part.rename(path.with_suffix(".arrived"))
        # A folder tells nobody that a wish came; this is soon enough for a test that waits for the answer.
        time.sleep(0.02)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


threading.Thread(target=end_with_the_test, daemon=True).start()
chosen = free_port()
_, administrator = start(chosen)
set_up(administrator, chosen)
(folder / "port.part").write_text(str(chosen))
(folder / "port.part").rename(folder / "port")
serve(chosen)

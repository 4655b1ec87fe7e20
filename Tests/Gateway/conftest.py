"""Starts the whole suite once for the session by `tandem up --ephemeral`, with its gateway, and ends it by its pid.

TANDEM_PROGRAMS is the folder of the programs (.build/debug when unset).
"""

import json
import os
import pathlib
import random
import signal
import socket
import ssl
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_PATIENCE = 180.0


class Suite:
    """The running suite, as a client of its gateway sees it."""

    def __init__(self, process, state):
        self.process = process
        self.authority = state["authority"]
        self.mail = pathlib.Path(state["mail"])
        self.host, port = state["gateway"].rsplit(":", 1)
        self.port = int(port)
        self.admin = f"http://{self.host}:{self.port + 100}"
        self.url = f"https://{self.host}:{self.port}"

    def curl(self, path, *options, url=None):
        """What curl gets: the status, the header fields in lower case, the body."""
        mark = "\nstatus %{http_code} version %{http_version}"
        made = subprocess.run(
            ["curl", "-sS", "--max-time", "20", "--cacert", self.authority, "-D", "/dev/stderr", "-w", mark]
            + list(options)
            + [(url or self.url) + path],
            capture_output=True,
            check=False,
        )
        assert made.returncode in (0, 18, 28, 92), made.stderr.decode()
        body, _, end = made.stdout.rpartition(b"\nstatus ")
        status, _, version = end.decode().split(" ")
        lines = []
        for line in made.stderr.decode(errors="replace").splitlines():
            name, colon, value = line.partition(": ")
            if colon:
                lines.append((name.lower(), value.strip()))
        return Answer(int(status), version, lines, body)

    def call(self, method, request, *options, token=None):
        """A unary call in JSON."""
        if token:
            options += ("-H", f"authorization: Bearer {token}")
        return self.curl(
            f"/{method}", "-H", "content-type: application/json", "-d", json.dumps(request), *options
        )

    def connect(self, protocol="http/1.1"):
        """A socket with TLS, for bytes that no client would send."""
        context = ssl.create_default_context(cafile=self.authority)
        context.set_alpn_protocols([protocol])
        plain = socket.create_connection((self.host, self.port), timeout=15)
        return context.wrap_socket(plain, server_hostname="localhost")

    def ask(self, request):
        """What is answered to bytes of HTTP/1.1 until the connection closes, or no more comes for a second."""
        with self.connect() as connection:
            connection.sendall(request)
            connection.settimeout(1.0)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except (TimeoutError, ConnectionResetError, ssl.SSLError):
                pass
            return answer

    def works(self):
        return self.call("grpc.health.v1.Health/Check", {}).json == {"status": "SERVING"}


class Answer:
    def __init__(self, status, version, lines, body):
        self.status = status
        self.version = version
        self.fields = dict(lines)
        self.all_lines = lines
        self.body = body

    def lines(self, name):
        """The values of a header field that may be there several times."""
        return [value for found, value in self.all_lines if found == name]

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.fields} {self.body[:400]!r}"


def free_offset():
    chance = random.Random()
    while True:
        offset = chance.randrange(2000, 20000, 200)
        ports = [7400, 7480, 7580] + list(range(7401, 7407)) + list(range(7501, 7507))
        try:
            for port in ports:
                with socket.socket() as tried:
                    tried.bind(("127.0.0.1", port + offset))
            return offset
        except OSError:
            continue


@pytest.fixture(scope="session")
def suite(tmp_path_factory):
    programs = pathlib.Path(os.environ.get("TANDEM_PROGRAMS", ROOT / ".build" / "debug"))
    home = tmp_path_factory.mktemp("gateway")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TANDEM_")}
    # The tests ask faster than people do.
    environment["TANDEM_GATEWAY_MAX_REQUESTS_PER_ADDRESS"] = "400"
    environment["TANDEM_GATEWAY_ALLOWED_ORIGINS"] = "https://app.example.org"
    for name in ("polar", "strava"):
        (home / f"{name}-secret").write_text(f"secret of {name}")
    trackers = [
        {"id": name, "client_id": "x", "client_secret_file": f"{name}-secret", "webhook_secret_file": f"{name}-secret"}
        for name in ("polar", "strava")
    ]
    (home / "trackers.json").write_text(json.dumps({"trackers": trackers}))
    environment["TANDEM_IMPORTER_TRACKERS"] = str(home / "trackers.json")
    log = open(home / "log", "wb")
    process = subprocess.Popen(
        [programs / "tandem", "up", "--home", home / "home", "--ephemeral", "--port-offset", str(free_offset())],
        stdout=log, stderr=log, env=environment, start_new_session=True,
    )
    state = home / "home" / "state.json"
    try:
        end = time.monotonic() + START_PATIENCE
        while not state.exists():
            assert process.poll() is None and time.monotonic() < end, (home / "log").read_text()[-3000:]
            # The file is all that tells of the start: the test looks for it again.
            time.sleep(0.05)
        found = Suite(process, json.loads(state.read_text()))
        found.log = home / "log"
        yield found
        assert process.poll() is None, "the suite ended by itself"
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(autouse=True)
def still_works(suite):
    """Whatever a test sent, others are served."""
    yield
    assert suite.works()


@pytest.fixture(scope="session")
def new_user(suite):
    """Makes people with verified accounts, logged in: all of it by JSON over HTTP."""

    def make(kind):
        name = f"{kind}_{random.randrange(10**8)}"
        email = f"{name}@example.org"
        password = "Analytical-engine-1843"
        registered = suite.call(
            "tandem.identity.v1.Accounts/Register", {"email": email, "username": name, "password": password}
        )
        assert registered.status == 200, registered
        token = mailed_token(suite, email)
        verified = suite.call(
            "tandem.identity.v1.Accounts/VerifyEmail",
            {"token": token, "registrationSecret": registered.json["registrationSecret"]},
        )
        assert verified.status == 200, verified
        login = suite.call("tandem.identity.v1.Accounts/Login", {"emailOrUsername": name, "password": password})
        assert login.status == 200, login
        found = {"name": name, "email": email, "password": password}
        return {**found, "token": login.json["accessToken"], "id": login.json["userId"]}

    return make


@pytest.fixture(scope="session")
def user(new_user):
    return new_user("ada")


def mailed_token(suite, email):
    import email as mail
    import re

    end = time.monotonic() + 20
    while time.monotonic() < end:
        for path in suite.mail.glob("*.eml"):
            message = mail.message_from_bytes(path.read_bytes())
            if email in message.get("To", ""):
                parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
                text = parts[0].get_payload(decode=True).decode()
                found = re.search(r"(?:token=|#)([A-Za-z0-9_-]{16,})|^\s*([A-Za-z0-9_-]{20,})\s*$", text, re.M)
                if found:
                    return found.group(1) or found.group(2)
        # Nothing tells that a mail has been written: the test looks again.
        time.sleep(0.05)
    raise AssertionError(f"no mail to {email}: " + str([path.read_text()[:600] for path in suite.mail.glob("*.eml")]))

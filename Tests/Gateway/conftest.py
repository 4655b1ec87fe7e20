"""Starts the whole suite once for the session by `tandem up --ephemeral`, with its gateway, and ends it by its pid.

TANDEM_PROGRAMS is the folder of the programs (.build/debug when unset).
"""

import contextlib
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import ssl
import subprocess
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_PATIENCE = 180.0


class Front:
    """A gateway, as its clients see it."""

    def __init__(self, authority, address):
        self.authority = authority
        self.host, port = address.rsplit(":", 1)
        self.port = int(port)
        self.url = f"https://{self.host}:{self.port}"
        self.kept = None

    def curl(self, path, *options, url=None, input=None):
        """What curl gets: the status, the header fields in lower case, the body."""
        mark = "\nstatus %{http_code} version %{http_version}"
        made = subprocess.run(
            ["curl", "-sS", "--max-time", "20", "--cacert", self.authority, "-D", "/dev/stderr", "-w", mark]
            + list(options)
            + [(url or self.url) + path],
            capture_output=True,
            check=False,
            input=input,
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

    def connect(self, protocol="http/1.1", source=None):
        """A socket with TLS, for bytes that no client would send, from an address of this machine."""
        context = ssl.create_default_context(cafile=self.authority)
        context.set_alpn_protocols([protocol])
        plain = socket.create_connection((self.host, self.port), timeout=15, source_address=source and (source, 0))
        return context.wrap_socket(plain, server_hostname="localhost")

    def ask(self, request, source=None):
        """What is answered to bytes of HTTP/1.1 until the connection closes, or no more comes for a second."""
        with self.connect(source=source) as connection:
            connection.sendall(request)
            connection.settimeout(1.0)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except (TimeoutError, ConnectionResetError, ssl.SSLError):
                pass
            return answer

    def kept_answer(self, verb, path, body=b""):
        """By a connection that is kept, as most clients do."""
        if self.kept is None:
            context = ssl.create_default_context(cafile=self.authority)
            self.kept = http.client.HTTPSConnection(self.host, self.port, timeout=15, context=context)
        self.kept.request(verb, path, body, {"content-type": "application/json"})
        answer = self.kept.getresponse()
        return answer.status, answer.read()

    def status(self, verb, path):
        return self.kept_answer(verb, path)[0]

    def works(self):
        try:
            answer = self.kept_answer("POST", "/grpc.health.v1.Health/Check", b"{}")
        except (OSError, http.client.HTTPException):
            # The connection was idle for too long.
            self.kept.close()
            answer = self.kept_answer("POST", "/grpc.health.v1.Health/Check", b"{}")
        return answer[0] == 200 and json.loads(answer[1]) == {"status": "SERVING"}


class Suite(Front):
    """The running suite."""

    def __init__(self, process, state):
        super().__init__(state["authority"], state["gateway"])
        self.process = process
        self.mail = pathlib.Path(state["mail"])
        self.desk = Front(state["authority"], state["console"]) if state.get("console") else None
        self.data = pathlib.Path(state["data"])
        self.home = None
        self.admin = f"http://{self.host}:{self.port + 100}"

    def tandem(self, *words, check=True):
        """What the command line writes to standard output, for this suite."""
        made = subprocess.run(
            [programs() / "tandem", *words, "--home", self.home], capture_output=True, check=False, timeout=240
        )
        assert made.returncode == 0 or not check, made.stderr.decode()
        return made.stdout.decode() if check else made

    @contextlib.contextmanager
    def another(self, folder, **settings):
        """One more gateway before the same services, with settings of its own."""
        environment = self.environment_of_gateway()
        # One listener for operators is enough, unless a test wants another.
        del environment["TANDEM_GATEWAY_OPERATOR_LISTEN"]
        ready = folder / f"gateway-{random.randrange(10**9)}.json"
        settings = {"listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "ready_file": ready, **settings}
        environment |= {f"TANDEM_GATEWAY_{name.upper()}": str(value) for name, value in settings.items()}
        with open(ready.with_suffix(".log"), "wb") as log:
            process = subprocess.Popen([programs() / "gateway"], stdout=log, stderr=log, env=environment, start_new_session=True)
        try:
            await_file(ready, process, ready.with_suffix(".log"))
            addresses = json.loads(ready.read_text())
            found = Front(self.authority, addresses["rpc"])
            found.process, found.admin = process, f"http://{addresses['admin']}"
            yield found
        finally:
            process.kill()
            process.wait()

    def environment_of_gateway(self):
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == self.process.pid and (folder / "cmdline").read_bytes().split(b"\0")[0].endswith(b"/gateway"):
                    entries = (folder / "environ").read_bytes().decode().split("\0")
                    return dict(entry.split("=", 1) for entry in entries if entry)
            except OSError:
                continue
        raise AssertionError("the suite has no gateway")


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


def programs():
    return pathlib.Path(os.environ.get("TANDEM_PROGRAMS", ROOT / ".build" / "debug"))


def await_file(file, process, log):
    """The file is all that tells of a start: it is looked for again and again."""
    end = time.monotonic() + START_PATIENCE
    while not file.exists():
        assert process.poll() is None and time.monotonic() < end, log.read_text()[-3000:]
        # Short beside a start.
        time.sleep(0.02)


def free_offset():
    chance = random.Random()
    while True:
        # Browsers and fetch refuse some ports; 10080 is the highest of them (WHATWG Fetch, "port blocking").
        offset = chance.randrange(2800, 20000, 200)
        ports = [7400, 7480, 7481, 7580] + list(range(7401, 7407)) + list(range(7501, 7507))
        try:
            for port in ports:
                with socket.socket() as tried:
                    tried.bind(("127.0.0.1", port + offset))
            return offset
        except OSError:
            continue


@pytest.fixture(scope="session")
def suite(tmp_path_factory):
    home = tmp_path_factory.mktemp("gateway")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TANDEM_")}
    # The tests ask faster than people do, and all of them from one address.
    environment["TANDEM_GATEWAY_MAX_REQUESTS_PER_ADDRESS"] = "400"
    environment["TANDEM_IDENTITY_REGISTRATIONS_OF_ADDRESS"] = "500/1h"
    environment["TANDEM_GATEWAY_ALLOWED_ORIGINS"] = "https://app.example.org"
    for name in ("polar", "strava"):
        (home / f"{name}-secret").write_text(f"secret of {name}")
    trackers = [
        {"id": name, "client_id": "x", "client_secret_file": f"{name}-secret", "webhook_secret_file": f"{name}-secret"}
        for name in ("polar", "strava")
    ]
    (home / "trackers.json").write_text(json.dumps({"trackers": trackers}))
    environment["TANDEM_IMPORTER_TRACKERS"] = str(home / "trackers.json")
    with running(home, environment, free_offset()) as found:
        yield found


@contextlib.contextmanager
def running(folder, environment, offset):
    """A whole suite with its home and its log in the folder, at ports that are that much higher; ended by its pid."""
    log = folder / "log"
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [programs() / "tandem", "up", "--home", folder / "home", "--ephemeral", "--port-offset", str(offset)],
            stdout=output, stderr=output, env=environment, start_new_session=True,
        )
    state = folder / "home" / "state.json"
    try:
        await_file(state, process, log)
        found = Suite(process, json.loads(state.read_text()))
        found.log, found.home = log, folder / "home"
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


class Line:
    """Passes connections on to the gateway, and can cut them."""

    def __init__(self, target):
        self.target, self.open = target, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(self.target)
                self.open += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    @staticmethod
    def carry(one, other):
        with contextlib.suppress(OSError):
            while piece := one.recv(65536):
                other.sendall(piece)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        """Returns how many connections there were."""
        cut, self.open = self.open, []
        for end in cut:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        return len(cut) // 2


@pytest.fixture
def line(suite):
    made = Line((suite.host, suite.port))
    yield made
    made.listener.close()
    made.cut()


def notify(suite, user, other):
    """The user is told that another one asks for a book."""
    book = {"title": "Dune", "authors": ["Frank Herbert"], "isbn": "9780441172719", "language": "en"}
    added = suite.call("tandem.catalog.v1.Books/AddBook", {"book": book, "titleConfirmed": True}, token=user["token"])
    assert added.status == 200, added
    asked = suite.call("tandem.lending.v1.Loans/RequestBook", {"bookId": added.json["bookId"]}, token=other["token"])
    assert asked.status == 200, asked

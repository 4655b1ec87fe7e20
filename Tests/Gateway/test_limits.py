"""What the gateway takes of its clients: how many, how often, how slowly; and how it ends. By gateways with small limits of their own,
before the same services."""

import concurrent.futures
import contextlib
import json
import pathlib
import re
import select
import signal
import socket
import ssl
import struct
import subprocess
import threading
import time
import urllib.request

import pytest
from conftest import programs
from http2 import DATA, GOAWAY, HEADERS, PATIENCE, PREFACE, RESET, SETTINGS, HTTP2, frame
from sockets import WebSocket
from test_bad_input import FIELDS, HEAD, PATH
from test_sessions import Browser

OWN = "/tandem.identity.v1.Accounts/GetOwnAccount"
WHOLE = HEAD + b"Content-Length: 2\r\n\r\n{}"
JSON = b"\x5f\x10application/json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("limits")


@pytest.fixture(scope="module")
def narrow(suite, folder):
    """Few clients, seldom."""
    with suite.another(
        folder, max_connections=6, max_connections_per_address=4, max_requests_per_address=5, max_calls_per_token=3
    ) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def hasty(suite, folder, way):
    """Everything within a second; the importer is at the end of a way that can be blocked."""
    with suite.another(
        folder, handshake_time="1s", idle_time="1s", request_time="1s", stall_time="1s", call_time="1s", max_call_time="2s",
        importer_address=way.address,
    ) as gateway:
        yield gateway


class Way:
    """Passes bytes on to an address, while it is open."""

    def __init__(self, target):
        self.target = target
        self.isOpen = threading.Event()
        self.isOpen.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(self.target)
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        with contextlib.suppress(OSError):
            while piece := one.recv(65536):
                self.isOpen.wait()
                other.sendall(piece)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    @contextlib.contextmanager
    def blocked(self):
        self.isOpen.clear()
        try:
            yield
        finally:
            self.isOpen.set()


@pytest.fixture(scope="module")
def way(suite):
    host, port = suite.environment_of_gateway()["TANDEM_GATEWAY_IMPORTER_ADDRESS"].rsplit(":", 1)
    made = Way((host, int(port)))
    yield made
    made.listener.close()


def entered(gateway, source):
    """A connection that the gateway has taken; `None` where it takes none."""
    try:
        return gateway.connect(source=source)
    except (ssl.SSLError, ConnectionError):
        return None


def until(act, patience=PATIENCE):
    """What `act` gives once that is something: of what happens in another process nothing tells."""
    end = time.monotonic() + patience
    while not (found := act()):
        assert time.monotonic() < end
        # Nothing tells of a change in another process: it is looked for again.
        time.sleep(0.02)
    return found


def ended(connection, trickle=None, patience=PATIENCE):
    """Seconds until the server closes a connection, to which a byte is sent now and then."""
    began = time.monotonic()
    connection.settimeout(0.1)
    while time.monotonic() - began < patience:
        try:
            if not connection.recv(65536):
                return time.monotonic() - began
        except (TimeoutError, ssl.SSLWantReadError):
            pass
        except OSError as error:
            if "timed out" not in str(error):
                return time.monotonic() - began
        try:
            if trickle:
                connection.sendall(trickle())
        except OSError:
            return time.monotonic() - began
    raise AssertionError("the connection is still open")


def test_threads_can_be_asked_where_they_are(narrow):
    """29 A1: so that a loop that hangs ends the gateway with stacks in the log, as it does a service."""
    status = pathlib.Path(f"/proc/{narrow.process.pid}/status").read_text(encoding="utf-8")
    caught = int(re.search(r"^SigCgt:\s*(\w+)$", status, re.MULTILINE).group(1), 16)
    # The signal that asks a thread is the last but one, and the first has bit 0.
    assert caught >> (signal.SIGRTMAX - 2) & 1


def test_connections_of_an_address_and_in_all(narrow):
    """[GATE-5]"""
    of_one = [entered(narrow, "127.0.0.2") for _ in range(4)]
    assert all(of_one)
    assert entered(narrow, "127.0.0.2") is None
    of_another = [entered(narrow, "127.0.0.3") for _ in range(2)]
    assert all(of_another)
    assert entered(narrow, "127.0.0.4") is None
    of_one.pop().close()
    until(lambda: entered(narrow, "127.0.0.4")).close()
    for connection in of_one + of_another:
        connection.close()
    with urllib.request.urlopen(narrow.admin + "/metrics") as page:
        assert 'gateway_refusals_total{reason="TOO_MANY_CONNECTIONS"}' in page.read().decode()
    until(lambda: narrow.ask(WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), source="127.0.0.4"))


def reasons(answer):
    details = {detail["type"]: detail.get("debug", {}) for detail in answer["details"]}
    return details["google.rpc.ErrorInfo"]["reason"], details["google.rpc.RetryInfo"]["retryDelay"]


def pipelined(gateway, request, count, *sources):
    """What is answered to as many of a request at once, from each address."""
    opened = [until(lambda: entered(gateway, source)) for source in sources]
    for connection in opened:
        connection.sendall(request * (count - 1) + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
    answers = b""
    for connection in opened:
        connection.settimeout(PATIENCE)
        with connection:
            while piece := connection.recv(65536):
                answers += piece
    return answers


def statuses(answers):
    return re.findall(rb"HTTP/1\.1 (\d+) ", answers)


def test_requests_of_an_address(narrow):
    """[GATE-5]"""
    answers = pipelined(narrow, WHOLE, 30, "127.0.0.5")
    assert statuses(answers)[:10] == [b"200"] * 10 and b"429" in statuses(answers), answers
    refused = json.loads(re.findall(rb'\{"code".*?\}\]\}(?=HTTP|$)', answers)[-1])
    details = {detail["type"]: detail.get("debug", {}) for detail in refused["details"]}
    assert refused["code"] == "resource_exhausted"
    assert details["google.rpc.ErrorInfo"]["reason"] == "TOO_MANY_CALLS_OF_ADDRESS"
    assert details["google.rpc.RetryInfo"]["retryDelay"] == "1s"
    web = HEAD.replace(b"application/json", b"application/grpc-web") + b"Content-Length: 5\r\n\r\n\0\0\0\0\0"
    assert b"grpc-status: 8" in pipelined(narrow, web, 30, "127.0.0.5")
    assert b"429" in statuses(pipelined(narrow, b"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n", 30, "127.0.0.5"))
    assert narrow.curl(PATH, "--interface", "127.0.0.6", "-H", "content-type: application/json", "-d", "{}").status == 200


def test_calls_with_a_token_from_wherever(narrow, user):
    """[GATE-5]"""
    call = WHOLE.replace(PATH.encode(), OWN.encode()).replace(b"Content-Length", b"Authorization: Bearer %s\r\nContent-Length")
    answers = pipelined(narrow, call % user["token"].encode(), 8, "127.0.0.21", "127.0.0.22", "127.0.0.23")
    assert statuses(answers).count(b"200") >= 6 and b"429" in statuses(answers), answers
    assert b"TOO_MANY_CALLS_OF_USER" in answers
    assert set(statuses(pipelined(narrow, call % b"another", 1, "127.0.0.21"))) == {b"401"}


def test_pictures_with_a_token_from_wherever(suite, folder, new_user):
    """[GATE-5] Reading and putting pictures counts like calls."""
    person = new_user("painter")
    fields = f"Host: localhost\r\nAuthorization: Bearer {person['token']}\r\n"
    read = f"GET /pictures/profile/{person['name']} HTTP/1.1\r\n{fields}\r\n".encode()
    put = f"PUT /pictures/profile HTTP/1.1\r\n{fields}Content-Type: image/png\r\nContent-Length: 1\r\n\r\nx".encode()
    with suite.another(folder, max_calls_per_token=1) as gateway:
        for request, answer in ((read, b"404"), (put, b"400")):
            # Two at once are let through, if none came before.
            until(lambda: answer in statuses(pipelined(gateway, request, 1, "127.0.0.31")))
            answers = pipelined(gateway, request, 8, "127.0.0.32", "127.0.0.33")
            assert b"429" in statuses(answers) and b"TOO_MANY_CALLS_OF_USER" in answers, answers
        other = new_user("sculptor")
        answers = pipelined(gateway, read.replace(person["token"].encode(), other["token"].encode()), 1, "127.0.0.32")
        assert statuses(answers) == [b"404"], answers


def test_pages_of_a_session_from_wherever(suite, folder, new_user):
    """[GATE-5] Refreshing and logging out count like calls, by the cookie's token."""
    person = new_user("session")
    browser = Browser(suite)
    assert browser.login(person).status == 200
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    with suite.another(folder, max_calls_per_token=1) as gateway:
        for path, good in (("refresh", b"200"), ("logout", b"200")):
            request = (
                f"POST /session/{path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nContent-Type: application/json\r\n"
                "Connect-Protocol-Version: 1\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 2\r\n\r\n{}"
            ).encode()
            until(lambda: good in statuses(pipelined(gateway, request, 1, "127.0.0.41")))
            answers = pipelined(gateway, request, 8, "127.0.0.42", "127.0.0.43")
            assert b"429" in statuses(answers) and b"TOO_MANY_CALLS_OF_USER" in answers, answers
        other = Browser(suite)
        assert other.login(new_user("session")).status == 200
        strange = request.replace(cookie.encode(), "; ".join(f"{name}={value}" for name, value in other.cookies.items()).encode())
        assert statuses(pipelined(gateway, strange, 1, "127.0.0.42")) == [b"200"]


def test_streams_of_a_connection(suite, folder):
    """[GATE-5] A client that begins more than it has agreed to loses its connection."""
    with suite.another(folder, max_streams_per_connection=2) as gateway:
        for count, kinds in ((2, {DATA}), (3, {GOAWAY})):
            with HTTP2(gateway) as client:
                # The server's settings hold once the client has agreed to them.
                client.until(SETTINGS)
                streams = range(1, 2 * count, 2)
                client.send(frame(SETTINGS, 1, 0), *[frame(HEADERS, 4, stream, FIELDS + JSON) for stream in streams])
                client.send(*[frame(DATA, 1, stream, b"{}") for stream in streams])
                assert {client.until(DATA, RESET, GOAWAY)[0] for _ in range(2 if kinds == {DATA} else 1)} == kinds


def begun(gateway, what):
    """A connection whose client does not go on, and what it still sends now and then."""
    if what == "nothing":
        return socket.create_connection((gateway.host, gateway.port)), None
    connection = gateway.connect("h2" if what.startswith("h2") else "http/1.1")
    first, then = {
        "TLS alone": (b"", None),
        "a head, byte by byte": (b"POST / HTTP/1.1\r\nHost: localhost\r\nX: ", lambda: b"x"),
        "many fields, one by one": (b"POST / HTTP/1.1\r\n", lambda: b"X: y\r\n"),
        "one request and no other": (WHOLE, None),
        "a body, byte by byte": (HEAD + b"Content-Length: 1000\r\n\r\n", lambda: b" "),
        "chunks, byte by byte": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", lambda: b"1\r\n \r\n"),
        "h2 without a stream": (PREFACE, None),
        "half of h2's preface": (PREFACE[:12], None),
        "h2 with a head that does not end": (PREFACE + frame(1, 0, 1, FIELDS), lambda: frame(9, 0, 1, b"\x00\x01a\x01b")),
    }[what]
    connection.sendall(first)
    return connection, then


SLOW = [
    "nothing", "TLS alone", "a head, byte by byte", "many fields, one by one", "one request and no other", "a body, byte by byte",
    "chunks, byte by byte", "h2 without a stream", "half of h2's preface", "h2 with a head that does not end",
]


def test_slow_clients_are_not_waited_for(hasty):
    """[GATE-5]"""

    def seconds(what):
        connection, then = begun(hasty, what)
        with connection:
            return ended(connection, then)

    with concurrent.futures.ThreadPoolExecutor(len(SLOW)) as threads:
        times = dict(zip(SLOW, threads.map(lambda what: _caught(seconds, what), SLOW)))
    # A head of more than a few frames is refused before its time is over.
    least = {what: 0.0 if "head that does not end" in what else 0.5 for what in SLOW}
    assert not {what: time for what, time in times.items() if not (isinstance(time, float) and least[what] < time < 6)}


def _caught(act, *arguments):
    try:
        return act(*arguments)
    except AssertionError as error:
        return error


def test_a_slow_body_ends_its_stream_alone(hasty):
    """[GATE-5]"""
    with HTTP2(hasty) as client:
        client.send(frame(HEADERS, 4, 1, FIELDS + JSON))
        began = time.monotonic()
        client.connection.settimeout(0.1)
        ending = None
        while ending is None and time.monotonic() - began < PATIENCE:
            client.send(frame(DATA, 0, 1, b" "))
            with contextlib.suppress(TimeoutError):
                ending = client.until(RESET, GOAWAY)
        assert ending[0] == RESET and ending[2] == 1, ending
        client.connection.settimeout(PATIENCE)
        client.send(frame(HEADERS, 4, 3, FIELDS + JSON), frame(DATA, 1, 3, b"{}"))
        assert client.until(DATA, RESET, GOAWAY, stream=3)[0] == DATA


def connections(gateway):
    with urllib.request.urlopen(gateway.admin + "/metrics") as page:
        lines = [line for line in page.read().decode().splitlines() if line.startswith("gateway_connections ")]
    return float(lines[0].split(" ")[1])


def test_a_client_that_does_not_read_is_cut_off(hasty):
    """[GATE-5]"""
    until(lambda: connections(hasty) == 0)
    with hasty.connect() as connection:
        connection.settimeout(PATIENCE)
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40)
        until(lambda: connections(hasty) == 1)
        until(lambda: connections(hasty) == 0)


def test_a_client_of_http2_that_makes_no_room_loses_its_streams(hasty):
    """[GATE-5]"""
    with HTTP2(hasty, settings=struct.pack(">HI", 4, 0)) as client:
        for stream in (1, 3, 5):
            client.send(frame(HEADERS, 4, stream, FIELDS + JSON), frame(DATA, 1, stream, b"{}"))
        # A long answer, too.
        client.send(frame(HEADERS, 5, 7, b"\x82\x87\x44\x0d/openapi.json\x41\x09localhost"))
        assert {client.until(RESET)[2] for _ in range(4)} == {1, 3, 5, 7}


def test_a_client_that_takes_a_little_at_a_time_gets_it_all(hasty):
    """[GATE-5]"""
    size = len(hasty.curl("/openapi.json").body)
    assert size > 400_000
    with HTTP2(hasty, settings=struct.pack(">HI", 4, 70_000)) as client:
        client.send(frame(HEADERS, 5, 1, b"\x82\x87\x44\x0d/openapi.json\x41\x09localhost"))
        got, room, pauses = 0, 70_000, 0
        while got < size:
            kind, _, _, body = client.until(DATA, RESET, GOAWAY, stream=1)
            assert kind == DATA, (kind, got, size)
            got += len(body)
            if got == room and got < size:
                # Longer in all than a client may take nothing.
                if pauses < 3:
                    select.select([], [], [], 0.6)
                pauses += 1
                room += 70_000
                client.send(frame(8, 0, 1, struct.pack(">I", 70_000)))
        assert pauses >= 3


TRACKERS = "tandem.importer.v1.Trackers/ListTrackers"


@pytest.mark.parametrize("said,seconds", [((), 1.0), (("-H", "connect-timeout-ms: 300"), 0.3), (("-H", "connect-timeout-ms: 60000"), 2.0)])
def test_every_call_has_a_deadline(hasty, way, user, said, seconds):
    """[GATE-3] The client's, which is capped; else the gateway's."""
    assert hasty.call(TRACKERS, {}, token=user["token"]).status == 200
    with way.blocked():
        began = time.monotonic()
        answer = hasty.call(TRACKERS, {}, *said, token=user["token"])
        took = time.monotonic() - began
        grpc = hasty.curl(
            "/" + TRACKERS, "--http2", "-H", "content-type: application/grpc", "-H", "grpc-timeout: 200m", "--data-binary", "@/dev/stdin",
            "-H", f"authorization: Bearer {user['token']}", input=b"\0\0\0\0\0",
        )
    assert (answer.status, answer.json["code"]) == (504, "deadline_exceeded"), answer
    assert seconds - 0.05 <= took < seconds + 0.9, took
    assert grpc.fields["grpc-status"] == "4"


def test_the_usual_deadline_is_half_a_minute():
    """[GATE-3]"""
    listed = subprocess.run([programs() / "gateway", "config"], capture_output=True, text=True, check=False).stdout
    (line,) = [line for line in listed.splitlines() if line.split()[:1] == ["call-time"]]
    assert "30s" in line


def test_the_services_see_the_clients_own_address(suite, new_user):
    """[GATE-3]"""
    person = new_user("far")
    login = suite.call(
        "tandem.identity.v1.Accounts/Login", {"emailOrUsername": person["name"], "password": person["password"]},
        "--interface", "127.0.0.77", "-H", "x-forwarded-for: 203.0.113.9", "-H", "forwarded: for=203.0.113.9",
    )
    sessions = suite.call("tandem.identity.v1.Accounts/ListSessions", {}, token=login.json["accessToken"]).json["sessions"]
    assert "127.0.0.77" in json.dumps(sessions) and "203.0.113.9" not in json.dumps(sessions)


def test_the_end_of_a_gateway(suite, folder, user):
    """[GATE-5] What runs is answered, and everything is told to go."""
    with suite.another(folder) as gateway:
        one, idle = gateway.connect(), gateway.connect()
        one.sendall(HEAD + b"Content-Length: 2\r\n\r\n{")
        idle.sendall(WHOLE)
        first = b""
        while not first.endswith(b"}"):
            first += idle.recv(65536)
        with HTTP2(gateway) as client, WebSocket(gateway, "tandem.chat.v1.Chat/Connect") as chat:
            client.send(frame(HEADERS, 4, 1, FIELDS + JSON))
            # Its answer tells that the stream has begun.
            client.send(frame(HEADERS, 5, 3, b"\x82\x87\x44\x05/docs\x41\x09localhost"))
            assert client.until(HEADERS, stream=3)
            chat.send({"authorization": f"Bearer {user['token']}"})
            chat.send({"tag": "a", "open": {"conversationId": "01900000-0000-7000-8000-000000000000"}})
            chat.until(lambda message: message.get("tag") == "a")
            gateway.process.send_signal(signal.SIGTERM)
            assert client.until(GOAWAY)[3][4:8] == bytes(4)
            assert chat.closed() == 1001
            assert idle.recv(65536) == b""
            with pytest.raises(OSError):
                gateway.connect().close()
            one.sendall(b"}")
            answer = b""
            while piece := one.recv(65536):
                answer += piece
            assert answer.startswith(b"HTTP/1.1 200 ") and b"connection: close" in answer.lower()
            client.send(frame(DATA, 1, 1, b"{}"))
            assert client.until(DATA, RESET, stream=1)[0] == DATA
        assert gateway.process.wait(PATIENCE) == 0


def test_a_body_that_is_too_long_is_refused_before_its_end(suite):
    """[GATE-5]"""
    chunks = (b"10000\r\n" + b" " * 65_536 + b"\r\n") * 40
    for fields, body in ((b"Transfer-Encoding: chunked\r\n", chunks), (b"Content-Length: 10000000000\r\n", b" " * 2_600_000)):
        with suite.connect() as connection:
            connection.settimeout(PATIENCE)
            with contextlib.suppress(OSError):
                connection.sendall(HEAD + fields + b"\r\n" + body)
            assert b" 429 " in connection.recv(65536).split(b"\r\n")[0]

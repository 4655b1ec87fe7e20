"""What no honest client sends: refused with the protocol's own error, and others are served meanwhile."""

import base64
import gzip
import json
import socket
import struct
import time

import pytest
from http2 import GOAWAY, HEADERS, PREFACE, RESET, HTTP2, frame, hpack_text

PATH = "/tandem.identity.v1.Accounts/ListKeys"
HEAD = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()


@pytest.mark.parametrize(
    "fields",
    [
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
        b"Content-Length: 2\r\nContent-Length: 3\r\n",
        b"Content-Length: +2\r\n",
        b"Content-Length: 2\rX: y\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Bad Name: x\r\nContent-Length: 2\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 2, 2\r\n",
        b"Content-Length: 0x2\r\n",
        b"Content-Length : 2\r\n",
        b"Content-Length: 2\r\n continued\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        b"X: a\0b\r\nContent-Length: 2\r\n",
    ],
)
def test_smuggling_is_refused_and_the_connection_closed(suite, fields):
    answer = suite.ask(HEAD + fields + b"\r\n{}" + b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b" 200 " not in answer.split(b"\r\n")[0] and answer.count(b"HTTP/1.1 ") <= 1, answer[:300]


@pytest.mark.parametrize(
    "body",
    [
        b"2;a=b\rX\r\n{}\r\n0\r\n\r\n", b"2\n{}\n0\n\n", b"-2\r\n{}\r\n0\r\n\r\n", b"0x2\r\n{}\r\n0\r\n\r\n",
        b"fffffffffffffffff2\r\n{}\r\n0\r\n\r\n", b"2\r\n{}GET /smuggled HTTP/1.1\r\n", b"3\r\n{}\r\n0\r\n\r\n",
    ],
)
def test_chunks_that_are_none(suite, body):
    answer = suite.ask(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + body + b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b" 200 " not in answer.split(b"\r\n")[0] and answer.count(b"HTTP/1.1 ") <= 1, answer[:300]


@pytest.mark.parametrize("line", [b"POST  / HTTP/1.1", b"POST / HTTP/1.1 x", b"POST / HTTP/9.9", b"\0POST / HTTP/1.1", b"POST /\x80 HTTP/1.1", b"POST /a\rb HTTP/1.1"])
def test_request_lines_that_are_none(suite, line):
    answer = suite.ask(line + b"\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
    assert b" 200 " not in answer.split(b"\r\n")[0], answer[:300]


@pytest.mark.parametrize("bomb", [b"X: " + b"a" * 100_000 + b"\r\n", b"".join(b"X%d: y\r\n" % n for n in range(5_000))])
def test_header_bombs(suite, bomb):
    answer = suite.ask(HEAD + bomb + b"Content-Length: 2\r\n\r\n{}")
    assert b"200 OK" not in answer


@pytest.mark.parametrize(
    "body,status",
    [
        (b"[" * 10_000, 400),
        (b'{"a":' * 10_000, 400),
        (b'{"a":1,"a":2}', 200),
        (b"\xff", 400),
        (b'{"\xff":1}', 400),
        (b'{"a":"\\ud800"}', 400),
        (b"", 400),
        (b"null", 400),
        (b"{}{}", 400),
        (b'{"a":1e999999999}', 200),
    ],
)
def test_bad_json(suite, tmp_path, body, status):
    file = tmp_path / "body"
    file.write_bytes(body)
    answer = suite.curl(PATH, "-H", "content-type: application/json", "--data-binary", f"@{file}")
    assert answer.status == status, answer
    if status == 400:
        assert answer.json["code"] == "invalid_argument"


def test_duplicate_keys_and_big_numbers_of_known_fields(suite, tmp_path):
    for body in (b'{"pageSize":1,"pageSize":2}', b'{"pageSize":1,"page_size":2}', b'{"pageSize":9007199254740993}'):
        file = tmp_path / "body"
        file.write_bytes(body)
        answer = suite.curl(
            "/tandem.catalog.v1.Exercises/SearchExercises", "-H", "content-type: application/json", "--data-binary", f"@{file}"
        )
        assert answer.status == 400 and "page_size" in answer.json["message"], answer


def test_a_gzip_bomb_in_every_protocol(suite, tmp_path):
    bomb = gzip.compress(b" " * 200_000_000)
    file = tmp_path / "body"
    for kind, field, body in (
        ("application/json", "content-encoding", bomb),
        ("application/proto", "content-encoding", bomb),
        ("application/grpc-web-text", "grpc-encoding", base64.b64encode(struct.pack(">BI", 1, len(bomb)) + bomb)),
        ("application/grpc", "grpc-encoding", struct.pack(">BI", 1, len(bomb)) + bomb),
        ("application/grpc-web", "grpc-encoding", struct.pack(">BI", 1, len(bomb)) + bomb),
        ("application/grpc-web+json", "grpc-encoding", struct.pack(">BI", 1, len(bomb)) + bomb),
    ):
        file.write_bytes(body)
        began = time.monotonic()
        answer = suite.curl(PATH, "-H", f"content-type: {kind}", "-H", f"{field}: gzip", "--data-binary", f"@{file}")
        assert time.monotonic() - began < 5
        text = base64.b64decode(answer.body) if kind.endswith("text") else answer.body
        refused = answer.status == 429 or b"grpc-status: 8" in text or answer.fields.get("grpc-status") == "8"
        assert refused, answer


STREAM = "/grpc.health.v1.Health/Watch"


@pytest.mark.parametrize("codec", ["proto", "json"])
def test_a_gzip_bomb_in_a_connect_stream(suite, tmp_path, codec):
    bomb = gzip.compress(b" " * 200_000_000)
    file = tmp_path / "body"
    file.write_bytes(struct.pack(">BI", 1, len(bomb)) + bomb)
    began = time.monotonic()
    answer = suite.curl(
        STREAM, "-H", f"content-type: application/connect+{codec}", "-H", "connect-content-encoding: gzip", "--data-binary", f"@{file}"
    )
    assert time.monotonic() - began < 5
    assert answer.body[0] == 2 and json.loads(answer.body[5:])["error"]["code"] == "resource_exhausted", answer


LIES = [(b"\x00\xff\xff\xff\xff", 8, "resource_exhausted"), (b"\x00\x00\x00\x00\x09x", 3, "invalid_argument"), (b"\x42\x00\x00\x00\x00", 3, "invalid_argument")]


@pytest.mark.parametrize("body,code,name", LIES)
def test_lying_envelopes_of_the_web(suite, tmp_path, body, code, name):
    file = tmp_path / "body"
    for kind, sent in (("grpc-web", body), ("grpc-web-text", base64.b64encode(body))):
        file.write_bytes(sent)
        answer = suite.curl(PATH, "-H", f"content-type: application/{kind}", "--data-binary", f"@{file}")
        told = base64.b64decode(answer.body) if kind.endswith("text") else answer.body
        assert f"grpc-status: {code}".encode() in told or answer.fields.get("grpc-status") == str(code), answer
    file.write_bytes(body)
    answer = suite.curl(STREAM, "-H", "content-type: application/connect+json", "--data-binary", f"@{file}")
    assert answer.body[0] == 2 and json.loads(answer.body[5:])["error"]["code"] == name, answer


def test_lying_envelopes(suite, tmp_path):
    file = tmp_path / "body"
    for body, code in ((b"\x00\xff\xff\xff\xff", "8"), (b"\x00\x00\x00\x00\x09x", "3"), (b"\x42\x00\x00\x00\x00", "3")):
        file.write_bytes(body)
        answer = suite.curl(PATH, "--http2", "-H", "content-type: application/grpc", "--data-binary", f"@{file}")
        assert answer.fields.get("grpc-status") == code, answer


@pytest.mark.parametrize(
    "path",
    [
        "/tandem.identity.v1.Accounts%2FListKeys", "/tandem.identity.v1.Accounts//ListKeys", "/../etc/passwd",
        "/tandem.identity.v1.Accounts/ListKeys/", "/tandem.identity.v1.accounts/listkeys",
        "/tandem.events.v1.EventLog/Follow", "/tandem.identity.v1.Operators/FindUsers",
    ],
)
def test_paths_have_one_spelling(suite, path):
    answer = suite.curl(path, "--path-as-is", "-H", "content-type: application/json", "-d", "{}")
    assert answer.status == 404, answer
    assert answer.json["code"] == "unimplemented"


def test_a_client_that_leaves_in_the_middle(suite):
    for _ in range(20):
        with suite.connect() as connection:
            connection.sendall(HEAD + b"Content-Length: 1000\r\n\r\n{")


def test_expect_100_continue(suite):
    answer = suite.ask(HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\n") and b"HTTP/1.1 200 OK" in answer, answer[:300]


def test_keep_alive_and_pipelining(suite):
    one = HEAD + b"Content-Length: 2\r\n\r\n{}"
    answer = suite.ask(one * 3)
    assert answer.count(b"HTTP/1.1 200 OK") == 3, answer[:300]


# HPACK by the static table: POST, https, and a literal path and authority.
FIELDS = b"\x83\x87\x44" + bytes([len(PATH)]) + PATH.encode() + b"\x41\x09localhost"


def flooded(suite, frames, patience=10.0):
    """Whether the connection is closed on a client that sends these frames on and on."""
    with suite.connect("h2") as connection:
        connection.settimeout(0.01)
        end = time.monotonic() + patience
        try:
            connection.sendall(PREFACE)
            for piece in frames:
                connection.settimeout(5)
                connection.sendall(piece)
                connection.settimeout(0.0001)
                try:
                    if connection.recv(65536) == b"":
                        return True
                except (TimeoutError, BlockingIOError):
                    pass
                except OSError as error:
                    if "read operation timed out" not in str(error) and "did not complete" not in str(error):
                        raise
                if time.monotonic() > end:
                    return False
            connection.settimeout(3)
            while connection.recv(65536):
                pass
            return True
        except TimeoutError:
            return False
        except OSError:
            return True


def test_rapid_reset(suite):
    pieces = (frame(1, 4, 2 * n + 1, FIELDS) + frame(3, 0, 2 * n + 1, struct.pack(">I", 8)) for n in range(5_000))
    assert flooded(suite, pieces)


def test_settings_flood(suite):
    assert flooded(suite, (frame(4, 0, 0) * 50 for _ in range(2_000)))


def test_ping_flood(suite):
    assert flooded(suite, (frame(6, 0, 0, b"12345678") * 50 for _ in range(2_000)))


def test_continuation_flood(suite):
    def pieces():
        yield frame(1, 0, 1, FIELDS)
        for _ in range(10_000):
            yield frame(9, 0, 1, b"\x00\x01a\x01b")

    assert flooded(suite, pieces())


def test_an_hpack_bomb(suite):
    # One long field is put into the table, then named again and again by a byte.
    field = b"\x40\x01a\x7f\x81\x1e" + b"x" * 4_000
    assert flooded(suite, iter([frame(1, 4, 1, FIELDS + field + b"\xbe" * 10_000)]))


def test_empty_data_flood(suite):
    def pieces():
        yield frame(1, 4, 1, FIELDS + b"\x5f\x10application/grpc")
        for _ in range(5_000):
            yield frame(0, 0, 1)

    assert flooded(suite, pieces())


def test_streams_that_are_reset_leave_the_others_of_their_connection_alone(suite):
    fields = FIELDS + b"\x5f\x10application/json"
    with suite.connect("h2") as connection:
        connection.settimeout(10)
        connection.sendall(PREFACE + frame(1, 4, 1, fields))
        for number in range(60):
            stream = 2 * number + 3
            # Some are reset before they are called, some while their answers are on the way.
            connection.sendall(frame(1, 4, stream, fields))
            if number % 2:
                connection.sendall(frame(0, 1, stream, b"{}"))
            connection.sendall(frame(3, 0, stream, struct.pack(">I", 8)))
        connection.sendall(frame(0, 1, 1, b"{}"))
        received, answer = b"", b""
        while b"keys" not in answer:
            while len(received) >= 9 and len(received) >= 9 + (size := int.from_bytes(received[:3])):
                if received[3] == 0 and int.from_bytes(received[5:9]) == 1:
                    answer += received[9:9 + size]
                received = received[9 + size:]
            if b"keys" not in answer:
                piece = connection.recv(65536)
                assert piece, (received, answer)
                received += piece


USUAL = [(":method", "POST"), (":scheme", "https"), (":path", PATH), (":authority", "localhost")]
TYPE = ("content-type", "application/json")


@pytest.mark.parametrize(
    "fields",
    [
        USUAL + [("Content-Type", "application/json")], USUAL + [TYPE, ("connection", "close")],
        USUAL + [TYPE, ("transfer-encoding", "chunked")], USUAL + [TYPE, ("te", "gzip")], USUAL + [TYPE, ("content-length", "5")],
        USUAL + [TYPE, ("content-length", "2"), ("content-length", "3")], USUAL + [TYPE, ("x", "a\r\nb: c")], USUAL + [TYPE, ("x", "a\0b")],
        USUAL + [TYPE, (":method", "POST")], USUAL + [(":status", "200"), TYPE], [TYPE] + USUAL, USUAL[:2] + USUAL[3:] + [TYPE],
        [(":method", "POST"), (":scheme", "https"), (":path", ""), (":authority", "localhost"), TYPE], USUAL[1:] + [TYPE],
        USUAL + [(":path", "/docs"), TYPE], USUAL + [TYPE, ("host", "evil.example")], USUAL[:3] + [TYPE], USUAL + [TYPE, ("x", "a" * 40_000)],
        USUAL + [TYPE] + [(f"x{number}", "y" * 20) for number in range(1_000)],
    ],
)
def test_requests_of_http2_that_are_none(suite, fields):
    block = b"".join(b"\0" + hpack_text(name) + hpack_text(value) for name, value in fields)
    pieces = [block[start : start + 16_000] for start in range(0, len(block), 16_000)]
    with HTTP2(suite) as client:
        try:
            for number, piece in enumerate(pieces):
                last = 4 if number == len(pieces) - 1 else 0
                client.send(frame(9 if number else 1, last, 1, piece))
            client.send(frame(0, 1, 1, b"{}"))
        except OSError:
            return
        answer = client.until(HEADERS, RESET, GOAWAY)
        # 200 is a field of HPACK's static table.
        assert answer is None or answer[0] != HEADERS or answer[3][:1] != b"\x88", answer


def test_data_on_a_stream_that_was_reset_ends_the_connection(suite):
    reset = frame(1, 4, 1, FIELDS) + frame(3, 0, 1, struct.pack(">I", 8))
    assert flooded(suite, iter([reset + frame(0, 1, 1, b"{}")]))


def test_plain_http_to_the_port_of_tls(suite):
    with socket.create_connection((suite.host, suite.port), timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        connection.settimeout(5)
        try:
            assert b"200 OK" not in connection.recv(65536)
        except ConnectionResetError:
            pass


def test_old_tls_is_refused_and_12_and_13_are_not(suite):
    assert suite.curl(PATH, "--tlsv1.3", "-H", "content-type: application/json", "-d", "{}").status == 200
    answer = suite.curl(PATH, "--tls-max", "1.2", "-H", "content-type: application/json", "-d", "{}")
    assert answer.status == 200
    assert json.loads(answer.body)["keys"]

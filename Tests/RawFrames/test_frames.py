"""Frames: how their bytes arrive, how long they may be, which types there are."""

import random
import time

import pytest

from frames import (
    DATA, INVALID_ARGUMENT, MAXIMUM, NO_DATA, NOT_ACTIVE, REMOTE_CLOSED, REMOTE_OPEN, REQUEST,
    RESOURCE_EXHAUSTED, RESPONSE, UNIMPLEMENTED, envelope, frame, text, too_long,
)


def padded(method, length):
    """An echo Request envelope of exactly this many bytes, and the value inside."""
    value = "x" * (length - len(envelope(method, text("x" * (length - 100)))) + length - 100)
    body = envelope(method, text(value))
    assert len(body) == length
    return body, value


def test_header_in_pieces(connection):
    body = envelope("Unary", text("in pieces"))
    whole = frame(1, REQUEST, body)
    for piece in (whole[:4], whole[4:8], whole[8:9], whole[9:10], whole[10:]):
        connection.send(piece)
        # So that most arrive in reads of their own; the answer is the same if they do not.
        time.sleep(0.02)
    assert connection.answer(1).value == "in pieces"


def test_byte_at_a_time(connection):
    for byte in frame(1, REQUEST, envelope("Unary", text("slowly"))):
        connection.send(bytes([byte]))
        # So that most arrive in reads of their own; the answer is the same if they do not.
        time.sleep(0.001)
    assert connection.answer(1).value == "slowly"


def test_many_frames_in_one_write(connection):
    streams = range(1, 401, 2)
    connection.send(b"".join(frame(s, REQUEST, envelope("Unary", text(s))) for s in streams))
    answers = connection.answers(len(streams))
    assert {stream: answer.value for stream, answer in answers.items()} == {s: str(s) for s in streams}


@pytest.mark.parametrize("seed", range(5))
def test_frames_cut_anywhere(connection, seed):
    chance = random.Random(seed)
    streams = range(1, 101, 2)
    values = {s: "v" * chance.choice([0, 1, 7, 500, 20_000]) for s in streams}
    data = b"".join(frame(s, REQUEST, envelope("Unary", text(values[s]))) for s in streams)
    while data:
        cut = chance.choice([1, 3, 9, 10, 11, 100, 5_000, 60_000])
        connection.send(data[:cut])
        data = data[cut:]
    answers = connection.answers(len(streams))
    assert {stream: answer.value for stream, answer in answers.items()} == values


def test_zero_length_request_names_no_service(connection):
    stream = connection.stream()
    connection.send(frame(stream, REQUEST))
    answer = connection.answer(stream)
    assert answer.code == UNIMPLEMENTED and answer.message
    assert connection.works()


def test_zero_length_data_on_an_unknown_stream(connection):
    stream = connection.stream()
    connection.send(frame(stream, DATA))
    answer = connection.answer(stream)
    assert (answer.code, answer.message) == (INVALID_ARGUMENT, NOT_ACTIVE)
    assert connection.works()


def test_longest_request_is_accepted(connection):
    body, value = padded("Unary", MAXIMUM)
    connection.send(frame(1, REQUEST, body))
    assert connection.answer(1).value == value


@pytest.mark.parametrize("excess", [1, 2, 65_536, MAXIMUM])
def test_longer_is_discarded_and_refused(connection, excess):
    stream = connection.stream()
    connection.send(frame(stream, REQUEST, bytes(MAXIMUM + excess)))
    answer = connection.answer(stream)
    assert (answer.code, answer.message) == (RESOURCE_EXHAUSTED, too_long(MAXIMUM + excess))
    assert connection.works()


def test_longer_data_is_refused_in_the_same_way(connection):
    stream = connection.stream()
    connection.send(frame(stream, DATA, bytes(MAXIMUM + 1)))
    answer = connection.answer(stream)
    assert (answer.code, answer.message) == (RESOURCE_EXHAUSTED, too_long(MAXIMUM + 1))
    assert connection.works()


def test_longer_in_small_pieces_keeps_its_neighbours(connection):
    before, refused, after = connection.stream(), connection.stream(), connection.stream()
    data = frame(before, REQUEST, envelope("Unary", text("before")))
    data += frame(refused, REQUEST, b"\xff" * (MAXIMUM + 1))
    data += frame(after, REQUEST, envelope("Unary", text("after")))
    for start in range(0, len(data), 9_973):
        connection.send(data[start:start + 9_973])
    answers = connection.answers(3)
    assert (answers[before].value, answers[after].value) == ("before", "after")
    assert answers[refused].code == RESOURCE_EXHAUSTED


def test_announcing_four_gibibytes_is_disconnected(connect):
    greedy, neighbour = connect(), connect()
    greedy.send(frame(1, REQUEST, b"\0" * 1000, length=0xFFFF_FFFF))
    for answer in greedy.rest():
        assert (answer.stream, answer.code, answer.message) == (1, RESOURCE_EXHAUSTED, too_long(0xFFFF_FFFF))
    assert neighbour.works()


@pytest.mark.parametrize("kind", [0, 4, 99, 255])
def test_unknown_type_is_ignored(connection, kind):
    connection.send(frame(1, kind, b"whatever") + frame(1, kind))
    assert connection.works()


def test_response_from_a_client_is_ignored(connection):
    running = connection.start("Sleep", 200)
    connection.send(frame(running, RESPONSE, b"") + frame(running + 100, RESPONSE, b"\xff\xff"))
    assert connection.answer(running).value == "slept"


@pytest.mark.parametrize("flags", [REMOTE_CLOSED, REMOTE_OPEN, NO_DATA, REMOTE_OPEN | NO_DATA, 0x05, 0xFF])
def test_flags_of_a_unary_request_do_not_matter(connection, flags):
    stream = connection.start("Unary", "flagged", flags=flags)
    assert connection.answer(stream).value == "flagged"


def test_answers_carry_no_flags(connection):
    answer = connection.call("Unary", "plain")
    assert (answer.kind, answer.flags) == (RESPONSE, 0)


def test_connection_closed_inside_a_frame(connect):
    for cut in (1, 9, 10, 11, 20):
        broken = connect()
        broken.send(frame(1, REQUEST, envelope("Unary", text("never finished")))[:cut])
        broken.half_close()
        assert broken.rest() == []


GARBAGE = {
    "http": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "tls": bytes.fromhex("16030100a5010000a10303") + bytes(160),
    "http2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "zeros": bytes(4096),
    "ones": b"\xff" * 4096,
    "noise": random.Random(7).randbytes(65_536),
}


@pytest.mark.parametrize("kind", sorted(GARBAGE))
def test_garbage_hurts_only_its_own_connection(connect, kind):
    garbage, neighbour = connect(), connect()
    running = neighbour.start("Sleep", 200)
    try:
        garbage.send(GARBAGE[kind])
        garbage.half_close()
    except (BrokenPipeError, ConnectionResetError, OSError):
        pass  # the server has hung up already
    garbage.rest()
    assert neighbour.answer(running).value == "slept"
    assert neighbour.works()


@pytest.mark.parametrize("seed", range(20))
def test_damaged_request_hurts_only_its_own_connection(connect, seed):
    chance = random.Random(seed)
    damaged, neighbour = connect(), connect()
    data = bytearray(b"".join(frame(s, REQUEST, envelope("Unary", text("fine" * s))) for s in range(1, 41, 2)))
    for _ in range(10):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        damaged.send(bytes(data))
        damaged.half_close()
    except OSError:
        pass  # the server has hung up already
    damaged.rest()
    assert neighbour.works()



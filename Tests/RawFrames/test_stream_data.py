"""Data frames of streams that run: messages, half-close, what may not follow it, and giving up."""

import random
import time

import pytest

from frames import (
    DATA, INVALID_ARGUMENT, MAXIMUM, NO_DATA, NOT_ACTIVE, REMOTE_CLOSED, REMOTE_OPEN, REQUEST, RESOURCE_EXHAUSTED,
    RESPONSE, envelope, frame, text, too_long,
)

ABANDONMENT = b"\x07"
DEAF = "echo.v1.Deaf"


def refusal(answer):
    return answer.kind, answer.code, answer.message


HALF_CLOSES = {
    "closed without data": (b"", REMOTE_CLOSED | NO_DATA),
    "closed with nothing": (b"", REMOTE_CLOSED),
    "closed without data, bytes ignored": (b"\xff\xff", REMOTE_CLOSED | NO_DATA),
}


@pytest.mark.parametrize("form", sorted(HALF_CLOSES))
def test_half_close_ends_the_messages(connection, form):
    body, flags = HALF_CLOSES[form]
    collect, chat = connection.open("Collect"), connection.open("Chat")
    for stream in (collect, chat):
        connection.data(stream, "one", "two")
        connection.send(frame(stream, DATA, body, flags))
        got = connection.messages(stream) if stream == chat else connection.answer(stream).value.split(",")
        assert got == ["one", "two"]
    assert connection.works()


def test_half_close_with_a_message_delivers_it_first(connection):
    collect = connection.open("Collect")
    connection.data(collect, "one")
    connection.data(collect, "last", flags=REMOTE_CLOSED)
    assert connection.answer(collect).value == "one,last"
    chat = connection.open("Chat")
    connection.data(chat, "last", flags=REMOTE_CLOSED)
    assert connection.messages(chat) == ["last"]


def test_data_after_the_half_close_is_refused(connection):
    stream = connection.open("Expand", text("v:16000000"), REMOTE_CLOSED)
    connection.data(stream, "too late")
    while (got := connection.receive()).kind == DATA:
        assert not got.is_good_end
    assert refusal(got) == (RESPONSE, INVALID_ARGUMENT, NOT_ACTIVE)
    assert connection.works()


def test_data_after_an_own_half_close_is_refused(connection):
    stream = connection.open("Wait", service=DEAF)
    connection.data(stream, "in time", flags=REMOTE_CLOSED)
    connection.data(stream, "too late")
    assert refusal(connection.answer(stream)) == (RESPONSE, INVALID_ARGUMENT, NOT_ACTIVE)
    assert connection.works()


def test_half_close_twice_is_refused(connection):
    stream = connection.open("Wait", service=DEAF)
    connection.finish(stream)
    connection.finish(stream)
    assert refusal(connection.answer(stream)) == (RESPONSE, INVALID_ARGUMENT, NOT_ACTIVE)
    assert connection.works()


@pytest.mark.parametrize("body", [b"", text("more")])
@pytest.mark.parametrize("flags", [0, REMOTE_CLOSED | NO_DATA])
def test_data_after_the_servers_end_is_refused(connection, body, flags):
    stream = connection.open("Chat")
    connection.finish(stream)
    assert connection.messages(stream) == []
    connection.send(frame(stream, DATA, body, flags))
    assert refusal(connection.answer(stream)) == (RESPONSE, INVALID_ARGUMENT, NOT_ACTIVE)
    assert connection.works()


def test_messages_keep_their_order(connection):
    chance = random.Random(3)
    values = [f"{index}:" + "x" * chance.choice([0, 1, 100, 5_000]) for index in range(2_000)]
    stream = connection.open("Collect")
    data = b"".join(frame(stream, DATA, text(value)) for value in values)
    while data:
        cut = chance.choice([1, 9, 10, 11, 1_000, 70_000])
        connection.send(data[:cut])
        data = data[cut:]
    connection.finish(stream)
    assert connection.answer(stream).value == ",".join(values)


def test_last_message_and_end_are_never_lost(connection):
    for index in range(300):
        stream = connection.open("Chat")
        connection.data(stream, index, flags=REMOTE_CLOSED)
        assert connection.messages(stream) == [str(index)]


def test_empty_messages_are_messages(connection):
    chat = connection.open("Chat")
    connection.send(frame(chat, DATA, b"") * 2)
    connection.data(chat, "full")
    connection.send(frame(chat, DATA, b""))
    connection.finish(chat)
    assert connection.messages(chat) == ["", "", "full", ""]
    collect = connection.open("Collect")
    connection.send(frame(collect, DATA, b"") * 3)
    connection.finish(collect)
    assert connection.answer(collect).value == ",,"


@pytest.mark.parametrize("body", [b"", b"\xff\xff\xff", text("unseen")])
@pytest.mark.parametrize("flags", [NO_DATA, NO_DATA | REMOTE_OPEN])
def test_data_without_data_is_no_message(connection, body, flags):
    stream = connection.open("Chat")
    connection.data(stream, "before")
    connection.send(frame(stream, DATA, body, flags))
    connection.data(stream, "after")
    connection.finish(stream)
    assert connection.messages(stream) == ["before", "after"]


@pytest.mark.parametrize("flags", [REMOTE_OPEN, 0x80, 0xF8])
def test_flags_without_meaning_are_ignored(connection, flags):
    stream = connection.open("Chat")
    connection.data(stream, "one", flags=flags)
    connection.finish(stream)
    assert connection.messages(stream) == ["one"]


@pytest.mark.parametrize("kind", [RESPONSE, 0, 4, 255])
def test_other_frames_on_a_running_stream_are_ignored(connection, kind):
    stream = connection.open("Chat")
    connection.send(frame(stream, kind, b"\xff\xff", REMOTE_CLOSED))
    connection.data(stream, "goes on")
    connection.finish(stream)
    assert connection.messages(stream) == ["goes on"]


def test_stream_a_byte_at_a_time(connection):
    stream = connection.stream()
    data = frame(stream, REQUEST, envelope("Chat"), REMOTE_OPEN | NO_DATA)
    data += frame(stream, DATA, text("slowly")) + frame(stream, DATA, b"", REMOTE_CLOSED | NO_DATA)
    for byte in data:
        connection.send(bytes([byte]))
        # So that most arrive in reads of their own; the answer is the same if they do not.
        time.sleep(0.001)
    assert connection.messages(stream) == ["slowly"]


def test_header_of_data_in_pieces(connection):
    stream = connection.open("Chat")
    whole = frame(stream, DATA, text("in pieces"))
    for piece in (whole[:4], whole[4:8], whole[8:9], whole[9:10], whole[10:]):
        connection.send(piece)
        # So that most arrive in reads of their own; the answer is the same if they do not.
        time.sleep(0.005)
    assert connection.message(stream) == "in pieces"
    connection.finish(stream)
    assert connection.messages(stream) == []


@pytest.mark.parametrize("seed", range(3))
def test_interleaved_streams_keep_apart(connection, seed):
    chance = random.Random(seed)
    left = {connection.open("Chat"): [f"{n}/{index}" for index in range(50)] for n in range(40)}
    expected = {stream: list(values) for stream, values in left.items()}
    data = bytearray()
    while left:
        stream = chance.choice(list(left))
        data += frame(stream, DATA, text(left[stream].pop(0)))
        if not left[stream]:
            data += frame(stream, DATA, b"", REMOTE_CLOSED | NO_DATA)
            del left[stream]
    connection.send(bytes(data))
    got, ended = {stream: [] for stream in expected}, set()
    while len(ended) < len(expected):
        answer = connection.receive()
        assert answer.kind == DATA and answer.stream not in ended
        if answer.is_good_end:
            ended.add(answer.stream)
        else:
            got[answer.stream].append(answer.value)
    assert got == expected


@pytest.mark.parametrize("body", [b"\xff\xff\xff", b"\x0a\x7fshort", b"\x0a\x02\xc3\x28"])
@pytest.mark.parametrize("method", ["Collect", "Chat"])
def test_malformed_message_ends_its_stream_only(connection, method, body):
    neighbour, broken = connection.open("Chat"), connection.open(method)
    connection.send(frame(broken, DATA, body))
    answer = connection.answer(broken)
    assert answer.code == INVALID_ARGUMENT
    assert len(answer.detail("google.rpc.BadRequest").field_violations) == 1
    connection.data(neighbour, "unharmed")
    assert connection.message(neighbour) == "unharmed"
    connection.data(broken, "too late")
    assert refusal(connection.answer(broken)) == (RESPONSE, INVALID_ARGUMENT, NOT_ACTIVE)


def test_longest_message_is_accepted(connection):
    value = "x" * (MAXIMUM - 5)
    assert len(text(value)) == MAXIMUM
    stream = connection.open("Chat")
    connection.data(stream, value)
    assert connection.message(stream) == value


@pytest.mark.parametrize("method", ["Collect", "Chat"])
def test_longer_message_ends_its_stream_only(connection, method):
    neighbour, refused = connection.open("Chat"), connection.open(method)
    connection.send(frame(refused, DATA, bytes(MAXIMUM + 1)))
    assert refusal(connection.answer(refused)) == (RESPONSE, RESOURCE_EXHAUSTED, too_long(MAXIMUM + 1))
    connection.data(refused, "too late")
    assert refusal(connection.answer(refused)) == (RESPONSE, INVALID_ARGUMENT, NOT_ACTIVE)
    connection.data(neighbour, "unharmed")
    assert connection.message(neighbour) == "unharmed"


def test_longer_data_ends_a_unary_call_once(connection):
    running = connection.start("Sleep", 100)
    connection.send(frame(running, DATA, bytes(MAXIMUM + 1)))
    assert connection.answer(running).code == RESOURCE_EXHAUSTED
    assert connection.call("Sleep", 200).value == "slept"


def test_abandonment_cancels_without_an_answer(connection):
    stream = connection.open("Chat")
    connection.data(stream, "one")
    assert connection.message(stream) == "one"
    connection.send(frame(stream, DATA, ABANDONMENT))
    assert connection.works()
    connection.data(stream, "too late")
    assert refusal(connection.answer(stream)) == (RESPONSE, INVALID_ARGUMENT, NOT_ACTIVE)


def test_abandonment_stops_a_servers_stream(connection):
    stream = connection.open("Expand", text("v:16000000"), REMOTE_CLOSED)
    assert connection.message(stream) == "v:16000000/0"
    connection.send(frame(stream, DATA, ABANDONMENT))
    other = connection.start("Unary", "after")
    while (got := connection.receive()).stream == stream:
        assert got.kind == DATA and not got.is_good_end
    assert (got.stream, got.value) == (other, "after")
    assert connection.works()


def test_abandonment_after_the_half_close(connection):
    stream = connection.open("Wait", service=DEAF)
    connection.finish(stream)
    connection.send(frame(stream, DATA, ABANDONMENT))
    assert connection.works()


def test_unread_stream_is_refused_while_calls_go_on(connection):
    stream = connection.open("Wait", service=DEAF)
    message = frame(stream, DATA, text("x" * 60_000))
    for _ in range(200):
        connection.send(message)
        other = connection.start("Unary", "beside")
        got = connection.receive()
        if got.stream == stream:
            break
        assert (got.stream, got.value) == (other, "beside")
    assert (got.stream, got.kind, got.code) == (stream, RESPONSE, RESOURCE_EXHAUSTED)
    assert got.detail("google.rpc.ErrorInfo").reason == "RECEIVE_BUFFER_FULL"
    assert connection.answer(other).value == "beside"
    assert connection.works()


def test_stream_that_its_client_does_not_read_slows_no_other_connection(connect):
    deaf, neighbour = connect(), connect()
    stream = deaf.open("Expand", text("v:100000"), REMOTE_CLOSED)
    for _ in range(20):
        assert neighbour.works()
    assert len(deaf.messages(stream)) == 100_000


def test_going_away_cancels_streams(server, connect):
    assert connect().works()
    before = server.open_files
    for leave in ("half_close", "reset"):
        leaving = connect()
        for _ in range(20):
            leaving.open("Chat")
            leaving.open("Wait", service=DEAF)
        assert leaving.works()
        getattr(leaving, leave)()
        if leave == "half_close":
            assert leaving.rest() == []
            leaving.close()
    end = time.monotonic() + 5
    while server.open_files > before and time.monotonic() < end:
        # The server closes them in its own time and says so to nobody; the assertion below decides.
        time.sleep(0.02)
    assert server.open_files <= before

"""Starting a stream: what the Request's flags and payload mean, by the kind of its method."""

import pytest

from frames import (
    DATA, DEADLINE_EXCEEDED, INVALID_ARGUMENT, NO_DATA, REMOTE_CLOSED, REMOTE_OPEN, REQUEST, RESPONSE, UNIMPLEMENTED,
    envelope, frame, text,
)

OURS = REMOTE_OPEN | NO_DATA
GOS = REMOTE_OPEN
STREAMING = ["Collect", "Chat"]


def outcome(connection, method, stream):
    """The messages that the server says it got."""
    if method == "Chat":
        return connection.messages(stream)
    value = connection.answer(stream).value
    return value.split(",") if value else []


@pytest.mark.parametrize("flags", [REMOTE_CLOSED, REMOTE_CLOSED | NO_DATA, 0, REMOTE_OPEN, OURS])
@pytest.mark.parametrize("value", ["v", "v:5", ""])
def test_server_stream_takes_its_payload_whatever_the_flags(connection, flags, value):
    stream = connection.open("Expand", text(value), flags)
    count = 5 if value == "v:5" else 3
    assert connection.messages(stream) == [f"{value}/{index}" for index in range(count)]
    assert connection.works()


@pytest.mark.parametrize("flags", [0, REMOTE_CLOSED, REMOTE_OPEN, OURS])
def test_a_unary_method_is_unary_whatever_the_flags(connection, flags):
    stream = connection.open("Unary", text("plain"), flags)
    assert connection.answer(stream).value == "plain"


@pytest.mark.parametrize("flags", [OURS, GOS, 0])
@pytest.mark.parametrize("method", STREAMING)
def test_no_payload_is_no_message(connection, method, flags):
    stream = connection.open(method, b"", flags)
    connection.data(stream, "one", "two")
    connection.finish(stream)
    assert outcome(connection, method, stream) == ["one", "two"]
    assert connection.works()


@pytest.mark.parametrize("flags", [OURS, GOS, 0])
@pytest.mark.parametrize("method", STREAMING)
def test_a_payload_is_the_first_message(connection, method, flags):
    stream = connection.open(method, text("zero"), flags)
    connection.data(stream, "one")
    connection.finish(stream)
    assert outcome(connection, method, stream) == ["zero", "one"]


@pytest.mark.parametrize("method", STREAMING)
def test_a_request_that_closes_has_one_message(connection, method):
    stream = connection.open(method, text("only"), REMOTE_CLOSED)
    assert outcome(connection, method, stream) == ["only"]


@pytest.mark.parametrize("flags", [REMOTE_CLOSED, REMOTE_CLOSED | NO_DATA])
@pytest.mark.parametrize("method", STREAMING)
def test_a_request_that_closes_without_payload_has_none(connection, method, flags):
    stream = connection.open(method, b"", flags)
    assert outcome(connection, method, stream) == []


@pytest.mark.parametrize("method", STREAMING)
def test_a_whole_stream_in_one_write(connection, method):
    stream = connection.stream()
    values = [f"value {index}" for index in range(200)]
    connection.send(
        frame(stream, REQUEST, envelope(method), OURS)
        + b"".join(frame(stream, DATA, text(value)) for value in values)
        + frame(stream, DATA, b"", REMOTE_CLOSED | NO_DATA))
    assert outcome(connection, method, stream) == values


@pytest.mark.parametrize("flags", [REMOTE_CLOSED, GOS, OURS])
def test_unknown_method_is_refused_by_a_response(connection, flags):
    stream = connection.open("NoSuchStream", b"", flags)
    assert connection.answer(stream).code == UNIMPLEMENTED
    assert connection.works()


@pytest.mark.parametrize("method", ["Expand", "Collect", "Chat"])
def test_malformed_first_message_is_refused_by_a_response(connection, method):
    stream = connection.open(method, b"\x0a\x7fshort", GOS)
    answer = connection.answer(stream)
    assert answer.code == INVALID_ARGUMENT
    assert answer.detail("google.rpc.BadRequest").field_violations
    assert connection.works()


@pytest.mark.parametrize("method", ["Expand", "Collect", "Chat"])
def test_deadline_that_has_passed(connection, method):
    stream = connection.open(method, text("late"), GOS, timeout_nano=-1)
    assert connection.answer(stream).code == DEADLINE_EXCEEDED
    assert connection.works()


@pytest.mark.parametrize("method", STREAMING)
def test_deadline_that_passes(connection, method):
    stream = connection.open(method, timeout_nano=50_000_000)
    answer = connection.answer(stream)
    assert (answer.kind, answer.code) == (RESPONSE, DEADLINE_EXCEEDED)
    assert connection.works()


def test_thousand_streams_open_at_once(connection):
    streams = [connection.open("Chat") for _ in range(1_000)]
    for stream in reversed(streams):
        connection.data(stream, stream)
        connection.finish(stream)
    for stream in reversed(streams):
        assert connection.messages(stream) == [str(stream)]

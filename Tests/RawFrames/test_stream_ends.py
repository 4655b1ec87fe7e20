"""How streams end: well by a Data frame or one Response, by the kind of the method; badly by a Response, always."""

import pytest

from frames import (
    DATA, FAILED_PRECONDITION, INVALID_ARGUMENT, MAXIMUM, NO_DATA, REMOTE_CLOSED, RESPONSE, RESOURCE_EXHAUSTED, text,
)


def everything(connection, *streams):
    """All frames of these streams that come before the answer to a later call, which is sent once they have ended."""
    found = []
    while len({got.stream for got in found if got.kind == RESPONSE or got.is_good_end}) < len(streams):
        found.append(connection.receive())
    later = connection.start("Sleep", 30)
    while (got := connection.receive()).stream != later:
        found.append(got)
    assert got.value == "slept"
    return found


@pytest.mark.parametrize("count", [0, 1, 3, 1_000])
def test_servers_stream_ends_with_data_and_never_a_response(connection, count):
    stream = connection.open("Expand", text(f"v:{count}"), REMOTE_CLOSED)
    frames = everything(connection, stream)
    assert [(f.kind, f.flags) for f in frames] == [(DATA, 0)] * count + [(DATA, REMOTE_CLOSED | NO_DATA)]
    assert frames[-1].is_good_end
    assert [f.value for f in frames[:-1]] == [f"v:{count}/{index}" for index in range(count)]


@pytest.mark.parametrize("values", [[], ["one"], ["one", "", "three"]])
def test_bidirectional_stream_ends_with_data_and_never_a_response(connection, values):
    stream = connection.open("Chat")
    connection.data(stream, *values)
    connection.finish(stream)
    frames = everything(connection, stream)
    assert [f.kind for f in frames] == [DATA] * (len(values) + 1)
    assert frames[-1].is_good_end


@pytest.mark.parametrize("values", [[], ["one", "two"]])
def test_clients_stream_ends_with_one_response(connection, values):
    stream = connection.open("Collect")
    connection.data(stream, *values)
    connection.finish(stream)
    frames = everything(connection, stream)
    assert [(f.kind, f.flags, f.code) for f in frames] == [(RESPONSE, 0, 0)]
    assert frames[0].value == ",".join(values)
    assert not frames[0].response.HasField("status")
    assert values or frames[0].body == b""


def test_failure_after_messages_is_a_response(connection):
    stream = connection.open("ExpandFail", text("why"), REMOTE_CLOSED)
    message, failure = everything(connection, stream)
    assert (message.kind, message.flags, message.value) == (DATA, 0, "one")
    assert (failure.kind, failure.flags) == (RESPONSE, 0)
    assert (failure.code, failure.message) == (FAILED_PRECONDITION, "fail: why")
    assert failure.detail("google.protobuf.StringValue").value == "detail why"
    assert failure.response.payload == b""


def test_failure_before_messages_is_a_response(connection):
    stream = connection.open("Expand", text("v:many"), REMOTE_CLOSED)
    (failure,) = everything(connection, stream)
    assert (failure.kind, failure.code) == (RESPONSE, INVALID_ARGUMENT)


def test_answer_of_a_clients_stream_that_is_too_long_is_a_failure(connection):
    stream = connection.open("Collect")
    connection.data(stream, "x" * (MAXIMUM // 2), "x" * (MAXIMUM // 2))
    connection.finish(stream)
    (failure,) = everything(connection, stream)
    assert (failure.kind, failure.code) == (RESPONSE, RESOURCE_EXHAUSTED)


def test_streams_that_end_leave_room_for_others(connection):
    for _ in range(20):
        streams = [connection.open("Chat") for _ in range(300)]
        for stream in streams:
            connection.finish(stream)
        ended = [connection.receive() for _ in streams]
        assert sorted(f.stream for f in ended) == streams and all(f.is_good_end for f in ended)

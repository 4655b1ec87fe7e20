"""Stream ids, and Data frames where no stream takes any."""

import pytest

from frames import (
    DATA, INVALID_ARGUMENT, MUST_BE_ODD, MUST_INCREMENT, NO_DATA, NOT_ACTIVE, REMOTE_CLOSED, REMOTE_OPEN, REQUEST,
    envelope, frame, text,
)


def request(stream, value="value"):
    return frame(stream, REQUEST, envelope("Unary", text(value)))


def refusal(answer):
    return answer.code, answer.message


@pytest.mark.parametrize("stream", [0, 2, 4, 0xFFFF_FFFE])
def test_even_id_is_refused(connection, stream):
    connection.send(request(stream))
    assert refusal(connection.answer(stream)) == (INVALID_ARGUMENT, MUST_BE_ODD)
    assert connection.works()


@pytest.mark.parametrize("kind", [DATA, 99])
def test_even_id_is_refused_whatever_the_frame(connection, kind):
    connection.send(frame(2, kind, b"anything"))
    assert refusal(connection.answer(2)) == (INVALID_ARGUMENT, MUST_BE_ODD)
    assert connection.works()


def test_even_id_does_not_count_as_the_last(connection):
    connection.send(request(100) + request(1, "first"))
    answers = connection.answers(2)
    assert refusal(answers[100]) == (INVALID_ARGUMENT, MUST_BE_ODD)
    assert answers[1].value == "first"


def test_id_used_twice_is_refused(connection):
    connection.send(request(5, "once"))
    assert connection.answer(5).value == "once"
    connection.send(request(5, "twice"))
    assert refusal(connection.answer(5)) == (INVALID_ARGUMENT, MUST_INCREMENT)
    connection.next_stream = 7
    assert connection.works()


def test_id_that_decreases_is_refused(connection):
    connection.send(request(9, "nine"))
    assert connection.answer(9).value == "nine"
    for stream in (7, 3, 1):
        connection.send(request(stream))
        assert refusal(connection.answer(stream)) == (INVALID_ARGUMENT, MUST_INCREMENT)
    connection.next_stream = 11
    assert connection.works()


def test_id_of_a_running_call_is_refused(connection):
    running = connection.start("Sleep", 5_000)
    connection.send(request(running))
    assert refusal(connection.answer(running)) == (INVALID_ARGUMENT, MUST_INCREMENT)
    assert connection.works()


def test_call_whose_id_is_used_again_is_answered_once(connection):
    running = connection.start("Sleep", 100)
    connection.send(request(running))
    assert refusal(connection.answer(running)) == (INVALID_ARGUMENT, MUST_INCREMENT)
    assert connection.call("Sleep", 200).value == "slept"


def test_gaps_are_fine(connection):
    for stream in (1, 3, 101, 1_000_001, 0x7FFF_FFFF, 0xFFFF_FFFF):
        connection.send(request(stream, str(stream)))
        assert connection.answer(stream).value == str(stream)


@pytest.mark.parametrize("flags", [0, REMOTE_CLOSED, REMOTE_CLOSED | NO_DATA])
@pytest.mark.parametrize("body", [b"", b"bytes"])
def test_data_on_a_stream_that_never_was(connection, flags, body):
    connection.send(frame(41, DATA, body, flags))
    assert refusal(connection.answer(41)) == (INVALID_ARGUMENT, NOT_ACTIVE)
    assert connection.works()


def test_data_on_a_finished_stream(connection):
    finished = connection.start("Unary", "done")
    assert connection.answer(finished).value == "done"
    connection.send(frame(finished, DATA, text("more")))
    assert refusal(connection.answer(finished)) == (INVALID_ARGUMENT, NOT_ACTIVE)
    assert connection.works()


@pytest.mark.parametrize("opened", [0, REMOTE_OPEN, REMOTE_OPEN | NO_DATA])
@pytest.mark.parametrize("flags", [0, REMOTE_CLOSED, REMOTE_CLOSED | NO_DATA])
def test_data_on_a_running_unary_call(connect, flags, opened):
    connection, neighbour = connect(), connect()
    running = connection.start("Sleep", 5_000, flags=opened)
    connection.send(frame(running, DATA, text("more"), flags))
    answer = connection.answer(running)
    assert answer.code == INVALID_ARGUMENT and answer.message
    assert connection.works()
    assert neighbour.works()


def test_data_does_not_take_an_id(connection):
    connection.send(frame(9, DATA, b"early") + request(1, "first"))
    answers = connection.answers(2)
    assert refusal(answers[9]) == (INVALID_ARGUMENT, NOT_ACTIVE)
    assert answers[1].value == "first"

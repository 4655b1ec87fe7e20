"""Many calls at once, and clients that go away or do not read."""

import random
import time

from frames import REQUEST, envelope, frame, text

HALF_MINUTE = 30_000


def settles(condition, timeout=5.0):
    """Whether the condition comes true within this many seconds."""
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > end:
            return False
        # What is looked at tells nobody of its change; a little between two looks leaves the processor to the server.
        time.sleep(0.02)
    return True


def test_thousand_calls_on_one_connection(connection):
    chance = random.Random(1)
    data, expected = bytearray(), {}
    for _ in range(1_000):
        stream = connection.stream()
        if chance.random() < 0.2:
            data += frame(stream, REQUEST, envelope("Sleep", text(chance.randrange(1, 50))))
            expected[stream] = "slept"
        else:
            expected[stream] = f"{stream}:" + "x" * chance.randrange(200)
            data += frame(stream, REQUEST, envelope("Unary", text(expected[stream])))
    connection.send(bytes(data))
    answers = connection.answers(1_000)
    assert {stream: answer.value for stream, answer in answers.items()} == expected


def test_quick_call_overtakes_a_slow_one(connection):
    slow = connection.start("Sleep", 300)
    quick = connection.start("Unary", "quick")
    assert list(connection.answers(2)) == [quick, slow]


def test_many_connections(connect):
    connections = [connect() for _ in range(50)]
    for number, connection in enumerate(connections):
        for call in range(10):
            connection.start("Unary", f"{number}/{call}")
    for number, connection in enumerate(connections):
        answers = connection.answers(10)
        assert {a.value for a in answers.values()} == {f"{number}/{call}" for call in range(10)}


def test_half_close_cancels_running_calls(server, connect):
    connect().works()
    before = server.open_files
    leaving = connect()
    for _ in range(20):
        leaving.start("Sleep", HALF_MINUTE)
    assert leaving.works()
    leaving.half_close()
    begun = time.monotonic()
    assert all(answer.value != "slept" for answer in leaving.rest())
    assert time.monotonic() - begun < 5
    leaving.close()
    assert settles(lambda: server.open_files <= before)


def test_reset_cancels_running_calls(server, connect):
    neighbour = connect()
    assert neighbour.works()
    before = server.open_files
    leaving = connect()
    for _ in range(20):
        leaving.start("Sleep", HALF_MINUTE)
    assert leaving.works()
    leaving.reset()
    assert settles(lambda: server.open_files <= before)
    assert neighbour.works()


def test_client_that_leaves_before_its_answers(connect):
    neighbour = connect()
    for _ in range(20):
        leaving = connect()
        for _ in range(20):
            leaving.start("Big", 100_000)
        leaving.reset()
    assert neighbour.works()


def test_client_that_does_not_read_slows_nobody(connect):
    deaf, neighbour = connect(), connect()
    # Less than what a client may leave untaken, whatever part of it the system holds.
    for _ in range(30):
        deaf.start("Big", 1_000_000)
    for _ in range(20):
        assert neighbour.works()
    answers = deaf.answers(30)
    assert all(len(answer.value) == 1_000_000 for answer in answers.values())


def test_half_close_right_after_a_request(connect):
    leaving = connect()
    leaving.start("Sleep", HALF_MINUTE)
    leaving.half_close()
    assert all(answer.value != "slept" for answer in leaving.rest())


def test_thousand_short_connections(server, connect):
    connect().works()
    before = server.open_files
    for number in range(1_000):
        connection = connect()
        assert connection.call("Unary", number).value == str(number)
        connection.close()
    assert settles(lambda: server.open_files <= before)

"""Deadlines and metadata of a call."""

import time

import pytest

from frames import DEADLINE_EXCEEDED, OK, RESOURCE_EXHAUSTED

MILLISECOND = 1_000_000


def pairs(connection, **options):
    """What Meta answers, as (key, [values]) pairs."""
    value = connection.call("Meta", "", **options).value
    return [(key, values.split("|")) for key, values in (pair.split("=", 1) for pair in value.split(";") if pair)]


def test_no_timeout_is_no_deadline(connection):
    assert pairs(connection, timeout_nano=0) == []


@pytest.mark.parametrize("timeout", [-1, -MILLISECOND, -(2**63)])
def test_negative_timeout_has_expired(connection, timeout):
    begun = time.monotonic()
    answer = connection.call("Sleep", 5_000, timeout_nano=timeout)
    assert answer.code == DEADLINE_EXCEEDED and answer.message
    assert time.monotonic() - begun < 2
    assert connection.works()


def test_negative_timeout_expires_even_a_quick_call(connection):
    assert connection.call("Unary", "too late", timeout_nano=-1).code == DEADLINE_EXCEEDED


def test_deadline_ends_a_call_that_takes_longer(connection):
    begun = time.monotonic()
    answer = connection.call("Sleep", 5_000, timeout_nano=50 * MILLISECOND)
    elapsed = time.monotonic() - begun
    assert answer.code == DEADLINE_EXCEEDED and answer.message
    assert 0.045 < elapsed < 2
    assert connection.works()


def test_deadline_answers_once(connection):
    stream = connection.start("Sleep", 100, timeout_nano=50 * MILLISECOND)
    assert connection.answer(stream).code == DEADLINE_EXCEEDED
    assert connection.call("Sleep", 200).value == "slept"


@pytest.mark.parametrize("timeout", [1, MILLISECOND])
def test_tiny_timeout(connection, timeout):
    assert connection.call("Sleep", 5_000, timeout_nano=timeout).code == DEADLINE_EXCEEDED


@pytest.mark.parametrize("timeout", [5_000 * MILLISECOND, 2**62, 2**63 - 1])
def test_call_within_its_deadline(connection, timeout):
    answer = connection.call("Sleep", 20, timeout_nano=timeout)
    assert (answer.code, answer.value) == (OK, "slept")


def test_each_call_has_its_own_deadline(connection):
    hurried = [connection.start("Sleep", 5_000, timeout_nano=t * MILLISECOND) for t in (150, 50, 100)]
    patient = connection.start("Sleep", 250)
    answers = connection.answers(4)
    assert list(answers) == [hurried[1], hurried[2], hurried[0], patient]
    assert [answers[stream].code for stream in hurried] == [DEADLINE_EXCEEDED] * 3
    assert answers[patient].value == "slept"


def test_handler_sees_the_deadline_last(connection):
    found = pairs(connection, timeout_nano=5_000 * MILLISECOND, metadata=[("zz", "last key"), ("a", "first key")])
    assert [key for key, _ in found] == ["a", "zz", "timeout"]
    assert 4_000 <= int(found[-1][1][0]) <= 5_000


def test_metadata_keys_are_sorted(connection):
    found = pairs(connection, metadata=[("b", "2"), ("c", "3"), ("a", "1")])
    assert found == [("a", ["1"]), ("b", ["2"]), ("c", ["3"])]


def test_several_values_keep_their_order(connection):
    found = pairs(connection, metadata=[("k", "z"), ("other", "-"), ("k", "a"), ("k", "m")])
    assert found == [("k", ["z", "a", "m"]), ("other", ["-"])]


def test_metadata_keys_have_no_case(connection):
    metadata = [("Authorization", "Bearer one"), ("AUTHORIZATION", "Bearer two"), ("authorization", "Bearer three")]
    found = [(key.lower(), values) for key, values in pairs(connection, metadata=metadata)]
    assert found == [("authorization", ["Bearer one", "Bearer two", "Bearer three"])]


def test_metadata_may_be_empty_or_long(connection):
    long = "v" * 30_000
    assert pairs(connection, metadata=[("empty", ""), ("long", long)]) == [("empty", [""]), ("long", [long])]


def test_many_metadata_pairs(connection):
    metadata = [(f"key-{n:04}", str(n)) for n in range(128)]
    assert pairs(connection, metadata=metadata) == [(key, [value]) for key, value in metadata]


@pytest.mark.parametrize("metadata", [[("key", "v" * 32_768)], [("key", "")] * 129])
def test_too_much_metadata_is_refused(connection, metadata):
    stream = connection.start("Meta", metadata=metadata)
    assert connection.answer(stream).code == RESOURCE_EXHAUSTED
    assert connection.works()


def test_metadata_does_not_leak_into_the_next_call(connection):
    assert pairs(connection, metadata=[("secret", "of the first")]) == [("secret", ["of the first"])]
    assert pairs(connection) == []

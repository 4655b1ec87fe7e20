"""Unary calls: dispatch, payloads, errors and their details, sizes of answers."""

import pytest

from frames import (
    FAILED_PRECONDITION, INVALID_ARGUMENT, MAXIMUM, REQUEST, RESOURCE_EXHAUSTED, UNIMPLEMENTED, envelope, frame,
    text,
)
from messages import classes


def send_payload(connection, payload):
    stream = connection.stream()
    connection.send(frame(stream, REQUEST, envelope("Unary", payload)))
    return connection.answer(stream)


@pytest.mark.parametrize("value", ["hello", "", "ünïcode ✓ 𝄞", "with\0nul", "x" * 100_000])
def test_echo(connection, value):
    assert connection.call("Unary", value).value == value


def test_empty_success_is_an_empty_response(connection):
    answer = connection.call("Unary", "")
    assert answer.body == b"" or (answer.code == 0 and answer.response.payload == b"")
    assert not answer.details


def test_success_has_no_status(connection):
    response = connection.call("Unary", "fine").response
    assert (response.status.code, response.status.message, len(response.status.details)) == (0, "", 0)


@pytest.mark.parametrize("service", ["", "echo.v1.Ech", "echo.v1.echo", "Echo", "echo.v1.Echo.", "no.such.Service"])
def test_unknown_service(connection, service):
    answer = connection.call("Unary", "lost", service=service)
    assert answer.code == UNIMPLEMENTED
    assert service in answer.message and answer.message
    assert connection.works()


@pytest.mark.parametrize("method", ["", "unary", "Unary ", "NoSuchMethod", "echo.v1.Echo/Unary"])
def test_unknown_method(connection, method):
    answer = connection.call(method, "lost")
    assert answer.code == UNIMPLEMENTED
    assert method in answer.message and answer.message
    assert connection.works()


MALFORMED = {
    "noise": b"\xff\xff\xff\xff",
    "truncated string": b"\x0a\x7fshort",
    "truncated varint": b"\x20\x80",
    "varint of eleven bytes": b"\x20" + b"\x80" * 10 + b"\x01",
    "field number 0": b"\x02\x01x",
    "wire type 7": b"\x0f",
    "length beyond 2 GiB": b"\x1a\xff\xff\xff\xff\x0f",
    "service is not UTF-8": b"\x0a\x02\xc3\x28",
}


@pytest.mark.parametrize("case", sorted(MALFORMED))
def test_malformed_envelope(connection, case):
    stream = connection.stream()
    connection.send(frame(stream, REQUEST, MALFORMED[case]))
    answer = connection.answer(stream)
    assert answer.code == INVALID_ARGUMENT and answer.message
    assert connection.works()


def test_unknown_fields_of_the_envelope_are_skipped(connection):
    extra = b"\x98\x06\x07" + b"\xa2\x06\x03abc"  # fields 99 (varint) and 100 (bytes)
    stream = connection.stream()
    connection.send(frame(stream, REQUEST, extra + envelope("Unary", text("kept")) + extra))
    assert connection.answer(stream).value == "kept"


@pytest.mark.parametrize("payload", [b"\xff\xff\xff", b"\x0a\x7fshort", b"\x0a\x80", b"\x0f", b"\x0a"])
def test_malformed_payload_says_so_in_a_bad_request(connection, payload):
    answer = send_payload(connection, payload)
    assert answer.code == INVALID_ARGUMENT and answer.message
    violations = answer.detail("google.rpc.BadRequest").field_violations
    assert len(violations) == 1 and violations[0].description
    assert connection.works()


@pytest.mark.parametrize("value", [b"\xc3\x28", b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"fine until \xe2\x82"])
def test_string_that_is_not_utf8(connection, value):
    answer = send_payload(connection, b"\x0a" + bytes([len(value)]) + value)
    assert answer.code == INVALID_ARGUMENT and answer.message
    violations = answer.detail("google.rpc.BadRequest").field_violations
    assert [v.field for v in violations] == ["value"]
    assert connection.works()


def test_unknown_fields_of_the_payload_are_skipped(connection):
    assert send_payload(connection, b"\x98\x06\x07" + text("kept")).value == "kept"


def test_last_of_two_values_counts(connection):
    assert send_payload(connection, text("first") + text("second")).value == "second"


def test_failure_with_a_detail(connection):
    answer = connection.call("Fail", "no reason")
    assert (answer.code, answer.message) == (FAILED_PRECONDITION, "fail: no reason")
    assert len(answer.details) == 1
    assert answer.details[0].type_url == "type.googleapis.com/google.protobuf.StringValue"
    assert answer.detail("google.protobuf.StringValue").value == "detail no reason"
    assert answer.response.payload == b""


def test_failure_without_a_detail(connection):
    answer = connection.call("FailPlain", "no reason")
    assert (answer.code, answer.message, answer.details) == (FAILED_PRECONDITION, "fail: no reason", [])


def test_longest_answer_is_delivered(connection):
    size = MAXIMUM
    while len(classes("ttrpc.Response")(payload=text("x" * size)).SerializeToString()) > MAXIMUM:
        size -= 1
    answer = connection.call("Big", size)
    assert len(answer.body) == MAXIMUM
    assert answer.value == "x" * size


def test_answer_that_is_too_long_fails_only_its_call(connection):
    running = connection.start("Sleep", 300)
    refused = connection.start("Big", MAXIMUM + 1)
    answers = connection.answers(2)
    assert answers[refused].code == RESOURCE_EXHAUSTED
    assert str(MAXIMUM) in answers[refused].message
    assert answers[running].value == "slept"
    assert connection.works()



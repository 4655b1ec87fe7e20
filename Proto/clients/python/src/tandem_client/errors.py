"""What a call fails with: one class for each reason of the contract, all of them `RPCError`."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, ClassVar

from . import wire


class Code(enum.IntEnum):
    """google.rpc.Code."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that is invalid."""

    field: str
    description: str
    reason: str


_COMMON = "tandem.rpc.v1"


class RPCError(Exception):
    """A call was refused, or failed.

    `tandem.api.matching.SessionTaken` and its like are made from the reasons of the contract; a reason that this version of
    the kit does not know comes as `RPCError` itself.
    """

    reason: str = ""
    retryable: ClassVar[bool] = False
    _of_reason: ClassVar[dict[tuple[str, str], type["RPCError"]]] = {}

    def __init_subclass__(cls, package: str = "", reason: str = "", **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if reason:
            cls.reason = reason
            RPCError._of_reason[package, reason] = cls

    def __init__(
        self,
        code: Code = Code.UNKNOWN,
        message: str = "",
        *,
        reason: str | None = None,
        domain: str = "",
        metadata: dict[str, str] | None = None,
        retry_after: float | None = None,
        fields: tuple[FieldViolation, ...] = (),
        details: tuple[tuple[str, bytes], ...] = (),
    ) -> None:
        self.code = code
        self.message = message
        if reason is not None:
            self.reason = reason
        self.domain = domain
        self.metadata = metadata or {}
        #: Seconds after which the call may be repeated (google.rpc.RetryInfo); None where the server does not say.
        self.retry_after = retry_after
        #: The invalid fields of the request (google.rpc.BadRequest).
        self.fields = fields
        #: All details as they came: type URL and bytes.
        self.details = details
        super().__init__(f"{code.name} {self.reason}: {message}" if self.reason else f"{code.name}: {message}")


class Unreachable(RPCError, package=_COMMON, reason="SERVER_UNREACHABLE"):
    """No connection came up, or the one that the call was made on was lost."""

    retryable = True

    def __init__(self, message: str, *, began: bool, retry_after: float | None = None) -> None:
        super().__init__(Code.UNAVAILABLE, message, retry_after=retry_after)
        #: Whether the server may have got the call.
        self.began = began


class DeadlineExceeded(RPCError, package=_COMMON, reason="DEADLINE_EXCEEDED"):
    """The call's timeout is over. It may have taken effect."""

    def __init__(self, code: Code = Code.DEADLINE_EXCEEDED, message: str = "no answer in time", **rest: Any) -> None:
        super().__init__(code, message, **rest)


def error(status: Any, package: str) -> RPCError:
    """The error of a google.rpc.Status, by the reasons of the package whose method was called."""
    reason, domain, metadata, retry_after, fields = "", "", {}, None, []
    for detail in status.details:
        name = detail.type_url.rpartition("/")[2]
        if name == "google.rpc.ErrorInfo":
            info = wire.ErrorInfo.FromString(detail.value)
            reason, domain = info.reason, info.domain
            metadata = {pair.key: pair.value for pair in info.metadata}
        elif name == "google.rpc.RetryInfo":
            delay = wire.RetryInfo.FromString(detail.value).retry_delay
            retry_after = delay.seconds + delay.nanos / 1e9
        elif name == "google.rpc.BadRequest":
            fields = [
                FieldViolation(one.field, one.description, one.reason)
                for one in wire.BadRequest.FromString(detail.value).field_violations
            ]
    try:
        code = Code(status.code)
    except ValueError:
        code = Code.UNKNOWN
    known = RPCError._of_reason
    made = known.get((package, reason)) or known.get((_COMMON, reason)) or RPCError
    parts: dict[str, Any] = {
        "domain": domain,
        "metadata": metadata,
        "retry_after": retry_after,
        "fields": tuple(fields),
        "details": tuple((detail.type_url, detail.value) for detail in status.details),
    }
    if made is Unreachable:
        made = RPCError  # of a server behind the one that was called
    if made is RPCError:
        parts["reason"] = reason
    return made(code, status.message, **parts)

"""Frames and envelopes of ttrpc 1.2, as bytes.

The envelopes and the details of errors are in a pool of their own, so that a program may also use other packages that
register `ttrpc` or `google.rpc`, in whatever version.
"""

from __future__ import annotations

import struct
from typing import Any, Iterator

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

REQUEST, RESPONSE, DATA = 1, 2, 3
CLOSED, OPEN, NO_DATA = 1, 2, 4
FRAME_BYTES = 4_194_304
CANCEL = b"\x07"  # no protobuf message: whatever server gets it fails the stream
_HEADER = struct.Struct(">IIBB")

_TYPES = {"string": 9, "bytes": 12, "int32": 5, "int64": 3}
_SCHEMA: dict[str, list[tuple[str, int, str]]] = {
    "Pair": [("key", 1, "string"), ("value", 2, "string")],
    "Any": [("type_url", 1, "string"), ("value", 2, "bytes")],
    "Status": [("code", 1, "int32"), ("message", 2, "string"), ("details", 3, "*Any")],
    "Request": [
        ("service", 1, "string"),
        ("method", 2, "string"),
        ("payload", 3, "bytes"),
        ("timeout_nano", 4, "int64"),
        ("metadata", 5, "*Pair"),
    ],
    "Response": [("status", 1, "Status"), ("payload", 2, "bytes")],
    "ErrorInfo": [("reason", 1, "string"), ("domain", 2, "string"), ("metadata", 3, "*Pair")],
    "Duration": [("seconds", 1, "int64"), ("nanos", 2, "int32")],
    "RetryInfo": [("retry_delay", 1, "Duration")],
    "FieldViolation": [("field", 1, "string"), ("description", 2, "string"), ("reason", 3, "string")],
    "BadRequest": [("field_violations", 1, "*FieldViolation")],
    "HealthCheckResponse": [("status", 1, "int32")],
}


def _classes() -> dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(name="wire.proto", package="wire", syntax="proto3")
    for name, fields in _SCHEMA.items():
        message = file.message_type.add(name=name)
        for field, number, kind in fields:
            made = message.field.add(name=field, number=number, label=3 if kind.startswith("*") else 1)
            kind = kind.lstrip("*")
            made.type = _TYPES.get(kind, 11)
            if made.type == 11:
                made.type_name = f".wire.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"wire.{name}")) for name in _SCHEMA
    }


_CLASSES = _classes()
Request, Response, Status = _CLASSES["Request"], _CLASSES["Response"], _CLASSES["Status"]
ErrorInfo, RetryInfo, BadRequest = _CLASSES["ErrorInfo"], _CLASSES["RetryInfo"], _CLASSES["BadRequest"]
HealthCheckResponse = _CLASSES["HealthCheckResponse"]


def frame(stream: int, kind: int, flags: int, body: bytes = b"") -> bytes:
    """One frame."""
    return _HEADER.pack(len(body), stream, kind, flags) + body


class Frames:
    """Finds the frames in what was received, in whatever pieces."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._skip = 0

    def feed(self, data: bytes) -> Iterator[tuple[int, int, int, bytes | None]]:
        """Stream, type, flags and body of each frame that is complete; a body that is too long is None, and skipped."""
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        self._bytes += data
        at = 0
        while len(self._bytes) - at >= _HEADER.size:
            length, stream, kind, flags = _HEADER.unpack_from(self._bytes, at)
            end = at + _HEADER.size + length
            if length > FRAME_BYTES:
                self._skip = max(0, end - len(self._bytes))
                at = min(end, len(self._bytes))
                yield stream, kind, flags, None
                continue
            if end > len(self._bytes):
                break
            body = bytes(self._bytes[at + _HEADER.size : end])
            at = end
            yield stream, kind, flags, body
        del self._bytes[:at]

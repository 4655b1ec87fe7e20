"""Calls the services of Tandem. Messages, typed clients and errors are in `tandem.api`; see README.md."""

from .client import Client, Duplex, Stream
from .errors import Code, DeadlineExceeded, FieldViolation, RPCError, Unreachable
from .method import CallOptions, Method
from .resuming import resuming
from .tls import TLS

__all__ = [
    "TLS",
    "CallOptions",
    "Client",
    "Code",
    "DeadlineExceeded",
    "Duplex",
    "FieldViolation",
    "Method",
    "RPCError",
    "Stream",
    "Unreachable",
    "resuming",
]

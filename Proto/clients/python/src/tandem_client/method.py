"""What generated code says of a method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, TypedDict


@dataclass(frozen=True)
class Method:
    """A method of the contract."""

    service: str
    name: str
    request: Any
    response: Any
    client_streaming: bool = False
    server_streaming: bool = False
    #: Whether the contract lets a call be repeated that may have been carried out.
    idempotent: bool = False

    @property
    def package(self) -> str:
        return self.service.rpartition(".")[0]


class CallOptions(TypedDict, total=False):
    """What every method takes beside its request."""

    #: Seconds until the call fails with DeadlineExceeded; None for no limit but the server's.
    timeout: float | None
    #: The access token of the user on whose behalf the call is made.
    token: str | None
    #: Pairs beside those of the client.
    metadata: Iterable[tuple[str, str]]
    #: Whether to wait for a server, up to the timeout, instead of failing while none is reachable.
    wait_for_ready: bool
    #: Whether failures are retried that may be.
    retry: bool

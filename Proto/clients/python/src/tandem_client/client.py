"""Calls by asyncio."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from types import TracebackType
from typing import Any, AsyncIterable, AsyncIterator, Callable, Generic, Iterable, TypeVar

from .connection import Connection, Reply
from .errors import Code, DeadlineExceeded, RPCError, Unreachable
from .method import Method
from .pool import Pool
from .tls import TLS

Request = TypeVar("Request")
Response = TypeVar("Response")

ATTEMPTS = 4
FIRST_WAIT, LONGEST_WAIT = 0.05, 1.0
DEFAULT_TIMEOUT = 10.0


class RetryBudget:
    """Stops retries while most calls fail: each takes a token, each success returns a tenth of one."""

    FULL = 1000.0

    def __init__(self) -> None:
        self._tokens = self.FULL

    def succeeded(self) -> None:
        self._tokens = min(self.FULL, self._tokens + 0.1)

    def take(self) -> bool:
        if self._tokens < self.FULL / 2:
            return False
        self._tokens -= 1
        return True


class _Options:
    def __init__(
        self,
        client: Client,
        default_timeout: float | None,
        timeout: float | None | object = ...,
        token: str | None = None,
        metadata: Iterable[tuple[str, str]] = (),
        wait_for_ready: bool = False,
        retry: bool = True,
    ) -> None:
        limit = default_timeout if timeout is ... else timeout
        self.deadline = None if limit is None else time.monotonic() + float(limit)  # type: ignore[arg-type]
        self.wait_for_ready, self.retry = wait_for_ready, retry
        bearer = token if token is not None else client.token
        self.metadata = [*client.metadata, *metadata]
        if bearer:
            self.metadata.append(("authorization", f"Bearer {bearer}"))

    @property
    def left(self) -> float | None:
        return None if self.deadline is None else self.deadline - time.monotonic()


class Client:
    """Makes calls to the servers of one target; the generated classes take it.

        client = Client("localhost:7401", tls=TLS("ca.pem"))
        accounts = identity.Accounts(client)

    Addresses are HOST:PORT, one or several; a name stands for all of its addresses.
    """

    def __init__(
        self,
        addresses: str | Iterable[str],
        *,
        tls: TLS | None = None,
        token: str | None = None,
        timeout: float | None = DEFAULT_TIMEOUT,
        connections_per_address: int = 1,
        metadata: Iterable[tuple[str, str]] = (),
    ) -> None:
        named = [addresses] if isinstance(addresses, str) else list(addresses)
        self._pool = Pool([_target(one) for one in named], tls, connections_per_address)
        self._budget = RetryBudget()
        self._timeout = timeout
        self.token = token
        self.metadata = list(metadata)

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._pool.close()

    def on_behalf_of(
        self,
        *,
        token: str | None = None,
        address: str | None = None,
        traceparent: str | None = None,
        tracestate: str | None = None,
        request_id: str | None = None,
    ) -> Client:
        """The same connections, for calls that a gateway makes for one of its own callers.

        Their address counts towards limits only where the server lets this program forward it (its certificate is a
        gateway's). `traceparent` and `tracestate` continue the caller's W3C trace.
        """
        made = object.__new__(Client)
        made.__dict__.update(self.__dict__)
        made.token = token if token is not None else self.token
        pairs = {
            "x-forwarded-for": address,
            "traceparent": traceparent,
            "tracestate": tracestate,
            "x-request-id": request_id,
        }
        made.metadata = [pair for pair in self.metadata if not pairs.get(pair[0].lower())]
        made.metadata += [(key, value) for key, value in pairs.items() if value]
        return made

    # What generated code calls.

    async def unary(self, method: Method, request: Any, **options: Any) -> Any:
        """A call with one request and one response."""
        settings = _Options(self, self._timeout, **options)
        request, repeatable = with_request_id(request)
        payload = request.SerializeToString()

        async def attempt() -> bytes:
            connection = await self._connection(settings)
            stream, reply = connection.begin(method, payload, settings.left, settings.metadata)
            return await self._response(connection, stream, reply, settings)

        body = await self._retried(attempt, settings, method.idempotent or repeatable)
        return method.response.FromString(body)

    async def client_stream(
        self, method: Method, requests: Iterable[Any] | AsyncIterable[Any], **options: Any
    ) -> Any:
        """A call with many requests and one response. It is not repeated: its requests are gone."""
        call = self.bidi(method, **options)
        async with call:
            if isinstance(requests, AsyncIterable):
                async for request in requests:
                    if call.ended:
                        break
                    await call.send(request)
            else:
                for request in requests:
                    if call.ended:
                        break
                    await call.send(request)
            call.finish()
            async for response in call:
                return response
        raise RPCError(Code.INTERNAL, "the server ended the call without a response")

    def server_stream(self, method: Method, request: Any, **options: Any) -> Stream[Any]:
        """A call with one request and many responses; it begins with the first that is asked for."""
        options.setdefault("timeout", None)
        return Stream(self, method, _Options(self, None, **options), request)

    def bidi(self, method: Method, **options: Any) -> Duplex[Any, Any]:
        """A call with many requests and responses."""
        options.setdefault("timeout", None)
        return Duplex(self, method, _Options(self, None, **options))

    # Parts of a call.

    async def _connection(self, settings: _Options) -> Connection:
        return await self._pool.connection(settings.deadline, settings.wait_for_ready)

    async def _response(self, connection: Connection, stream: int, reply: Reply, settings: _Options) -> bytes:
        try:
            async with asyncio.timeout(settings.left):
                body = await reply.next()
        except TimeoutError:
            raise DeadlineExceeded() from None
        finally:
            if not reply.ended:
                connection.cancel(stream)
        if body is None:
            raise RPCError(Code.INTERNAL, "the server ended the call without a response")
        return body

    async def _retried(self, attempt: Callable[[], Any], settings: _Options, repeatable: bool) -> Any:
        for number in range(1, ATTEMPTS + 1):
            try:
                made = await attempt()
                self._budget.succeeded()
                return made
            except RPCError as problem:
                wait = wait_before_retry(problem, number, repeatable)
                left = settings.left
                if wait is None or not settings.retry or number == ATTEMPTS or (left is not None and wait >= left):
                    raise
                if not self._budget.take():
                    raise
            await asyncio.sleep(wait)


def wait_before_retry(problem: RPCError, attempts: int, repeatable: bool) -> float | None:
    """Seconds until a failed call is repeated; None where it must not be. See "What is retried" in the handbook."""
    if problem.code != Code.UNAVAILABLE:
        return None
    if problem.reason == "DRAINING":
        return 0.0
    not_begun = isinstance(problem, Unreachable) and not problem.began
    if not not_begun and not repeatable:
        return None
    if problem.retry_after is not None:
        return problem.retry_after
    return min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1)) * random.uniform(0.8, 1.2)


def with_request_id(request: Any) -> tuple[Any, bool]:
    """The request with a `request_id` where it has the field, which makes the call safe to repeat."""
    field = request.DESCRIPTOR.fields_by_name.get("request_id")
    if field is None:
        return request, False
    if not request.request_id:
        copied = type(request)()
        copied.CopyFrom(request)
        copied.request_id = str(uuid.uuid4())
        request = copied
    return request, True


def _target(address: str) -> tuple[str, int]:
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit():
        raise ValueError(f"{address!r} is not HOST:PORT")
    return host.strip("[]"), int(port)


class _Open(Generic[Response]):
    """A call that has begun, and what came of it."""

    def __init__(self, client: Client, method: Method, settings: _Options) -> None:
        self._client, self._method, self._settings = client, method, settings
        self._connection: Connection | None = None
        self._stream, self._reply = 0, None

    @property
    def ended(self) -> bool:
        return self._reply is not None and self._reply.ended

    async def _begin(self, payload: bytes | None) -> None:
        self._connection = await self._client._connection(self._settings)
        self._stream, self._reply = self._connection.begin(
            self._method, payload, self._settings.left, self._settings.metadata
        )

    async def _next(self) -> bytes | None:
        assert self._reply is not None
        left = self._settings.left
        if left is None:
            return await self._reply.next()
        try:
            async with asyncio.timeout(left):
                return await self._reply.next()
        except TimeoutError:
            self.cancel()
            raise DeadlineExceeded() from None

    def cancel(self) -> None:
        """Ends the call, here and at the server."""
        if self._connection is not None and self._reply is not None and not self._reply.ended:
            self._connection.cancel(self._stream)
            self._reply.end()


class Stream(_Open[Response]):
    """The responses of a call. Leaving the block of `async with` before its end cancels it."""

    def __init__(self, client: Client, method: Method, settings: _Options, request: Any) -> None:
        super().__init__(client, method, settings)
        self._payload = request.SerializeToString()

    async def __aenter__(self) -> Stream[Response]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cancel()

    def __aiter__(self) -> AsyncIterator[Response]:
        return self

    async def __anext__(self) -> Response:
        if self._reply is None:
            body = await self._client._retried(self._first, self._settings, self._method.idempotent)
        else:
            body = await self._next()
        if body is None:
            raise StopAsyncIteration
        return self._method.response.FromString(body)

    async def _first(self) -> bytes | None:
        await self._begin(self._payload)
        return await self._next()


class Duplex(_Open[Response], Generic[Request, Response]):
    """A call with messages in both directions, for the block of `async with`; leaving it before its end cancels it."""

    async def __aenter__(self) -> Duplex[Request, Response]:
        async def attempt() -> None:
            await self._begin(None)

        await self._client._retried(attempt, self._settings, False)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()

    async def send(self, request: Request) -> None:
        """Returns when there is room for more. After the end it does nothing: read to see how the call ended."""
        assert self._connection is not None, "a call begins with `async with`"
        await self._connection.send(self._stream, request.SerializeToString())  # type: ignore[attr-defined]

    def finish(self) -> None:
        """No request follows."""
        if self._connection is not None:
            self._connection.finish(self._stream)

    def __aiter__(self) -> AsyncIterator[Response]:
        return self

    async def __anext__(self) -> Response:
        body = await self._next()
        if body is None:
            raise StopAsyncIteration
        return self._method.response.FromString(body)

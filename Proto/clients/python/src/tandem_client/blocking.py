"""The same calls for programs without asyncio: it runs in a thread of its own, and any thread may call."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterable, Iterator, TypeVar

from . import client as asynchronous
from .method import Method
from .resuming import resuming as _resuming

Request = TypeVar("Request")
Response = TypeVar("Response")


class _Loop:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="tandem-client", daemon=True)
        self._thread.start()

    def run(self, work: Awaitable[Any]) -> Any:
        async def awaited() -> Any:
            return await work

        running = asyncio.run_coroutine_threadsafe(awaited(), self.loop)
        try:
            return running.result()
        except BaseException:
            running.cancel()
            raise

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class Client:
    """Takes what `tandem_client.Client` takes."""

    def __init__(self, addresses: str | Iterable[str], **settings: Any) -> None:
        self._client = asynchronous.Client(addresses, **settings)
        self._loop = _Loop()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._loop.run(self._client.close())
        self._loop.stop()

    def on_behalf_of(self, **whose: str | None) -> Client:
        """See `tandem_client.Client.on_behalf_of`. Close the client that it was made from, not this one."""
        made = object.__new__(Client)
        made._client, made._loop = self._client.on_behalf_of(**whose), self._loop
        return made

    def unary(self, method: Method, request: Any, **options: Any) -> Any:
        return self._loop.run(self._client.unary(method, request, **options))

    def client_stream(self, method: Method, requests: Iterable[Any], **options: Any) -> Any:
        with self.bidi(method, **options) as call:
            for request in requests:
                call.send(request)
            call.finish()
            return next(call)

    def server_stream(self, method: Method, request: Any, **options: Any) -> Stream[Any]:
        return Stream(self._loop, self._client.server_stream(method, request, **options))

    def bidi(self, method: Method, **options: Any) -> Duplex[Any, Any]:
        return Duplex(self._loop, self._client.bidi(method, **options))


class Stream(Generic[Response]):
    """The responses of a call; leaving the block of `with` before its end cancels it."""

    def __init__(self, loop: _Loop, stream: Any) -> None:
        self._loop, self._stream = loop, stream

    def __enter__(self) -> Stream[Response]:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()

    def cancel(self) -> None:
        self._loop.loop.call_soon_threadsafe(self._stream.cancel)

    def __iter__(self) -> Iterator[Response]:
        return self

    def __next__(self) -> Response:
        try:
            return self._loop.run(self._stream.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None


class Duplex(Stream[Response], Generic[Request, Response]):
    """A call with messages in both directions, for the block of `with`. One thread may send while another reads."""

    def __enter__(self) -> Duplex[Request, Response]:
        self._loop.run(self._stream.__aenter__())
        return self

    def send(self, request: Request) -> None:
        self._loop.run(self._stream.send(request))

    def finish(self) -> None:
        self._loop.loop.call_soon_threadsafe(self._stream.finish)


def resuming(begin: Callable[[Any], Any], position: Callable[[Any], Any], start: Any = None) -> Iterator[Any]:
    """See `tandem_client.resuming`."""
    loop: list[_Loop] = []

    def opened(last: Any) -> AsyncIterator[Any]:
        stream = begin(last)
        loop[:] = [stream._loop]
        return stream._stream

    # The first stream is made here, because it knows the loop.
    first = [opened(start)]
    messages = _resuming(lambda last: first.pop() if first else opened(last), position, start)
    try:
        while True:
            try:
                yield loop[0].run(messages.__anext__())
            except StopAsyncIteration:
                return
    finally:
        loop[0].run(messages.aclose())

"""One connection, and the calls that run on it."""

from __future__ import annotations

import asyncio
import collections
import time
from typing import Any

from . import wire
from .errors import Code, RPCError, Unreachable, error

#: Bytes of a stream that may wait for its reader; ttrpc cannot tell the server to wait.
UNREAD_BYTES = 8 * 1024 * 1024
LAST_STREAM = 0xFFFF_FFFF
OPENING_SECONDS = 5.0


class Reply:
    """What comes back for one call: messages, then an end or an error."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._messages: collections.deque[bytes] = collections.deque()
        self._bytes = 0
        self._end: RPCError | None = None
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None

    @property
    def ended(self) -> bool:
        return self._ended

    def message(self, body: bytes) -> bool:
        """Whether there was room for it."""
        if self._bytes + len(body) > UNREAD_BYTES:
            return False
        self._messages.append(body)
        self._bytes += len(body)
        self._wake()
        return True

    def end(self, failure: RPCError | None = None) -> None:
        if not self._ended:
            self._ended, self._end = True, failure
            self._wake()

    def refused(self, status: Any) -> None:
        self.end(error(status, self._package))

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self) -> bytes | None:
        """The next message; None at the end."""
        while True:
            if self._messages:
                body = self._messages.popleft()
                self._bytes -= len(body)
                return body
            if self._ended:
                if self._end is not None:
                    raise self._end
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter


class Connection(asyncio.Protocol):
    """Made by `open`. No call waits for another: whoever does not read its stream loses that stream."""

    def __init__(self) -> None:
        self.draining = False
        self.serving = True
        self.lost: BaseException | None = None
        self.closed = False
        self.heard = time.monotonic()
        self.context: object = None
        self._calls: dict[int, Reply] = {}
        self._streams: set[int] = set()
        self._next = 1
        self._frames = wire.Frames()
        self._transport: Any = None
        self._writable = asyncio.Event()
        self._writable.set()

    @staticmethod
    async def open(host: str, port: int, tls: Any, name: str) -> Connection:
        context = tls.context() if tls else None
        options: dict[str, Any] = {"ssl": context, "server_hostname": tls.server_name or name} if tls else {}
        async with asyncio.timeout(OPENING_SECONDS):
            _, made = await asyncio.get_running_loop().create_connection(Connection, host, port, **options)
        made.context = context
        return made

    @property
    def usable(self) -> bool:
        return not self.closed and not self.draining and self._next <= LAST_STREAM

    @property
    def calls(self) -> int:
        return len(self._calls)

    # What asyncio tells.

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self.heard = time.monotonic()
        for stream, kind, flags, body in self._frames.feed(data):
            self._receive(stream, kind, flags, body)

    def connection_lost(self, exc: BaseException | None) -> None:
        self.closed, self.lost = True, exc
        self._writable.set()
        for reply in list(self._calls.values()):
            reply.end(Unreachable(f"the connection was lost: {exc or 'closed by the server'}", began=True))
        self._calls.clear()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    # Calls.

    def _receive(self, stream: int, kind: int, flags: int, body: bytes | None) -> None:
        if stream == 0:
            self._notice(kind, body)
            return
        reply = self._calls.get(stream)
        if reply is None:
            return
        if body is None:
            self._give_up(stream, Code.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE", "the answer is longer than a frame may be")
        elif kind == wire.RESPONSE:
            response = wire.Response.FromString(body)
            self._forget(stream)
            if response.status.code:
                reply.refused(response.status)
            else:
                if not reply.ended and stream not in self._streams:
                    reply.message(response.payload)
                reply.end()
        elif kind == wire.DATA:
            if not flags & wire.NO_DATA and not (flags & wire.CLOSED and not body) and not reply.message(body):
                self._give_up(stream, Code.RESOURCE_EXHAUSTED, "RECEIVE_BUFFER_FULL", "too many messages wait to be read")
            elif flags & wire.CLOSED:
                self._forget(stream)
                reply.end()

    def _notice(self, kind: int, body: bytes | None) -> None:
        """A server that stops refuses the stream that no call can have."""
        if kind == wire.RESPONSE and body is not None:
            status = wire.Response.FromString(body).status
            if status.code == Code.UNAVAILABLE:
                self.retire()

    def _give_up(self, stream: int, code: Code, reason: str, message: str) -> None:
        reply = self._calls[stream]
        self.cancel(stream)
        reply.end(RPCError(code, message, reason=reason))

    def _forget(self, stream: int) -> None:
        self._calls.pop(stream, None)
        self._streams.discard(stream)
        if self.draining and not self._calls:
            self.close()

    def begin(
        self, method: Any, payload: bytes | None, timeout: float | None, metadata: list[tuple[str, str]]
    ) -> tuple[int, Reply]:
        """Writes the Request. Without a payload the call's messages follow."""
        request = wire.Request(service=method.service, method=method.name, payload=payload or b"")
        if timeout is not None:
            request.timeout_nano = max(1, int(timeout * 1e9))
        for key, value in metadata:
            request.metadata.add(key=key, value=value)
        flags = 0
        if method.client_streaming:
            flags = wire.OPEN | wire.NO_DATA
        elif method.server_streaming:
            flags = wire.CLOSED
        body = request.SerializeToString()
        if len(body) > wire.FRAME_BYTES:
            raise RPCError(Code.RESOURCE_EXHAUSTED, "the request is longer than a frame may be", reason="MESSAGE_TOO_LARGE")
        stream, self._next = self._next, self._next + 2
        reply = self._calls[stream] = Reply(method.package)
        if method.server_streaming:
            self._streams.add(stream)
        self._write(wire.frame(stream, wire.REQUEST, flags, body))
        return stream, reply

    async def send(self, stream: int, body: bytes) -> None:
        """One message of a call, once there is room for it."""
        if len(body) > wire.FRAME_BYTES:
            raise RPCError(Code.RESOURCE_EXHAUSTED, "the message is longer than a frame may be", reason="MESSAGE_TOO_LARGE")
        await self._writable.wait()
        if stream in self._calls:
            self._write(wire.frame(stream, wire.DATA, 0, body))

    def finish(self, stream: int) -> None:
        """No message follows."""
        if stream in self._calls:
            self._write(wire.frame(stream, wire.DATA, wire.CLOSED | wire.NO_DATA))

    def cancel(self, stream: int) -> None:
        """Ends a call on this side, and a stream on the server's too; ttrpc cannot cancel a call with one answer."""
        if stream in self._streams and not self.closed:
            self._write(wire.frame(stream, wire.DATA, 0, wire.CANCEL))
        self._forget(stream)

    def _write(self, frame: bytes) -> None:
        if not self.closed:
            self._transport.write(frame)

    # Its end.

    def retire(self) -> None:
        """No further call; closes when the last one ends."""
        self.draining = True
        if not self._calls:
            self.close()

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._transport.close()

    def abort(self) -> None:
        self.closed = True
        self._transport.abort()

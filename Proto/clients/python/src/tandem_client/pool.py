"""The connections to the servers of one target."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from dataclasses import dataclass
from typing import Any

from . import wire
from .connection import Connection
from .errors import Code, RPCError, Unreachable
from .method import Method
from .tls import TLS

HEALTH_SECONDS = 10.0
HEALTH_PATIENCE = 5.0
FIRST_WAIT, LONGEST_WAIT = 0.05, 5.0
SERVING = 1

_CHECK = Method("grpc.health.v1.Health", "Check", bytes, bytes, idempotent=True)


@dataclass
class _Place:
    """Where a connection is, or is to be."""

    host: str
    port: int
    name: str
    connection: Connection | None = None
    opening: asyncio.Task[None] | None = None
    failures: int = 0
    not_before: float = 0.0
    cause: str = ""

    @property
    def usable(self) -> bool:
        return self.connection is not None and self.connection.usable


class Pool:
    """Opens connections with the first call and keeps them. A name stands for all of its addresses."""

    def __init__(self, targets: list[tuple[str, int]], tls: TLS | None, connections_per_address: int) -> None:
        self._targets, self._tls, self._each = targets, tls, connections_per_address
        self._places: list[_Place] = []
        self._turn = 0
        self._stale = True
        self._closed = False
        self._looking: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._checks: set[asyncio.Task[None]] = set()

    async def connection(self, deadline: float | None, wait_for_ready: bool) -> Connection:
        """One that takes calls, of a server that serves where there is one."""
        while True:
            if self._closed:
                raise Unreachable("the client is closed", began=False)
            await self._look_up()
            self._open_missing()
            usable = [place.connection for place in self._places if place.usable and place.connection]
            usable = [one for one in usable if one.serving] or usable
            if usable:
                self._turn += 1
                return usable[self._turn % len(usable)]
            await self._some_change(deadline, wait_for_ready)

    async def _some_change(self, deadline: float | None, wait_for_ready: bool) -> None:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        opening = [place.opening for place in self._places if place.opening is not None]
        if opening:
            done, _ = await asyncio.wait(opening, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return
            raise Unreachable("no connection in time", began=False)
        wait = max(0.001, min((place.not_before for place in self._places), default=0) - time.monotonic())
        if not wait_for_ready:
            causes = ", ".join(sorted({f"{one.host}:{one.port}: {one.cause}" for one in self._places}))
            raise Unreachable(causes or "the name has no address", began=False, retry_after=wait)
        if left is not None and left < wait:
            raise Unreachable("no connection in time", began=False)
        await asyncio.sleep(wait)

    async def _look_up(self) -> None:
        if not self._stale:
            return
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_up_names())
        await asyncio.shield(self._looking)

    async def _look_up_names(self) -> None:
        loop = asyncio.get_running_loop()
        wanted: dict[tuple[str, int], str] = {}
        for host, port in self._targets:
            try:
                found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            except OSError as problem:
                if not self._places:
                    raise Unreachable(f"{host}: {problem}", began=False, retry_after=1.0) from problem
                continue
            for *_, address in found:
                wanted.setdefault((address[0], address[1]), host)
        gone = [one for one in self._places if (one.host, one.port) not in wanted] if wanted else []
        for place in gone:
            if place.connection is not None:
                place.connection.retire()
        kept = [one for one in self._places if one not in gone]
        present = {(one.host, one.port) for one in kept}
        new = [address for address in wanted if address not in present]
        kept += [_Place(host, port, wanted[host, port]) for host, port in new for _ in range(self._each)]
        self._places, self._stale = kept, False
        if self._watch is None:
            self._watch = asyncio.create_task(self._look_after())

    def _open_missing(self) -> None:
        now = time.monotonic()
        for place in self._places:
            if place.usable or place.opening is not None:
                continue
            if place.connection is not None:
                if place.connection.closed and not place.connection.draining:
                    self._stale = True
                place.connection = None
            if place.not_before <= now:
                place.opening = asyncio.create_task(self._open(place))

    async def _open(self, place: _Place) -> None:
        try:
            place.connection = await Connection.open(place.host, place.port, self._tls, place.name)
            place.failures, place.not_before, place.cause = 0, 0.0, ""
        except (OSError, TimeoutError) as problem:
            place.failures += 1
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(place.failures - 1, 10))
            place.not_before = time.monotonic() + wait * random.uniform(0.8, 1.2)
            place.cause = str(problem) or type(problem).__name__
            self._stale = True
        finally:
            place.opening = None

    async def _look_after(self) -> None:
        """Every ten seconds: the health of each connection, and whether the certificates are still those that it has."""
        while True:
            await asyncio.sleep(HEALTH_SECONDS)
            for place in self._places:
                if place.connection is None or not place.usable:
                    continue
                if self._is_outdated(place.connection):
                    place.connection.retire()
                    continue
                check = asyncio.create_task(self._check(place.connection))
                self._checks.add(check)
                check.add_done_callback(self._checks.discard)

    def _is_outdated(self, connection: Connection) -> bool:
        try:
            return self._tls is not None and self._tls.context() is not connection.context
        except OSError:
            return False

    async def _check(self, connection: Connection) -> None:
        stream, reply = connection.begin(_CHECK, b"", HEALTH_PATIENCE, [])
        asked = time.monotonic()
        try:
            async with asyncio.timeout(HEALTH_PATIENCE):
                body = await reply.next() or b""
            connection.serving = wire.HealthCheckResponse.FromString(body).status == SERVING
        except TimeoutError:
            connection.cancel(stream)
            connection.serving = False
            if connection.heard < asked:
                connection.abort()  # nothing at all came: it is dead
        except RPCError as problem:
            connection.serving = problem.code == Code.UNIMPLEMENTED

    async def close(self) -> None:
        self._closed = True
        tasks = [task for task in [self._watch, self._looking, *self._checks] if task is not None]
        tasks += [place.opening for place in self._places if place.opening is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for place in self._places:
            if place.connection is not None:
                place.connection.close()

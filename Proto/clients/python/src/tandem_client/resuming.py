"""Streams that outlive their connection."""

from __future__ import annotations

import asyncio
import random
from typing import Any, AsyncIterator, Callable, TypeVar

from .errors import Code, RPCError

Message = TypeVar("Message")
FIRST_WAIT, LONGEST_WAIT = 0.05, 5.0


async def resuming(
    begin: Callable[[Any], AsyncIterator[Message]], position: Callable[[Message], Any], start: Any = None
) -> AsyncIterator[Message]:
    """The messages of a stream that is begun again, after the last position, whenever a server or connection is lost.

        async for message in resuming(
            lambda after: notifications.stream_notifications(StreamNotificationsRequest(after=after)),
            position=lambda message: message.position):

    `start` is the position of the first beginning. A message whose position is None does not count. What is not a matter of
    a server that is away ends it, such as an expired token.
    """
    last, failures = start, 0
    while True:
        stream = begin(last)
        try:
            async for message in stream:
                failures = 0
                found = position(message)
                last = last if found is None else found
                yield message
            return
        except RPCError as problem:
            if problem.code != Code.UNAVAILABLE and not (
                problem.code == Code.RESOURCE_EXHAUSTED and problem.retry_after is not None
            ):
                raise
            failures += 1
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failures, 10)) * random.uniform(0.8, 1.2)
            wait = max(wait, problem.retry_after or 0.0)
        finally:
            cancel = getattr(stream, "cancel", None)
            if cancel is not None:
                cancel()
        await asyncio.sleep(wait)

"""Members of a group who watch it at WebSockets, while one member reports positions by HTTP."""

import asyncio
import base64
import datetime
import json
import os
import struct
import time

from harness.processes import Failed, say

GROUP = 200  # members, the most that a group has
VIEWERS = 1_000
RATE = 5  # positions a second
WATCH = "tandem.tracking.v1.Locations/Watch"
REPORT = "tandem.tracking.v1.Locations/ReportBatch"
TEXT, BINARY, PING, PONG = 1, 2, 9, 10


def measure(service, port, plan):
    """The 99th percentile of each round, in milliseconds: from the moment at which a position was due until a viewer has it."""
    group = json.loads(service.groups(1, GROUP).read_text(encoding="utf-8"))["groups"][0]
    return asyncio.run(_rounds(group, port, plan))


async def _rounds(group, port, plan):
    viewers, found = [], []
    try:
        for number in range(VIEWERS):
            viewers.append(await Viewer.open(port, group, group["members"][number % GROUP]))
        await asyncio.wait_for(asyncio.gather(*(viewer.snapshot for viewer in viewers)), 60)
        reporter = Reporter(port, group["members"][0])
        for number in range(1, plan.rounds + 1):
            for viewer in viewers:
                viewer.begin()
            count = await reporter.report(round(2 * plan.seconds * RATE))
            delays = await _all_of(viewers, count)
            found.append(delays[len(delays) * 99 // 100])
            say(f"gateway, round {number} of {plan.rounds}: {VIEWERS:,} viewers, p50 {delays[len(delays) // 2]:.1f} p99 {found[-1]:.1f} ms")
        return found
    finally:
        for viewer in viewers:
            viewer.transport.abort()


async def _all_of(viewers, count):
    """How late the positions were at all viewers, in ascending order."""
    end = time.monotonic() + 10
    while any(viewer.count() < count for viewer in viewers):
        lost = next((viewer.lost for viewer in viewers if viewer.lost), None)
        if lost or time.monotonic() > end:
            seen = sum(len(viewer.delays) for viewer in viewers)
            raise Failed(f"{seen} of {count * len(viewers)} positions came to the viewers; {lost or 'they are slow'}")
        # Each viewer counts for itself; nothing tells that the last one has the last position.
        await asyncio.sleep(0.02)
    return sorted(delay for viewer in viewers for delay in viewer.delays)


class Viewer(asyncio.Protocol):
    """A WebSocket that notes how old each position is when it arrives."""

    def __init__(self, port, group, token):
        self.port, self.group, self.token = port, group, token
        self.rest, self.is_open, self.lost, self.delays = b"", False, None, []
        self.arrived = []
        # While positions are reported, what arrives is only noted: to read it would delay what comes to the next viewers.
        self.is_counting = False
        self.snapshot = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, port, group, token):
        _, viewer = await asyncio.get_running_loop().create_connection(lambda: cls(port, group, token), "127.0.0.1", port)
        return viewer

    def connection_made(self, transport):
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            (f"GET /ws/{WATCH} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())

    def begin(self):
        """From now on positions count."""
        self.delays.clear()
        self.is_counting = True

    def count(self):
        """How many positions have come since; no more are noted unread."""
        self.is_counting = False
        for data, now in self.arrived:
            self.read(data, now)
        self.arrived.clear()
        return len(self.delays)

    def data_received(self, data):
        if self.is_counting:
            self.arrived.append((data, time.time()))
        else:
            self.read(data, time.time())

    def read(self, data, now):
        self.rest += data
        if not self.is_open:
            head, found, rest = self.rest.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                return self.fail(head.decode(errors="replace"))
            self.is_open, self.rest = True, rest
            self.send(TEXT, json.dumps({"authorization": f"Bearer {self.token}"}).encode())
            self.send(TEXT, json.dumps({"add": [{"groupId": self.group["id"]}]}).encode())
        for opcode, body in self.frames():
            if opcode == PING:
                self.send(PONG, body)
            elif opcode != TEXT:
                self.fail(body.decode(errors="replace"))
            elif not self.snapshot.done():
                if "snapshot" in json.loads(body):
                    self.snapshot.set_result(None)
            else:
                self.take(json.loads(body), now)

    def frames(self):
        """Whole frames that have arrived, as a server sends them: in one piece and not masked."""
        while len(self.rest) >= 2:
            length, start = self.rest[1], 2
            if length >= 126:
                start = 4 if length == 126 else 10
                if len(self.rest) < start:
                    return
                length = struct.unpack(">H" if start == 4 else ">Q", self.rest[2:start])[0]
            if len(self.rest) < start + length:
                return
            opcode, body = self.rest[0] & 15, self.rest[start:start + length]
            self.rest = self.rest[start + length:]
            yield opcode, body

    def send(self, opcode, body):
        size = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + struct.pack(">H", len(body))
        # A mask of zeros leaves the bytes as they are.
        self.transport.write(bytes([0x80 | opcode]) + size + bytes(4) + body)

    def take(self, message, now):
        for change in message.get("changes", {}).get("changes", ()):
            due = change.get("member", {}).get("position", {}).get("time")
            if due is not None:
                self.delays.append((now - datetime.datetime.fromisoformat(due).timestamp()) * 1000)

    def fail(self, why):
        self.lost = self.lost or why
        if not self.snapshot.done():
            self.snapshot.set_exception(Failed(f"a viewer got: {why}"))
        self.transport.abort()

    def connection_lost(self, error):
        self.lost = self.lost or f"a connection ended: {error}"
        if not self.snapshot.done():
            self.snapshot.set_exception(Failed(self.lost))


class Reporter:
    """A member who walks. The time of each position is the moment at which it was due."""

    def __init__(self, port, token):
        self.port, self.token, self.steps = port, token, 0

    async def report(self, count):
        """Reports so many positions at even intervals."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        begin = time.time() + 0.5
        for number in range(count):
            due = begin + number / RATE
            # The rate of the load: positions are due at even intervals.
            await asyncio.sleep(max(0, due - time.time()))
            self.steps += 1
            moment = datetime.datetime.fromtimestamp(due, datetime.UTC).isoformat()
            point = {"latitude": 52.5 + self.steps * 1e-5, "longitude": 13.4, "time": moment, "accuracyM": 8}
            body = json.dumps({"points": [point]}).encode()
            writer.write(
                (f"POST /{REPORT} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.token}\r\n"
                 f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")).split(b":")[1])
            answer = json.loads(await reader.readexactly(length))
            if answer.get("accepted") != 1:
                raise Failed(f"a position was not taken: {answer}")
        writer.close()
        return count

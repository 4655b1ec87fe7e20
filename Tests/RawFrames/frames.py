"""A ttrpc client that sends whatever it is told to, right or wrong, one frame at a time.

Header: length u32, stream id u32, type u8, flags u8, big-endian. It shares no code with the server under test.
"""

import dataclasses
import socket
import struct

from messages import classes

HEADER = struct.Struct(">IIBB")
MAXIMUM = 4_194_304

REQUEST, RESPONSE, DATA = 1, 2, 3
REMOTE_CLOSED, REMOTE_OPEN, NO_DATA = 0x01, 0x02, 0x04

OK, INVALID_ARGUMENT, DEADLINE_EXCEEDED = 0, 3, 4
RESOURCE_EXHAUSTED, FAILED_PRECONDITION, UNIMPLEMENTED = 8, 9, 12

MUST_BE_ODD = "StreamID must be odd for client initiated streams"
MUST_INCREMENT = "StreamID cannot be re-used and must increment"
NOT_ACTIVE = "StreamID is no longer active"

ECHO = "echo.v1.Echo"


def too_long(length):
    """The text that refuses an envelope of this many bytes."""
    return f"message length {length} exceed maximum message size of {MAXIMUM}"


def frame(stream, kind, body=b"", flags=0, length=None):
    """The bytes of one frame; `length` announces something else than the body has."""
    return HEADER.pack(len(body) if length is None else length, stream, kind, flags) + body


def envelope(method, payload=b"", service=ECHO, timeout_nano=0, metadata=()):
    """A serialized ttrpc Request. `metadata` is pairs, in order."""
    request = classes("ttrpc.Request")(service=service, method=method, payload=payload, timeout_nano=timeout_nano)
    for key, value in metadata:
        request.metadata.add(key=key, value=value)
    return request.SerializeToString()


def text(value):
    """The payload of an echo message."""
    return classes("echo.v1.Msg")(value=str(value)).SerializeToString()


@dataclasses.dataclass
class Answer:
    """One frame from the server, its Response envelope parsed."""

    stream: int
    kind: int
    flags: int
    body: bytes

    @property
    def response(self):
        return classes("ttrpc.Response").FromString(self.body)

    @property
    def code(self):
        return self.response.status.code

    @property
    def message(self):
        return self.response.status.message

    @property
    def details(self):
        return list(self.response.status.details)

    @property
    def value(self):
        """The text of the echo message inside, whether this is a Response or a Data frame."""
        message = self.body if self.kind == DATA else self.response.payload
        return classes("echo.v1.Msg").FromString(message).value

    @property
    def is_good_end(self):
        """Whether this is the frame that ends a server's stream well, to the letter."""
        return (self.kind, self.flags, self.body) == (DATA, REMOTE_CLOSED | NO_DATA, b"")

    def detail(self, name):
        """The one detail of this type, parsed."""
        found = [d for d in self.details if d.type_url.split("/")[-1] == name]
        assert len(found) == 1, f"details: {[d.type_url for d in self.details]}"
        return classes(name).FromString(found[0].value)


class Connection:
    """One TCP connection. Every wait is bounded: a server that says nothing fails the test by a timeout."""

    TIMEOUT = 10.0

    def __init__(self, address):
        self.socket = socket.create_connection(address, timeout=self.TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.next_stream = 1
        self.unread = bytearray()

    def close(self):
        self.socket.close()

    def reset(self):
        """Goes away with an RST instead of a FIN."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def send(self, data):
        self.socket.sendall(data)

    def stream(self):
        """The next stream id, odd and above all that this connection handed out."""
        taken = self.next_stream
        self.next_stream += 2
        return taken

    def start(self, method, value="", flags=0, **options):
        """Sends the Request of an echo call; its stream id."""
        stream = self.stream()
        self.send(frame(stream, REQUEST, envelope(method, text(value), **options), flags))
        return stream

    def open(self, method, payload=b"", flags=REMOTE_OPEN | NO_DATA, **options):
        """Sends the Request of a stream, its payload serialized by the caller; its stream id."""
        stream = self.stream()
        self.send(frame(stream, REQUEST, envelope(method, payload, **options), flags))
        return stream

    def data(self, stream, *values, flags=0):
        """Sends one Data frame for each value."""
        self.send(b"".join(frame(stream, DATA, text(value), flags) for value in values))

    def finish(self, stream):
        """Half-closes a stream as our own client and Go's do."""
        self.send(frame(stream, DATA, b"", REMOTE_CLOSED | NO_DATA))

    def message(self, stream):
        """The value of the next frame, which must be a message of this stream."""
        got = self.receive()
        assert got is not None, "the server closed the connection"
        assert (got.stream, got.kind, got.flags) == (stream, DATA, 0), f"unexpected frame {got}"
        return got.value

    def messages(self, stream):
        """The values of a server's stream up to its good end; any other frame before it is a failure."""
        values = []
        while True:
            got = self.receive()
            assert got is not None, f"the server closed the connection after {len(values)} messages"
            assert (got.stream, got.kind) == (stream, DATA), f"unexpected frame {got}"
            if got.is_good_end:
                return values
            assert got.flags == 0, f"unexpected flags of {got}"
            values.append(got.value)

    def call(self, method, value="", **options):
        """Sends a call and returns its answer; any other frame before it is a failure."""
        return self.answer(self.start(method, value, **options))

    def receive(self):
        """The next frame, or None at the end of the stream."""
        header = self._exactly(HEADER.size)
        if header is None:
            return None
        length, stream, kind, flags = HEADER.unpack(header)
        body = self._exactly(length) if length else b""
        return Answer(stream, kind, flags, body)

    def answer(self, stream):
        """The next frame, which must be the Response of this stream."""
        got = self.receive()
        assert got is not None, "the server closed the connection"
        assert (got.stream, got.kind) == (stream, RESPONSE), f"unexpected frame {got}"
        return got

    def answers(self, count):
        """That many frames, by stream id; a stream that is answered twice is a failure."""
        found = {}
        for _ in range(count):
            got = self.receive()
            assert got is not None, f"the server closed the connection after {len(found)} answers"
            assert got.kind == RESPONSE and got.stream not in found, f"unexpected frame {got}"
            found[got.stream] = got
        return found

    def rest(self):
        """Every frame until the server closes the connection (or resets it)."""
        found = []
        try:
            while (got := self.receive()) is not None:
                found.append(got)
        except ConnectionResetError:
            pass
        return found

    def works(self):
        """Whether an ordinary call is answered: the proof that this connection lives."""
        return self.call("Unary", "still here").value == "still here"

    def _exactly(self, count):
        while len(self.unread) < count:
            piece = self.socket.recv(max(65536, count - len(self.unread)))
            if not piece:
                assert not self.unread, f"the connection ended inside a frame: {bytes(self.unread[:32])!r}"
                return None
            self.unread += piece
        taken = bytes(self.unread[:count])
        del self.unread[:count]
        return taken

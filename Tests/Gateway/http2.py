"""HTTP/2 by hand (RFC 9113), so that tests can send what no client would."""

import ssl
import struct

DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY = 0, 1, 3, 4, 6, 7
# Seconds; long enough for a busy machine.
PATIENCE = 12.0


def frame(kind, flags, stream, body=b""):
    return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)


def hpack_text(text):
    data = text.encode()
    if len(data) < 127:
        return bytes([len(data)]) + data
    size, length = len(data) - 127, b"\x7f"
    while size >= 128:
        length += bytes([size % 128 + 128])
        size //= 128
    return length + bytes([size]) + data


class HTTP2:
    """Frames by hand."""

    def __init__(self, gateway, settings=b"", source=None):
        self.connection = gateway.connect("h2", source=source)
        self.connection.settimeout(PATIENCE)
        # The window of the whole connection is wide.
        self.connection.sendall(PREFACE[:24] + frame(4, 0, 0, settings) + frame(8, 0, 0, struct.pack(">I", 1 << 24)))
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def send(self, *frames):
        self.connection.sendall(b"".join(frames))

    def take(self):
        """The next frame: kind, flags, stream, body; `None` at the end."""
        try:
            while len(self.rest) < 9 or len(self.rest) < 9 + int.from_bytes(self.rest[:3]):
                piece = self.connection.recv(65536)
                if not piece:
                    return None
                self.rest += piece
        except (ConnectionResetError, ssl.SSLEOFError):
            return None
        size = int.from_bytes(self.rest[:3])
        head, body, self.rest = self.rest[:9], self.rest[9 : 9 + size], self.rest[9 + size :]
        if head[3:5] == bytes([PING, 0]):
            self.send(frame(PING, 1, 0, body))
        return head[3], head[4], int.from_bytes(head[5:9]), body

    def until(self, *kinds, stream=None):
        """The next frame of these kinds, of a stream."""
        while (found := self.take()) is not None:
            if found[0] in kinds and stream in (None, found[2]):
                return found
        return None

"""WebSockets by hand (RFC 6455), so that tests can send what no client would."""

import base64
import json
import os
import ssl
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def mask(data, key):
    return bytes(byte ^ key[index % 4] for index, byte in enumerate(data))


def frame(opcode, data=b"", final=True, masked=True, reserved=0):
    head = bytes([(0x80 if final else 0) | reserved << 4 | opcode])
    flag = 0x80 if masked else 0
    if len(data) < 126:
        head += bytes([flag | len(data)])
    elif len(data) < 1 << 16:
        head += bytes([flag | 126]) + struct.pack(">H", len(data))
    else:
        head += bytes([flag | 127]) + struct.pack(">Q", len(data))
    if not masked:
        return head + data
    key = os.urandom(4)
    return head + key + mask(data, key)


class WebSocket:
    def __init__(self, suite, method, fields=(), origin=None, path=None):
        self.connection = suite.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path or '/ws/' + method} HTTP/1.1", f"Host: {suite.host}:{suite.port}", "Connection: Upgrade"]
        lines += ["Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
        lines += ([f"Origin: {origin}"] if origin else []) + list(fields)
        self.connection.sendall("\r\n".join(lines + ["", ""]).encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            piece = self.connection.recv(65536)
            assert piece, self.rest
            self.rest += piece
        self.head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.status = int(self.head.split(b" ")[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def raw(self, data):
        self.connection.sendall(data)

    def send(self, message):
        self.raw(frame(TEXT, message if isinstance(message, bytes) else json.dumps(message).encode()))

    def take(self, count):
        while len(self.rest) < count:
            piece = self.connection.recv(65536)
            if not piece:
                raise EOFError
            self.rest += piece
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def frame(self, patience=15.0):
        """The next frame: opcode and data."""
        self.connection.settimeout(patience)
        first, length = self.take(2)
        assert first & 0xF0 == 0x80 and length < 128, (first, length)
        if length == 126:
            (length,) = struct.unpack(">H", self.take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self.take(8))
        return first & 15, self.take(length)

    def receive(self, patience=15.0):
        """The next message, which is not the last one."""
        opcode, data = self.frame(patience)
        assert opcode == TEXT, (opcode, data)
        return json.loads(data)

    def until(self, isWanted, patience=15.0):
        """The next message that is wanted, and those before it."""
        seen = []
        while True:
            seen.append(self.receive(patience))
            if isWanted(seen[-1]):
                return seen

    def end(self):
        """The last message, after any others, and the code of the close frame."""
        opcode, data = self.frame()
        while opcode == TEXT:
            opcode, data = self.frame()
        assert opcode == BINARY, (opcode, data)
        closing, code = self.frame()
        assert closing == CLOSE
        return json.loads(data), struct.unpack(">H", code)[0]

    def closed(self):
        """The code of the close frame that comes, after any messages; `None` for a connection that ends without."""
        try:
            opcode, data = self.frame()
            while opcode not in (CLOSE, BINARY):
                opcode, data = self.frame()
            assert opcode == CLOSE, (opcode, data)
            return struct.unpack(">H", data[:2])[0]
        except (EOFError, ConnectionResetError, ssl.SSLError):
            return None

"""A push gateway for tests: takes pushes over HTTPS into a folder, refuses some tokens, and says on which port.

usage: push_gateway.py FOLDER CERT KEY

The folder gets a file for every push that came in, NNNN-STATUS.json, with its headers and body.

What a token begins with decides the answer: "gone" 410, "unknown" 404, "bad" 400, "busy" 429 with Retry-After 600 the first time and
taken then, "broken" 503 the first time and taken then, "stray" a redirection. A wrong bearer token gets 401.
"""
import http.server
import json
import os
import pathlib
import ssl
import sys
import threading

folder, certificate, key = sys.argv[1:]
lock = threading.Lock()
seen = set()
count = 0


def answer(token):
    with lock:
        is_first = token not in seen
        seen.add(token)
    if token.startswith("gone"):
        return 410, {}
    if token.startswith("unknown"):
        return 404, {}
    if token.startswith("bad"):
        return 400, {}
    if token.startswith("busy") and is_first:
        return 429, {"Retry-After": "600"}
    if token.startswith("broken") and is_first:
        return 503, {}
    if token.startswith("stray"):
        return 307, {"Location": "https://localhost:1/elsewhere"}
    return 202, {}


class Gateway(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global count
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status, headers = answer(body["token"])
        if self.headers["Authorization"] != "Bearer gateway-secret":
            status, headers = 401, {}
        with lock:
            count += 1
            name = f"{count:04}-{status}"
        record = {"path": self.path, "headers": dict(self.headers), "body": body}
        part = pathlib.Path(folder) / f"{name}.part"
        part.write_text(json.dumps(record))
        part.rename(part.with_suffix(".json"))
        self.send_response(status)
        for field, value in headers.items():
            self.send_header(field, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def end_with_parent():
    """Ends this process once the other end of standard input is closed: with the test, or when its process dies."""
    sys.stdin.buffer.read()
    os._exit(0)


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
ready = pathlib.Path(folder) / "port"
ready.with_suffix(".part").write_text(str(server.server_address[1]))
ready.with_suffix(".part").rename(ready)
threading.Thread(target=end_with_parent, daemon=True).start()
server.serve_forever()

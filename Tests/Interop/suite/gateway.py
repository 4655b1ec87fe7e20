"""The example of the handbook's page "Write a gateway in an afternoon": HTTP for people, by calls of identity."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from google.protobuf.json_format import MessageToJson

from tandem.api import identity, notification
from tandem.api.blocking.identity import Accounts, Groups
from tandem.api.blocking.notification import Notifications
from tandem_client import Code, RPCError, blocking

STATUS = {
    Code.INVALID_ARGUMENT: 400,
    Code.FAILED_PRECONDITION: 400,
    Code.UNAUTHENTICATED: 401,
    Code.NOT_FOUND: 404,
    Code.RESOURCE_EXHAUSTED: 429,
    Code.UNAVAILABLE: 503,
    Code.DEADLINE_EXCEEDED: 504,
}


class Gateway(ThreadingHTTPServer):
    """Drains by `shutdown` and `server_close`: streams end, and what is being answered is answered."""

    daemon_threads = False

    def __init__(self, address, client):
        super().__init__(address, Page)
        self.client, self.streams, self.lock = client, set(), threading.Lock()

    def shutdown(self):
        super().shutdown()
        with self.lock:
            for stream in self.streams:
                stream.cancel()


class Page(BaseHTTPRequestHandler):
    def caller(self):
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        return self.server.client.on_behalf_of(
            token=token or None, address=self.client_address[0], traceparent=self.headers.get("traceparent")
        )

    def do_POST(self):
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        wanted = identity.LoginRequest(email_or_username=form["user"], password=form["password"])
        self.answer(lambda: Accounts(self.caller()).login(wanted))

    def do_GET(self):
        if self.path == "/inbox":
            return self.stream()
        wanted = identity.ListGroupsRequest(page_size=20, page_token=dict(parse_qsl(urlsplit(self.path).query)).get("page"))
        self.answer(lambda: Groups(self.caller()).list_groups(wanted, timeout=2.0))

    def stream(self):
        stream = Notifications(self.caller()).stream_notifications(notification.StreamNotificationsRequest(after=0))
        with self.server.lock:
            self.server.streams.add(stream)
        self.send_response(200)
        self.end_headers()
        try:
            for one in stream:
                self.wfile.write(MessageToJson(one, indent=None).encode() + b"\n")
        except RPCError:
            pass  # The reader sees that the stream has ended, and begins again behind what it has.

    def answer(self, call):
        try:
            self.tell(200, MessageToJson(call()))
        except identity.CredentialsIncorrect as failure:
            self.tell(403, json.dumps({"reason": failure.reason, "message": failure.message}))
        except RPCError as failure:
            body = {"reason": failure.reason, "message": failure.message, "fields": [one.field for one in failure.fields]}
            self.tell(STATUS.get(failure.code, 502), json.dumps(body), failure.retry_after)

    def tell(self, status, body, retry_after=None):
        self.send_response(status)
        if retry_after is not None:
            self.send_header("Retry-After", str(int(retry_after) + 1))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def serve(address, client: blocking.Client) -> Gateway:
    server = Gateway(address, client)
    threading.Thread(target=server.serve_forever).start()
    return server

"""The spans of the gateway, as a collector gets them."""

import contextlib
import http.server
import queue
import random
import subprocess
import threading
import time

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from sockets import WebSocket

OWN = "tandem.identity.v1.Accounts/GetOwnAccount"
PATIENCE = 20.0


class Collector:
    """Takes spans by OTLP over HTTP."""

    def __init__(self):
        self.arrived, self.spans = queue.Queue(), []
        arrived = self.arrived

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["content-length"])))
                for resource in request.resource_spans:
                    names = {one.key: one.value.string_value for one in resource.resource.attributes}
                    for scope in resource.scope_spans:
                        for span in scope.spans:
                            arrived.put((names["service.name"], span))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def span(self, isWanted):
        """The first span that is wanted, among those that came and those that come."""
        end = time.monotonic() + PATIENCE
        while True:
            for service, span in self.spans:
                if isWanted(span):
                    assert service == "gateway"
                    return span
            with contextlib.suppress(queue.Empty):
                self.spans.append(self.arrived.get(timeout=max(0.0, end - time.monotonic())))
                continue
            raise AssertionError(f"no such span among {self.spans}")


@pytest.fixture(scope="module")
def collector():
    made = Collector()
    yield made
    made.server.shutdown()


@pytest.fixture(scope="module")
def recorded(suite, collector, tmp_path_factory):
    """A gateway that records its requests."""
    with suite.another(tmp_path_factory.mktemp("traces"), otel_exporter_otlp_endpoint=collector.url) as gateway:
        yield gateway


def begun():
    """A trace of a client: its id, the client's span, the field that names both."""
    trace, parent = f"{random.getrandbits(128):032x}", f"{random.getrandbits(64) | 1:016x}"
    return trace, parent, f"traceparent: 00-{trace}-{parent}-01"


def attributes(span):
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def test_a_call_is_a_span_below_the_clients_and_the_services_below_that(suite, recorded, collector, user):
    """[GATE-5] W3C trace context: the client's span, the gateway's, its call of the service, what the service writes beside its event."""
    trace, parent, field = begun()
    book = {"title": "Dune", "authors": ["Frank Herbert"], "isbn": "9780441172719", "language": "en"}
    method = "tandem.catalog.v1.Books/AddBook"
    added = recorded.call(
        method, {"book": book, "titleConfirmed": True}, "-H", field, "-H", "tracestate: vendor=x", token=user["token"]
    )
    assert added.status == 200, added
    own = collector.span(lambda span: span.parent_span_id.hex() == parent)
    assert (own.trace_id.hex(), own.name, own.kind) == (trace, method, Span.SPAN_KIND_SERVER)
    assert own.trace_state == "vendor=x"
    assert attributes(own)["rpc.response.status_code"] == "OK" and attributes(own)["rpc.method"] == "AddBook"
    call = collector.span(lambda span: span.parent_span_id == own.span_id)
    assert (call.trace_id.hex(), call.name, call.kind) == (trace, method, Span.SPAN_KIND_CLIENT)
    assert own.start_time_unix_nano <= call.start_time_unix_nano < call.end_time_unix_nano <= own.end_time_unix_nano
    database = (suite.data / "secrets" / "catalog_database_url").read_text().strip()
    question = f"select count(*) from catalog.events where trace_parent = '00-{trace}-{call.span_id.hex()}-01'"
    found = subprocess.run(["psql", database, "-Atc", question], capture_output=True, text=True, check=True, timeout=60)
    assert int(found.stdout) > 0


def test_a_call_without_a_trace_begins_one(recorded, collector):
    """[GATE-5] A refusal is no failure of the gateway."""
    before = len(collector.spans)
    assert recorded.call(OWN, {}).status == 401
    own = collector.span(lambda span: span.name == OWN and not span.parent_span_id)
    assert attributes(own)["rpc.response.status_code"] == "UNAUTHENTICATED" and own.status.code == 0
    assert len(collector.spans) > before


def test_a_trace_that_is_not_recorded_stays_so(recorded, collector, user):
    """[GATE-5]"""
    trace, _, field = begun()
    assert recorded.call(OWN, {}, "-H", field[:-1] + "0", token=user["token"]).status == 200
    # What comes later has come.
    _, parent, other = begun()
    assert recorded.call(OWN, {}, "-H", other, token=user["token"]).status == 200
    collector.span(lambda span: span.parent_span_id.hex() == parent)
    assert not [span for _, span in collector.spans if span.trace_id.hex() == trace]


def test_a_websocket_names_its_trace_in_its_metadata(recorded, collector, user):
    """[GATE-5]"""
    trace, parent, field = begun()
    with WebSocket(recorded, "tandem.chat.v1.Chat/Connect") as chat:
        chat.send({"authorization": f"Bearer {user['token']}", "traceparent": field.partition(" ")[2]})
        chat.send({"tag": "here"})
        chat.send(b"")
        assert chat.end() == ({}, 1000)
    own = collector.span(lambda span: span.parent_span_id.hex() == parent)
    assert (own.trace_id.hex(), own.name) == (trace, "tandem.chat.v1.Chat/Connect")
    assert attributes(own)["rpc.response.status_code"] == "OK"


@pytest.mark.parametrize(
    "path,name",
    [
        ("/share/journey/a-secret-token", "GET /share/journey/{token}"), ("/calendar/a-secret-token.ics", "GET /calendar/{token}.ics"),
        ("/pictures/profile/a_secret_token", "GET /pictures/profile/{username}"),
    ],
)
def test_a_page_is_a_span_that_names_no_one(recorded, collector, user, path, name):
    """[GATE-5]"""
    _, parent, field = begun()
    assert recorded.curl(path, "-H", field, "-H", f"authorization: Bearer {user['token']}").status == 404
    own = collector.span(lambda span: span.parent_span_id.hex() == parent)
    assert own.name == name and attributes(own)["http.response.status_code"] == 404
    call = collector.span(lambda span: span.parent_span_id == own.span_id)
    assert call.kind == Span.SPAN_KIND_CLIENT
    assert b"secret" not in own.SerializeToString() + call.SerializeToString()

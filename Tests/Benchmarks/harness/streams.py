"""Streams of short messages over one connection, from the server, to it, and from it on 1,000 streams at once.

grpc-swift-2 is the peer. Go ttrpc is not: Debian's 1.1.1 has no streams. gRPC C++'s peer here has unary calls alone.
"""

import collections
import contextlib
import json

from harness import rows
from harness.echo import Peer
from harness.processes import run, say, started

# name: (what the client does, streams at once, messages of each)
LOADS = {"down": ("down", 1, 20_000), "up": ("up", 1, 20_000), "fanout": ("down", 1_000, 100)}


def measure(tools, plan, logs):
    """Messages a second and the server's CPU for a message; no rows where the programs are not there."""
    peers = [
        Peer("ours", [tools["echo-server"], "--port", "0", "--authenticate"], [tools["load"]]),
        Peer("grpc_swift", [tools["grpc-swift-server"]], [tools["grpc-swift-client"]]),
    ]
    if not all(peer.server[0] and peer.client[0] for peer in peers):
        return []
    seen = collections.defaultdict(list)
    with contextlib.ExitStack() as running:
        processes = [running.enter_context(started(peer.server, logs / f"{peer.name}-streams.log")) for peer in peers]
        for peer, process in zip(peers, processes):
            peer.target = ["--port", process.port(), "--server-pid", process.pid]
            if peer.name == "ours":
                peer.target += ["--token", process.word_after("token ")]
        for number in range(1, plan.rounds + 1):
            for load in LOADS:
                for peer in peers:
                    rate, cpu = _load(peer, load, plan)
                    seen[peer.name, load, "rate"].append(rate)
                    seen[peer.name, load, "cpu"].append(cpu)
                    say(f"streams, round {number} of {plan.rounds}: {peer.name}, {load}: {rate:,.0f} messages/s, "
                        f"CPU {cpu:.2f} us")
    return [
        row for load in LOADS for row in (
            _row(rows.more_is_better, seen, load, "rate"), _row(rows.less_is_better, seen, load, "cpu"))
    ]


def _load(peer, load, plan):
    """Messages a second, and the server's CPU for one in microseconds."""
    kind, streams, messages = LOADS[load]
    result = json.loads(run(
        peer.client + [kind] + peer.target + [
            "--callers", streams, "--messages", messages, "--seconds", plan.seconds, "--warm", plan.warm],
        timeout=plan.timeout))
    return result["rate"] * messages, result["cpu_us"] / messages


def _row(compare, seen, load, figure):
    return compare(
        f"stream.{load}.{figure}.grpc_swift", seen["ours", load, figure], seen["grpc_swift", load, figure])

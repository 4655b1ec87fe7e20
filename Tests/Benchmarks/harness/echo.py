"""Unary echo: the same 64-byte message, one connection, each peer loaded by a client of its own library."""

import collections
import contextlib
import json
import statistics

from harness import rows
from harness.processes import run, say, started

LOADS = (64, 1)  # callers


class Peer:
    """A server and the client that loads it."""

    def __init__(self, name, server, client):
        self.name = name
        self.server = server
        self.client = client
        self.target = []  # the flags that lead the client to the server, once that runs


def peers(tools):
    """Those whose programs have been built, ours first."""
    offered = [
        Peer("ours", [tools["echo-server"], "--port", "0", "--authenticate"], [tools["load"], "echo"]),
        Peer("grpc_swift", [tools["grpc-swift-server"]], [tools["grpc-swift-client"]]),
        Peer("grpc_cpp", [tools["grpc-cpp-server"]], [tools["grpc-cpp-client"]]),
        Peer("go_ttrpc", [tools["go-ttrpc"]], [tools["go-ttrpc"]]),
    ]
    return [peer for peer in offered if peer.server[0] and peer.client[0]]


def measure(tools, plan, logs):
    """{(peer, callers): [measurement of each round]}, the configurations interleaved."""
    seen = collections.defaultdict(list)
    with contextlib.ExitStack() as running:
        servers = []
        for peer in peers(tools):
            process = running.enter_context(started(peer.server, logs / f"{peer.name}-server.log"))
            port = process.port()
            if peer.name == "ours":  # with everything that a service has switched on
                peer.client += ["--token", process.word_after("token ")]
            servers.append((peer, process, port))
        for number in range(1, plan.rounds + 1):
            for callers in LOADS:
                for peer, process, port in servers:
                    command = peer.client + [
                        "--port", port, "--callers", callers, "--seconds", plan.seconds, "--warm", plan.warm,
                        "--server-pid", process.pid,
                    ]
                    result = json.loads(run(command, timeout=plan.timeout))
                    seen[peer.name, callers].append(result)
                    say(f"echo, round {number} of {plan.rounds}: {peer.name}, callers {callers}: {result['rate']:,.0f}/s, "
                        f"p50 {result['p50_us']:.0f} us, p99 {result['p99_us']:.0f} us, CPU {result['cpu_us']:.1f} us")
    return seen


def medians(seen):
    """What each peer did, as lines to print: the figures behind the ratios."""
    lines = [f"{'echo':<12} {'callers':>7} {'requests/s':>12} {'p50 us':>9} {'p99 us':>9} {'server CPU us':>14}"]
    for (name, callers), results in sorted(seen.items(), key=lambda item: (-item[0][1], item[0][0])):
        middle = {field: statistics.median(result[field] for result in results) for field in results[0]}
        lines.append(f"{name:<12} {callers:>7} {middle['rate']:>12,.0f} {middle['p50_us']:>9.1f} "
                     f"{middle['p99_us']:>9.1f} {middle['cpu_us']:>14.2f}")
    return "\n".join(lines)


def result(seen):
    """The rows that both sides were measured for."""
    def figures(peer, callers, field):
        return [measured[field] for measured in seen.get((peer, callers), [])]

    found = []
    for peer in ("grpc_swift", "grpc_cpp", "go_ttrpc"):
        if ("ours", 64) not in seen or (peer, 64) not in seen:
            continue
        extra = {}
        if peer == "go_ttrpc":
            ours, theirs = (statistics.median(figures(name, 64, "p99_us")) for name in ("ours", peer))
            extra = {"note": f"p99 {ours:.0f} us against {theirs:.0f} us", "fulfilled": ours <= theirs}
        found.append(rows.more_is_better(
            f"echo.c64.rate.{peer}", figures("ours", 64, "rate"), figures(peer, 64, "rate"), **extra))
        if peer == "go_ttrpc":
            continue
        found.append(rows.less_is_better(
            f"echo.c64.cpu.{peer}", figures("ours", 64, "cpu_us"), figures(peer, 64, "cpu_us")))
        found.append(rows.less_is_better(
            f"echo.c1.p50.{peer}", figures("ours", 1, "p50_us"), figures(peer, 1, "p50_us")))
    return found

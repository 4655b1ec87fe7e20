"""Encoding and decoding beside SwiftProtobuf, in one process, the two in turn."""

import json

from harness import rows
from harness.processes import run, say


def measure(tools, plan):
    """The codec rows, or none where the program is not there."""
    if not tools["codec"]:
        return []
    say(f"codec, {plan.rounds} rounds")
    seen = json.loads(run([tools["codec"], "--rounds", plan.rounds, "--seconds", plan.seconds / 4]))
    texts = {name: seen.pop(name) for name in ("json.read", "json.write")}
    return [
        rows.more_is_better(f"codec.{name}.swift_protobuf", figures["ours"], figures["peer"])
        for name, figures in seen.items()
    ] + [
        rows.less_is_better(f"gateway.{name}.us", _microseconds(figures["ours"]), _microseconds(figures["peer"]))
        for name, figures in texts.items()
    ]


def _microseconds(rates):
    """What each message takes at these rates a second."""
    return [1e6 / rate for rate in rates]

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
    return [
        rows.more_is_better(f"codec.{name}.swift_protobuf", figures["ours"], figures["peer"])
        for name, figures in seen.items()
    ]

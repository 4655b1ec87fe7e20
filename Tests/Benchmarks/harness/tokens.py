"""Checks of access tokens in one process, without a call: the first of a token, and those after it."""

import json

from harness import rows
from harness.processes import run, say


def measure(tools, plan):
    """The rows of the checks, or none where the program is not there."""
    if not tools["tokens"]:
        return []
    say(f"tokens, {plan.rounds} rounds")
    seen = json.loads(run([tools["tokens"], "--rounds", plan.rounds]))
    return [rows.absolute(f"token.{name}.p50_us", seen[name]) for name in ("cached", "first")]

"""After a restart: everybody comes back at once, beside a few who call as before."""

import json

from harness import rows
from harness.live import USERS, live
from harness.processes import in_turn, run, say

GROUP = 10  # members
CONNECTIONS = 16  # of gateways: phones are behind them
LOOKING_ON = 10  # groups whose members do not leave
LIMIT = 60  # seconds
KINDS = (("chat", "storm.chat.open_10k_s"), ("watch", "storm.watch.snapshot_10k_s"))


def measure(tools, plan, logs, users=USERS - GROUP * LOOKING_ON):
    """The rows; none where the programs are not there."""
    if not all(tools[name] for name in ("identity", "tracking", "load")):
        return []
    found = []
    with live(tools, logs) as service:
        groups = service.groups(users // GROUP + LOOKING_ON, GROUP)
        in_turn(*(lambda kind=kind, key=key: found.extend(_storm(service, groups, plan, kind, key)) for kind, key in KINDS))
    return found


def _storm(service, groups, plan, kind, key):
    """One storm on connections that the service has not used before, as after its restart."""
    seen = json.loads(run(
        service.command("storm", groups, "--kind", kind, "--connections", CONNECTIONS, "--others", LOOKING_ON, "--limit", LIMIT,
                        "--seconds", max(2, plan.seconds)), timeout=LIMIT + plan.timeout + 60))
    say(f"storm, {kind}: {seen['opened']:,} of {seen['streams']:,} open in {seen['opened_s']:.1f} s, {seen['told']:,} told in "
        f"{seen['told_s']:.1f} s, refused and tried again: {seen['refused'] or 'none'}; others p50 {seen['others_p50_ms']:.1f} p99 "
        f"{seen['others_p99_ms']:.1f} ms, before p50 {seen['calm_p50_ms']:.1f} p99 {seen['calm_p99_ms']:.1f}; cores: tracking "
        f"{seen['server_cores']:.2f}, load {seen['load_cores']:.2f}")
    # What was not told within the limit took at least that long.
    took = seen["told_s"] if seen["told"] == seen["streams"] else float(LIMIT)
    note = "" if seen["told"] == seen["streams"] else f"only {seen['told']:,} of {seen['streams']:,}"
    return [
        rows.absolute(key, [took], note=note),
        rows.less_is_better(f"storm.{kind}.others_p99_ms", [seen["others_p99_ms"]], [seen["calm_p99_ms"]]),
    ]

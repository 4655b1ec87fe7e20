"""Messages of the chat, from their sending to all members of the conversation."""

from harness import rows
from harness.live import live, storms
from harness.locations import _told
from harness.processes import say

RATE = 3_100  # messages a second: above the floor of those that are stored, so that no jitter decides
GROUP = 10  # members, all connected
SIZES = (100, 300, 1_000, 3_000, 10_000)  # users, of the table
PERIOD = 10 / 3  # seconds between two messages of a user of the table: the largest size reaches the rate


def measure(tools, plan, logs):
    """The rows, and how they grow with the number of users; none where the programs are not there."""
    if not all(tools[name] for name in ("identity", "tracking", "load")):
        return [], ""
    with live(tools, logs) as service:
        return _messages(service, plan) + storms(service, plan, "chat"), _growth(service, plan)


def _messages(service, plan):
    """3,000 users in groups of 10 send a message a second each."""
    groups, seen = service.groups(300, GROUP), []
    for number in range(1, plan.rounds + 1):
        seen.append(service.load("chat", groups, plan, "--rate", RATE, seconds=2 * plan.seconds))
        say(f"chat, round {number} of {plan.rounds}, {RATE:,}/s: {_told(seen[-1])}")
    return [rows.absolute("chat.rate", [one["rate"] for one in seen]),
            rows.absolute("chat.p99_ms", [one["seen_p99_ms"] for one in seen])]


def _growth(service, plan):
    """A table of the same load with more and more users."""
    lines = [f"{'users':>7} {'messages/s':>10} {'stored p50':>11} {'p99 ms':>7} {'seen p50':>9} {'p99 ms':>7} {'events/s':>9} "
             f"{'us/message':>10} {'MiB':>5}"]
    for users in SIZES:
        seen = service.load("chat", service.groups(users // GROUP, GROUP), plan, "--rate", users / PERIOD,
                            seconds=2 * plan.seconds)
        lines.append(
            f"{users:>7,} {seen['rate']:>10,.0f} {seen['ack_p50_ms']:>11.1f} {seen['ack_p99_ms']:>7.1f} {seen['seen_p50_ms']:>9.1f} "
            f"{seen['seen_p99_ms']:>7.1f} {seen['seen_rate']:>9,.0f} {seen['server_cores'] * 1e6 / seen['rate']:>10.0f} "
            f"{service.process.rss_mb():>5.0f}")
        say(f"chat, {users:,} users: {_told(seen)}")
    return "\n".join(lines)

"""Positions of users: stored durably, and seen by the members of their groups."""

import pathlib
import tempfile
import time

from harness import database, rows
from harness.live import live, storms
from harness.processes import Failed, say, started
from harness.suite import DATABASE, Suite

FULL_RATE = 5_100  # positions a second: above the floor of those that are stored, so that no jitter decides
GROUP = 5  # members, each of whom watches the others
VIEWERS = 1_000  # of one group of the largest size, each member on several devices
LARGEST_GROUP = 200
IDLE = 10_000
SIZES = (100, 300, 1_000, 3_000, 10_000)  # users, of the table
SWEPT = 200_000  # users whose positions are old
DAYS = 30  # partitions in which they are
SWEEP_LIMIT = 600  # seconds
# Three positions of each user, each in another partition: older than the retention time, which is 30 days.
OLD_POSITIONS = """
set role tracking;
set search_path = tracking;
insert into users (id) select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, {users}) as n;
insert into trackers (user_id) select id from users;
select count(make_partition('path_points', (now() at time zone 'UTC')::date - 31 - day)) from generate_series(0, {days} - 1) as day;
insert into path_points (user_id, recorded_at, latitude, longitude)
select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
  ((now() at time zone 'UTC')::date - 31 - (n + {days} / 3 * part) % {days})::timestamp at time zone 'UTC' + interval '1 hour',
  52.5, 13.4
from generate_series(1, {users}) as n cross join generate_series(0, 2) as part
"""
PARTITIONS = """
select count(*) from pg_inherits where inhparent = 'tracking.path_points'::regclass
and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - 30
"""
PERIOD = 2  # seconds between two positions of a user of the table: the largest size reaches the full rate


def measure(tools, plan, logs):
    """The rows, and how they grow with the number of users; none where the programs are not there."""
    if not all(tools[name] for name in ("identity", "tracking", "load")):
        return [], ""
    with live(tools, logs) as service:
        found = _calls(service, plan) + _rates(service, plan) + _viewers(service, plan)
        found += _idle(service) + storms(service, plan, "watch")
        table = _growth(service, plan)
    return found + _sweep(tools, logs), table


def _sweep(tools, logs):
    """The sweep that a service begins with deletes what is old, and drops what is empty then."""
    with tempfile.TemporaryDirectory(prefix="tandem-bench-") as folder, database.cluster() as cluster:
        suite = Suite(tools, cluster, pathlib.Path(folder), logs, ("identity", "tracking"))
        suite.provide()
        cluster.sql(OLD_POSITIONS.format(users=SWEPT, days=DAYS), DATABASE)
        cluster.sql("vacuum analyze", DATABASE)
        took = []

        def sweep():
            with suite.serving("identity"), suite.serving("tracking"):
                begin = time.monotonic()
                while int(cluster.sql(PARTITIONS, DATABASE)) > 0:
                    if time.monotonic() - begin > SWEEP_LIMIT:
                        raise Failed("the sweep did not end")
                    # The sweep tells of its end by its partitions alone; a tenth of a second is little beside what is measured.
                    time.sleep(0.1)
                took.append(time.monotonic() - begin)

        longest = cluster.longest_of(sweep)
        say(f"locations, a sweep of {SWEPT:,} users: {took[0]:.1f} s, longest statement {longest:,.0f} ms")
        return [rows.absolute("sweep.trackers_200k.longest_ms", [longest]), rows.absolute("sweep.trackers_200k.s", took)]


def _calls(service, plan):
    """64 callers beside pgbench; one member of each group watches it."""
    groups = service.groups(2_000, GROUP)
    ours, pgbench = [], []
    for number in range(1, plan.rounds + 1):
        seen = service.load("locations", groups, plan, "--viewers", 1, "--callers", 64)
        ours.append(seen["rate"])
        pgbench.append(service.upserts(plan.seconds))
        say(f"locations, round {number} of {plan.rounds}, 64 callers: {_told(seen)}; pgbench {pgbench[-1]:,.0f}/s")
    return [rows.more_is_better("location.c64.rate.pgbench", ours, pgbench)]


def _rates(service, plan):
    """All members of all groups report and watch."""
    groups, found = service.groups(2_000, GROUP), []
    for name, rate in (("half", FULL_RATE / 2), ("full", FULL_RATE)):
        seen = []
        for number in range(1, plan.rounds + 1):
            seen.append(service.load("locations", groups, plan, "--rate", rate, seconds=2 * plan.seconds))
            say(f"locations, round {number} of {plan.rounds}, {rate:,.0f}/s: {_told(seen[-1])}")
        found.append(rows.absolute(f"location.{name}.rate", [one["rate"] for one in seen]))
        found.append(rows.absolute(f"location.{name}.p99_ms", [one["seen_p99_ms"] for one in seen]))
    return found


def _viewers(service, plan):
    """Each position of one member goes to 1,000 viewers."""
    groups, seen = service.groups(1, LARGEST_GROUP), []
    for number in range(1, plan.rounds + 1):
        seen.append(service.load(
            "locations", groups, plan, "--reporters", 1, "--devices", VIEWERS // LARGEST_GROUP, "--rate", 5,
            seconds=2 * plan.seconds))
        say(f"locations, round {number} of {plan.rounds}, {VIEWERS:,} viewers: {_told(seen[-1])}")
    return [rows.absolute("watch.v1000.p99_ms", [one["seen_p99_ms"] for one in seen])]


def _idle(service):
    """What tracking holds while 10,000 streams watch, and nothing changes."""
    with started(service.command("locations", service.groups(IDLE // GROUP, GROUP), "--idle", "--connections", 16),
                 service.suite.logs / "idle-watchers.log") as load:
        count = int(load.word_after("watching ", timeout=90))
        memory = service.process.rss_mb()
    say(f"locations, {count:,} idle watchers: {memory:.0f} MiB")
    return [rows.absolute("watch.idle_10k.rss_mb", [memory])]


def _growth(service, plan):
    """A table of the same load with more and more users."""
    lines = [f"{'users':>7} {'updates/s':>10} {'stored p50':>11} {'p99 ms':>7} {'seen p50':>9} {'p99 ms':>7} {'events/s':>9} "
             f"{'us/update':>10} {'MiB':>5}"]
    for users in SIZES:
        seen = service.load("locations", service.groups(users // GROUP, GROUP), plan, "--rate", users / PERIOD,
                            seconds=2 * plan.seconds)
        lines.append(
            f"{users:>7,} {seen['rate']:>10,.0f} {seen['ack_p50_ms']:>11.1f} {seen['ack_p99_ms']:>7.1f} {seen['seen_p50_ms']:>9.1f} "
            f"{seen['seen_p99_ms']:>7.1f} {seen['seen_rate']:>9,.0f} {seen['server_cores'] * 1e6 / seen['rate']:>10.0f} "
            f"{service.process.rss_mb():>5.0f}")
        say(f"locations, {users:,} users: {_told(seen)}")
    return "\n".join(lines)


def _told(seen):
    return (f"{seen['rate']:,.0f}/s, stored p50 {seen['ack_p50_ms']:.1f} p99 {seen['ack_p99_ms']:.1f} ms, seen p50 "
            f"{seen['seen_p50_ms']:.1f} p99 {seen['seen_p99_ms']:.1f} ms, {seen['missing']} missing, cores: tracking "
            f"{seen['server_cores']:.2f}, load {seen['load_cores']:.2f}")

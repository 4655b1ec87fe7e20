"""The importer on a private cluster: an export of Apple Health, FIT and GPX files beside PyPI's parsers, activities of a provider, summaries.

The files are made for the run. Of the export only a day exists as a file: it is sent again and again, with the date of each day.
"""

import contextlib
import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import threading
import time

from harness import build, database, provider, rows, trackfiles, users
from harness.matching import quantile
from harness.processes import Failed, run, say
from harness.suite import DATABASE, Suite

SERVICES = ("identity", "importer")
USERS = 8
EXPORT_BYTES = {False: 2 << 30, True: 200 << 20}  # of a quick run
DAYS = 3_650
PEERS_EXPORT_BYTES = {False: 40 << 20, True: 10 << 20}  # what PyPI's parser reads: it takes minutes for two gigabytes
MEMORY = pathlib.Path("/dev/shm")  # where its database is, so that it is not measured how fast a disk is
RECORDS = {False: 120_000, True: 30_000}
OUTINGS = {False: 3_000, True: 150}  # of a takeout, an hour each
OUTING_POINTS = 3_600
TAKEOUT_SECONDS = 900  # for which it is waited
PATIENCE = ("--max-unread-mib-per-stream", 32)  # so that no short stall of the reader ends an upload
ACTIVITIES = 1_000
QUERIES = 400
CALLERS = 2
LOOK_SECONDS = 0.02
PEER = build.HERE / "peers" / "python" / "read-file"
PYTHON = build.ROOT / ".venv" / "bin" / "python"
HEALTH_PEER = build.ROOT / ".venv" / "bin" / "healthkit-to-sqlite"

# Ten years of somebody with a watch and an app: three activities in two days, steps and sleep of both each day, a weighing in three days.
FILL = f"""
insert into importer.activities (id, user_id, sport, started_at, time_zone, duration_s, distance_m, energy_kcal, ascent_m, title, updated_at)
select gen_random_uuid(), '{{user}}', (array['RUN', 'RIDE', 'WALK', 'STRENGTH'])[1 + number % 4], now() - number * interval '16 hours',
  'Europe/Berlin', 1800 + number % 3600, 5000 + number % 9000, 400, number % 300, '', now()
from generate_series(1, {DAYS * 3 // 2}) as number;
insert into importer.daily_steps (user_id, day, provider, steps, stored_at)
select '{{user}}', current_date - number, provider, 4000 + number % 9000, now()
from generate_series(0, {DAYS}) as number cross join unnest(array['fitbit', 'apple-health']) as provider;
insert into importer.sleeps (user_id, provider, external_id, started_at, ended_at, time_zone, asleep_s, stored_at)
select '{{user}}', provider, number::text, now() - number * interval '1 day' - interval '8 hours', now() - number * interval '1 day',
  'Europe/Berlin', 25000 + number % 4000, now()
from generate_series(0, {DAYS}) as number cross join unnest(array['fitbit', 'apple-health']) as provider;
insert into importer.weights (user_id, measured_at, provider, weight_kg, stored_at)
select '{{user}}', now() - number * interval '3 days', 'withings', 70 + number % 5, now() from generate_series(0, {DAYS // 3}) as number;
"""
# One statement that says what a summary says.
PLAIN_SUMMARY = """
select day, sum(activities), sum(seconds), sum(metres), sum(steps), sum(asleep), max(weight) from (
  select date_trunc('{unit}', started_at at time zone '{zone}')::date as day, 1 as activities, duration_s as seconds, distance_m as metres,
    0 as steps, 0 as asleep, null::double precision as weight
  from importer.activities
  where user_id = '{user}' and started_at >= '{first}'::timestamp at time zone '{zone}'
    and started_at < ('{last}'::date + 1)::timestamp at time zone '{zone}'
  union all
  select date_trunc('{unit}', day)::date, 0, 0, 0, max(steps), 0, null from importer.daily_steps
  where user_id = '{user}' and day between '{first}' and '{last}' group by day
  union all
  select date_trunc('{unit}', day)::date, 0, 0, 0, 0, max(asleep), null from (
    select (ended_at at time zone '{zone}')::date as day, sum(asleep_s) as asleep from importer.sleeps
    where user_id = '{user}' and ended_at >= '{first}'::timestamp at time zone '{zone}'
      and ended_at < ('{last}'::date + 1)::timestamp at time zone '{zone}'
    group by 1, provider
  ) as nights group by day
  union all
  select date_trunc('{unit}', measured_at at time zone '{zone}')::date, 0, 0, 0, 0, 0, weight_kg from importer.weights
  where user_id = '{user}' and measured_at >= '{first}'::timestamp at time zone '{zone}'
    and measured_at < ('{last}'::date + 1)::timestamp at time zone '{zone}'
) as parts group by day order by day;
"""


def measure(tools, plan, logs):
    """The rows of the importer; those whose peers are not installed have none."""
    if not all(tools[name] for name in ("identity", "importer", "activity-file-reader", "load")):
        return []
    quick = plan.rounds < 5
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            suite = Suite(tools, cluster, folder, logs, SERVICES)
            suite.provide()
            with suite.serving("identity"):
                tokens = users.make(suite, USERS)
                with (provider.serving(folder, ACTIVITIES) as (settings, strava),
                      suite.serving("importer", [*settings, *PATIENCE]) as service):
                    importer = Importer(suite, plan, service, tokens.read_text(encoding="utf-8").split())
                    return (importer.export(EXPORT_BYTES[quick], PEERS_EXPORT_BYTES[quick]) + importer.takeout(OUTINGS[quick])
                            + importer.files(RECORDS[quick])
                            + importer.provider(strava) + importer.summaries())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Importer:
    """The importer of a suite, with a user for each measurement."""

    def __init__(self, suite, plan, service, tokens):
        self.suite, self.plan, self.service, self.tokens = suite, plan, service, tokens
        self.folder, self.cluster = suite.folder, suite.cluster

    def user(self):
        """A file with the token of a user of whom nothing is stored."""
        path = self.folder / "token"
        path.write_text(self.tokens.pop() + "\n", encoding="utf-8")
        return path

    # MARK: Files

    def export(self, size, peers_size):
        """An export of Apple Health: how fast it is read, and what service and reader take together."""
        template = self.folder / "health.xml"
        day = trackfiles.health_template(template, size // DAYS)
        with largest_memory(self.service) as memory:
            seen = self.suite.load(
                "upload", "importer", "--tokens", self.user(), "--path", template, "--days", DAYS, timeout=600)
        if (seen["activities"], seen["steps"]) != (DAYS, DAYS):
            raise Failed(f"of the export {seen['activities']:,} workouts and {seen['steps']:,} days of steps were stored")
        uploaded = seen["bytes"] / 1e6 / seen["seconds"]
        ours = size / 1e6 / self.read(trackfiles.health_days(template, DAYS))
        say(f"importer, export of {seen['bytes'] / 1e6:,.0f} MB: uploaded at {uploaded:.0f} MB/s, read alone at {ours:.0f} MB/s; service "
            f"{memory.service:.0f} MiB, reader {memory.reader:.0f} MiB")
        peer = []
        if HEALTH_PEER.exists():
            whole = self.folder / "export.xml"
            trackfiles.health(whole, template, peers_size // day)
            with tempfile.TemporaryDirectory(prefix="tandem-bench-", dir=MEMORY if MEMORY.is_dir() else None) as made:
                begun = time.monotonic()
                run([HEALTH_PEER, whole, f"{made}/health.db", "--xml"])
                peer = [whole.stat().st_size / 1e6 / (time.monotonic() - begun)]
            say(f"importer, {whole.stat().st_size / 1e6:,.0f} MB by healthkit-to-sqlite: {peer[0]:.1f} MB/s")
            whole.unlink()
        return [rows.more_is_better("health.rate", [ours], peer) if peer else rows.absolute("health.rate", [ours]),
                rows.absolute("health.upload.rate", [uploaded]),
                rows.absolute("health.memory_mb", [memory.service + memory.reader])]

    def takeout(self, outings):
        """An archive of years, in one upload: how long it takes until it is stored, and what service and reader take together."""
        path = self.folder / "takeout.zip"
        trackfiles.takeout(path, outings, OUTING_POINTS)
        with largest_memory(self.service) as memory:
            seen = self.suite.load("upload", "importer", "--tokens", self.user(), "--path", path, timeout=TAKEOUT_SECONDS)
        samples = int(self.cluster.sql(
            f"""
            select sum(sample_count) from importer.activity_sources
            where user_id = (select user_id from importer.activities where id = '{seen['id']}')
            """, DATABASE))
        if (seen["activities"], samples) != (outings, outings * OUTING_POINTS):
            raise Failed(f"of the takeout {seen['activities']:,} activities with {samples:,} samples were stored")
        say(f"importer, takeout of {outings:,} outings, {path.stat().st_size / 1e6:,.0f} MB: {seen['seconds']:.0f} s; service "
            f"{memory.service:.0f} MiB, reader {memory.reader:.0f} MiB, {samples:,} samples stored")
        path.unlink()
        return [rows.absolute("takeout.s", [seen["seconds"]]), rows.absolute("takeout.memory_mb", [memory.service + memory.reader])]

    def files(self, records):
        """FIT and GPX beside PyPI's parsers: the reader with its start and end, the parsers without Python's."""
        found = []
        for kind, make in (("fit", trackfiles.fit), ("gpx", trackfiles.gpx)):
            path = self.folder / f"long.{kind}"
            make(path, records)
            size = path.stat().st_size / 1e6
            content = path.read_bytes()
            ours = [size / self.read([content]) for _ in range(self.plan.rounds)]
            stored = self.stored(path)
            say(f"importer, {kind} of {size:.1f} MB: {', '.join(f'{rate:.0f}' for rate in ours)} MB/s, {stored:,} records")
            if kind == "fit":
                found.append(rows.absolute("fit.rate", ours))
            if not (PYTHON.exists() and subprocess.run([PYTHON, "-c", "import fitdecode, gpxpy"], check=False).returncode == 0):
                say("importer: fitdecode and gpxpy are not installed (.ci/install bench)")
                continue
            peer = json.loads(run([PYTHON, PEER, kind, path], timeout=300))
            say(f"importer, {kind} by PyPI's parser: {size / peer['seconds']:.2f} MB/s, {peer['records']:,} records")
            same = stored == peer["records"]
            found.append(rows.more_is_better(
                {"fit": "fit.rate.fitdecode", "gpx": "gpx.rate.gpxpy"}[kind], ours, [size / peer["seconds"]], fulfilled=same,
                note="the same records" if same else f"{stored:,} records, not {peer['records']:,}"))
            path.unlink()
        return found

    def read(self, parts):
        """Seconds for the confined reader alone."""
        begun = time.monotonic()
        with subprocess.Popen([self.suite.tools["activity-file-reader"], "UTC", "optional"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as reader:
            for part in parts:
                reader.stdin.write(part)
            reader.stdin.close()
            found = reader.stdout.read()
        if reader.returncode != 0 or len(found) < 1_000:
            raise Failed(f"the reader ended with {reader.returncode} and {len(found)} bytes")
        return time.monotonic() - begun

    def stored(self, path):
        """Records of the activity that is stored of a file."""
        seen = self.suite.load("upload", "importer", "--tokens", self.user(), "--path", path, timeout=120)
        return int(self.cluster.sql(
            f"select sum(sample_count) from importer.activity_sources where activity_id = '{seen['id']}'", DATABASE))

    # MARK: Provider and summaries

    def provider(self, strava):
        """Activities with their tracks from a provider, beside the requests alone."""
        alone = provider.fetch_alone(strava, self.folder, ACTIVITIES)
        seen = self.suite.load("import-tracker", "importer", "--tokens", self.user(), timeout=300)
        say(f"importer, {seen['activities']:,} activities from a provider: {seen['seconds']:.1f} s; the requests alone {alone:.1f} s")
        if seen["activities"] != ACTIVITIES:
            raise Failed(f"{seen['activities']} activities")
        return [rows.less_is_better("provider.activities_1000.s", [seen["seconds"]], [alone])]

    def summaries(self):
        """Summaries of ranges within ten years."""
        token = self.user()
        # The token's user: each is taken from the end.
        user = self.cluster.sql(f"select id from users_of_bench where number = {len(self.tokens)}", DATABASE).strip()
        self.cluster.sql(FILL.format(user=user), DATABASE)
        self.cluster.sql("vacuum analyze", DATABASE)
        newcomer = self.folder / "reader.json"
        newcomer.write_text(json.dumps({"access_token": token.read_text(encoding="utf-8").strip()}), encoding="utf-8")
        asked = questions(self.cluster)
        seen = self.suite.ask("summarize", self.service, "importer", newcomer, [" ".join(one) for one in asked], self.plan, CALLERS)
        plain = self.cluster.latencies(
            [PLAIN_SUMMARY.format(user=user, unit=unit, first=first, last=last, zone=zone) for unit, first, last, zone in asked], DATABASE)
        say(f"importer, summaries: p50 {seen['p50_us'] / 1000:.2f} ms, p99 {seen['p99_us'] / 1000:.2f} ms; plain SQL p99 "
            f"{quantile(plain, 0.99):.2f} ms")
        return [rows.less_is_better("summaries.10y.p99_ms", [seen["p99_us"] / 1000], [quantile(plain, 0.99)])]


def questions(cluster):
    """Periods of ranges that apps show: weeks and months of all ten years or one, days of up to a year."""
    chance, asked = random.Random(2026), []
    for _ in range(QUERIES):
        unit, days = chance.choice((("month", DAYS - 10), ("week", DAYS - 10), ("month", 365), ("week", 365), ("day", 365), ("day", 31)))
        ago = chance.randrange(0, DAYS - days)
        zone = chance.choice(("Europe/Berlin", "America/New_York", "Asia/Kolkata"))
        asked.append((unit, ago + days, ago, zone))
    today = cluster.sql("select current_date", DATABASE).strip()
    days = dict(line.split("|") for line in cluster.sql(
        f"select number, '{today}'::date - number from generate_series(0, {DAYS}) as number", DATABASE).splitlines())
    return [(unit, days[str(first)], days[str(last)], zone) for unit, first, last, zone in asked]


class Memory:
    """The most that was seen, in MiB."""

    service = reader = 0.0


@contextlib.contextmanager
def largest_memory(service):
    """The largest resident memory of a service and of a process that it starts, for the length of a `with`."""
    memory, done = Memory(), threading.Event()

    def look():
        while not done.wait(LOOK_SECONDS):
            memory.service = max(memory.service, peak(service.pid))
            memory.reader = max([memory.reader, *map(peak, children(service.pid))])
    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield memory
    finally:
        done.set()
        looking.join()


def children(process):
    """The processes that a process has started."""
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):  # a thread may have ended meanwhile
            found += map(int, (task / "children").read_text().split())
    return found


def peak(process):
    """The most that a process ever had, in MiB; 0 for one that has ended."""
    with contextlib.suppress(OSError):
        status = pathlib.Path(f"/proc/{process}/status").read_text()
        for line in status.splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    return 0.0

"""The exercises of two collections, and a million sets that people did: how long it takes to find an exercise by muscle, equipment and a name as
people type it, and to log a workout.

The exercises are those of ../shared/data/exercises, or without that folder the project's own sample.
"""

import pathlib
import random
import shutil
import tempfile

from harness import build, database, rows
from harness.processes import run, say
from harness.suite import DATABASE, Suite, plan_of

SERVICES = ("identity", "catalog")
CALLERS = 2
SIZES = {"10k": 10_000, "1m": 1_000_000}
PEOPLE = 1_000
SETS = 10  # of a log
QUERIES = 400
SHARED = build.ROOT.parent / "shared" / "data" / "exercises"
REAL = {"free-exercise-db": SHARED / "free-exercise-db.exercises.json", "wger": SHARED / "wger.exercises-en.json"}
SAMPLE = {"tandem": build.ROOT / "Services" / "Catalog" / "Samples" / "exercises.json"}

# Logs of other people than the one who calls; who has how many is spread evenly.
MAKE = """
insert into catalog.users (id, username)
select ('01900000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, 'person' || number
from generate_series(1, {people}) as number
on conflict (id) do nothing;
create temporary table known as select row_number() over (order by id) - 1 as place, id from catalog.exercises
where merged_into is null;
insert into catalog.workout_logs (id, owner_id, name, note, started_at, created_at)
select ('01920000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
  ('01900000-0000-7000-8000-' || lpad((number % {people} + 1)::text, 12, '0'))::uuid,
  'Workout', '', now() - number * interval '1 minute', now()
from generate_series({first}, {last}) as number;
insert into catalog.logged_sets (log_id, place, owner_id, exercise_id, reps, weight_g, duration_s)
select log.id, entry, log.owner_id, known.id, 5 + entry % 8, 20000 + entry * 2500, 0
from generate_series({first}, {last}) as number
cross join generate_series(1, {sets}) as entry
join catalog.workout_logs as log on log.id = ('01920000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid
join known on known.place = (number * 31 + entry / 4) % (select count(*) from known)
"""
EXERCISES = "select id from catalog.exercises where merged_into is null order by id"
NAMES = """
select name, array_to_string(muscles, ' '), array_to_string(equipment, ' ')
from catalog.exercises where merged_into is null order by id
"""
SEARCHES = {
    "by name": "select id from exercises where words @@ 'press:* & bench:*'::tsquery",
    "progress": "select count(*) from logged_sets where owner_id = '01900000-0000-7000-8000-000000000007'",
}


def measure(tools, plan, logs):
    """The rows, and the plans of the questions; none where something is missing."""
    if not (tools["identity"] and tools["catalog"] and tools["load"] and tools["interop"]):
        say("workouts: left out, it needs the Go client")
        return [], ""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            suite = Suite(tools, cluster, folder, logs, SERVICES)
            suite.provide()
            workouts = Workouts(suite)
            workouts.load()
            found, first = [], 1
            for name, size in SIZES.items():
                workouts.fill(first, size // SETS)
                first = size // SETS + 1
                found += workouts.calls(name, size, plan)
            return found, workouts.plans()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Workouts:
    """The catalog of a suite, with exercises and with what people did."""

    def __init__(self, suite):
        self.suite = suite
        self.cluster = suite.cluster

    def load(self):
        """Loads the collections."""
        for kind, path in (REAL if all(path.exists() for path in REAL.values()) else SAMPLE).items():
            said = run([self.suite.tools["catalog"], "load", "exercises", path, "--format", kind,
                        "--database-url", self.suite.url("catalog")])
            say(f"workouts: {kind}: {said.strip()}")

    def fill(self, first, last):
        """Makes logs up to so many."""
        self.cluster.sql(MAKE.format(first=first, last=last, people=PEOPLE, sets=SETS), DATABASE)
        self.cluster.sql("vacuum analyze catalog.workout_logs, catalog.logged_sets", DATABASE)

    def calls(self, name, size, plan):
        """The rows of one size. Exercises are as many in all of them, so they are searched once."""
        found, is_last = [], size == max(SIZES.values())
        with self.suite.serving("identity"):
            newcomers = [self.suite.newcomer(f"lifter_{name}_{number}") for number in range(plan.rounds)]
            with self.suite.serving("catalog") as catalog:
                for kind, texts in self.questions().items() if is_last else ():
                    seen = self.suite.ask("exercise-search", catalog, "catalog", newcomers[0], texts, plan, CALLERS)
                    say(f"workouts, {kind}: p50 {seen['p50_us'] / 1000:.2f} ms, p99 {seen['p99_us'] / 1000:.2f} ms")
                    found.append(rows.absolute(f"{kind}.exercises.p99_ms", [seen["p99_us"] / 1000]))
                slowest = [self.log(catalog, newcomer, plan) for newcomer in newcomers]
                say(f"workouts, {size:,} sets, log: p99 {', '.join(f'{p99:.2f}' for p99 in slowest)} ms")
                found.append(rows.absolute(f"log.sets_{name}.p99_ms", slowest))
                if is_last:
                    found.append(rows.absolute("workouts_1m.rss_mb", [catalog.rss_mb()]))
        return found

    def log(self, catalog, newcomer, plan):
        """The 99th percentile in ms of one round; somebody has 20,000 logs at most, so every round is another one's."""
        path = self.suite.folder / "exercises.txt"
        path.write_text(self.cluster.sql(EXERCISES, DATABASE), encoding="utf-8")
        seen = self.suite.load(
            "log-workout", "catalog", "--server-pid", catalog.pid, "--callers", CALLERS, "--seconds", plan.seconds,
            "--warm", plan.warm, "--newcomer", newcomer, "--queries", path, timeout=plan.timeout)
        return seen["p99_us"] / 1000

    def questions(self):
        """Searches by kind: words of a name as people type them with a muscle and equipment that fit, and such words misspelt."""
        chance = random.Random(2026)
        known = [line.split("|") for line in self.cluster.sql(NAMES, DATABASE).splitlines()]
        exact, similar = [], []
        for name, muscles, equipment in chance.sample(known, min(QUERIES, len(known))):
            words = [word for word in "".join(c if c.isalnum() else " " for c in name).split() if len(word) > 2]
            if not words:
                continue
            muscle, tool = (chance.choice(texts.split() or [""]) for texts in (muscles, equipment))
            chosen = words[: chance.choice((1, 2, 3))]
            exact.append("\t".join((" ".join(chosen), chance.choice((muscle, "")), chance.choice((tool, "")))))
            long = max(words, key=len)
            if len(long) > 5:
                place = chance.randrange(1, len(long) - 1)
                swapped = long[:place] + long[place + 1] + long[place] + long[place + 2:]
                similar.append("\t".join((swapped, muscle, tool)))
        return {"search": exact, "search.similar": similar}

    def plans(self):
        """How the database finds exercises by words, and what somebody did."""
        return "\n".join(
            f"workouts, {name}:\n" + plan_of(self.cluster, "catalog", sql) for name, sql in SEARCHES.items())

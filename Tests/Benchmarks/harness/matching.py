"""Matching on a private cluster: browsing a million sessions, joins of one session and of many, and the judgement of those that start together.

The plain-SQL counterparts do what the calls do to the same tables, without tokens, ranking, events and the bars of judges.
"""

import contextlib
import json
import math
import os
import pathlib
import random
import shutil
import tempfile
import time

from harness import database, rows, users
from harness.processes import Failed, say
from harness.suite import DATABASE, Suite, plan_of

SERVICES = ("identity", "matching")
SIZES = {"10k": 10_000, "1m": 1_000_000}
OWNED = 10  # sessions of each owner
GYMS = 20_000
QUERIES = 400
PLAIN_QUERIES = 100  # of these that plain SQL answers too
CALLERS = 2
USERS = 500
RACES = 5
JOINERS = 16
JOINS_PER_SECOND = 5_000  # more than any machine here does, so that no round runs out of sessions
CORES = 2
JUDGED = 100_000
PATIENCE = 300.0  # seconds for a judgement that was asked for
EARTH_M = 6_371_008.8

MAKE_GYMS = f"""
create schema bench;
grant usage on schema bench to matching;
-- UUIDv7s of one kind of rows, a second apart: an index of ids from one millisecond would be read as if all were equal.
create function bench.id(kind integer, number bigint) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(1600000000000 + kind * 10000000000::bigint + number * 1000), 12, '0') || '70008' || lpad(to_hex(number), 15, '0'))::uuid
$$;
select setseed(0.2026);
create table bench.towns as
select place, degrees(asin(random() * 1.6 - 0.7)) as latitude, random() * 360 - 180 as longitude
from generate_series(0, 1999) as place;
create table bench.gyms as
select
  number, bench.id(1, number) as id,
  greatest(-89, least(89, latitude + (random() + random() + random() - 1.5) * 0.08)) as latitude,
  greatest(-180, least(180, longitude + (random() + random() + random() - 1.5) * 0.1)) as longitude
from generate_series(0, {GYMS} - 1) as number
join bench.towns on towns.place = floor(2000 * (number / {GYMS}.0) ^ 2);
alter table bench.gyms add primary key (number);
insert into matching.gyms (id, place, last_start)
select
  id,
  extensions.cube(array[
    cos(radians(latitude)) * cos(radians(longitude)), cos(radians(latitude)) * sin(radians(longitude)), sin(radians(latitude))
  ]),
  now() + interval '60 days'
from bench.gyms;
"""
# Owners with ten sessions each, one in every six of the sixty days that may be planned ahead, most of them in the gyms of a few large towns.
FILL = """
insert into matching.users (id, username, gender, level, profile_at, rating_count, rating_sum, attended, missed)
select
  bench.id(2, number), 'owner' || number,
  (array['MALE', 'MALE', 'FEMALE', 'FEMALE', 'OTHER'])[1 + number % 5],
  (array['NOVICE', 'BEGINNER', 'INTERMEDIATE', 'ADVANCED', 'EXPERT'])[1 + number % 5],
  now(), number % 9, (number % 9) * (1 + number % 5), number % 30, number % 4
from generate_series({first} / 10, {last} / 10 - 1) as number;
with made as materialized (
  select
    number, number / 10 as owner, now() - interval '9 days' * random() as posted_at,
    date_bin('15 minutes', now(), 'epoch') + interval '6 days' * (number % 10)
      + interval '15 minutes' * (1 + floor(random() * 544)) as starts_at,
    interval '15 minutes' * (3 + floor(random() * 10)) as length,
    random() as focus_chance, random() as gender_chance, floor(random() ^ 2 * {gyms}) as gym
  from generate_series({first}, {last} - 1) as number
)
insert into matching.sessions (
  id, owner_id, starts_at, ends_at, gym_id, gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted,
  owner_gender, posted_at, updated_at
)
select
  (lpad(to_hex((extract(epoch from posted_at) * 1000)::bigint), 12, '0') || '7' || substr(md5(made.number::text), 1, 3)
    || '8' || substr(md5(made.number::text), 4, 15))::uuid,
  bench.id(2, owner), starts_at, starts_at + length, gyms.id,
  'Gym ' || gyms.number, latitude, longitude, 'Europe/Berlin',
  (array[
    'STRENGTH', 'HYPERTROPHY', 'WEIGHTLIFTING', 'POWERLIFTING', 'CALISTHENICS', 'CARDIO', 'INTERVALS', 'FUNCTIONAL', 'MOBILITY',
    'YOGA', 'COMBAT', 'CLIMBING'
  ])[1 + floor(12 * focus_chance ^ 1.7)],
  (array['NOVICE', 'BEGINNER', 'INTERMEDIATE', 'ADVANCED', 'EXPERT'])[1 + owner % 5],
  case when gender_chance < 0.8 then 7 when gender_chance < 0.9 then 2 else 1 end,
  (array['MALE', 'MALE', 'FEMALE', 'FEMALE', 'OTHER'])[1 + owner % 5],
  posted_at, posted_at
from made join bench.gyms on gyms.number = made.gym;
insert into matching.participations (session_id, user_id, slot)
select id, owner_id, tstzrange(starts_at, ends_at) from matching.sessions on conflict on constraint participations_pkey do nothing;
"""
# Sessions to join: each of another owner, so placed that none of those of a user overlap.
JOINABLE = """
insert into matching.users (id, username, gender, level, profile_at)
select bench.id(3, number), 'host' || number, 'FEMALE', 'EXPERT', now()
from generate_series({first}, {last} - 1) as number;
with made as materialized (
  select
    number, bench.id(4, number) as id, bench.id(3, number) as owner,
    date_bin('15 minutes', now(), 'epoch') + interval '1 day' + interval '15 minutes' * (number / {users}) as starts_at
  from generate_series({first}, {last} - 1) as number
), posted as (
  insert into matching.sessions (
    id, owner_id, starts_at, ends_at, gym_id, gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted,
    owner_gender, posted_at, updated_at
  )
  select id, owner, starts_at, starts_at + interval '15 minutes', bench.id(1, number % 20000), 'Gym', 51, 9, 'Europe/Berlin',
    'STRENGTH', 'EXPERT', 7, 'FEMALE', now(), now()
  from made
  returning id, owner_id, starts_at, ends_at
)
insert into matching.participations (session_id, user_id, slot)
select id, owner_id, tstzrange(starts_at, ends_at) from posted;
"""
JOINABLE_IDS = "select bench.id(4, number) from generate_series({first}, {last} - 1) as number order by number"
# Matched sessions of as many pairs, of whom the owner came and the partner did not.
PAIRS = """
insert into matching.users (id, username, gender, level, profile_at)
select bench.id({kind}, number), '', 'OTHER', 'EXPERT', now()
from generate_series(0, 2 * {count} - 1) as number;
insert into matching.sessions (
  id, owner_id, partner_id, state, starts_at, ends_at, gym_id, gym_name, gym_latitude, gym_longitude, time_zone, focus, level,
  admitted, owner_gender, posted_at, updated_at
)
select
  bench.id({kind} + 1, number), bench.id({kind}, 2 * number), bench.id({kind}, 2 * number + 1), 'MATCHED',
  '{start}', '{start}'::timestamptz + interval '1 hour', bench.id(1, number % 20000), 'Gym', 51, 9, 'Europe/Berlin', 'STRENGTH',
  'EXPERT', 7, 'OTHER', now(), now()
from generate_series(0, {count} - 1) as number;
insert into matching.participations (session_id, user_id, slot, checked_in_at)
select id, owner_id, tstzrange(starts_at, ends_at), starts_at from matching.sessions where starts_at = '{start}'
union all
select id, partner_id, tstzrange(starts_at, ends_at), null from matching.sessions where starts_at = '{start}';
"""
JUDGE = """
insert into matching.jobs (id, kind, key, payload, due_at, ready_at, created_at)
select gen_random_uuid(), 'judge_sessions', start, convert_to(start, 'UTF8'), moment + interval '15 minutes',
  moment + interval '15 minutes', now()
from (select '{start}'::timestamptz) as wanted (moment)
cross join lateral (select (extract(epoch from moment) * 1000000)::bigint::text) as texts (start);
"""
# The same outcome by statements over all sessions at once.
PLAIN_JUDGEMENT = """
set search_path = matching;
begin;
update sessions set state = 'FAILED', revision = revision + 1, updated_at = now() where starts_at = '{start}' and state = 'MATCHED';
update participations set active = false, changed_in = pg_current_xact_id()
from sessions where sessions.id = session_id and starts_at = '{start}';
update users set
  attended = attended + (checked_in_at is not null)::integer, missed = missed + (checked_in_at is null)::integer
from participations join sessions on sessions.id = session_id
where starts_at = '{start}' and user_id = users.id;
with imposed as (
  insert into bars (id, user_id, session_id, cause, began_at, ends_at)
  select gen_random_uuid(), user_id, session_id, 'NO_SHOW', starts_at + interval '15 minutes', starts_at + interval '24 hours'
  from participations join sessions on sessions.id = session_id where starts_at = '{start}' and checked_in_at is null
  returning id
)
insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
select id, 1, 'IMPOSED', 'matching', '', now() from imposed;
commit;
"""
# What a join changes, in as many statements as it needs. `number` is of a session, `joiner` of no other join.
PLAIN_JOIN = """
\\set number random({first}, {last} - 1)
\\set joiner random(1, 1000000000)
begin;
select id, owner_id, starts_at, ends_at from matching.sessions where id = bench.id(4, :number) for no key update;
insert into matching.participations (session_id, user_id, slot)
select id, bench.id(0, :joiner), tstzrange(starts_at, ends_at) from matching.sessions where id = bench.id(4, :number) and state = 'OPEN';
update matching.sessions set state = 'MATCHED', partner_id = bench.id(0, :joiner), revision = revision + 1, updated_at = now()
where id = bench.id(4, :number) and state = 'OPEN';
commit;
"""


def measure(tools, plan, logs):
    """The rows, and the plans of searches; none where something is missing."""
    if not all(tools[name] for name in ("identity", "matching", "load")):
        return [], ""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            suite = Suite(tools, cluster, folder, logs, SERVICES)
            suite.provide()
            cluster.sql(MAKE_GYMS, DATABASE)
            matching = Matching(suite, plan)
            with suite.serving("identity"):
                matching.register()
                found, first, slowest = [], 0, {}
                for name, size in SIZES.items():
                    matching.fill(first, size)
                    first = size
                    found.append(matching.browse(name))
                    slowest[name] = found[-1].ours
                found.append(rows.absolute("browse.sessions_growth", [slowest["1m"] / slowest["10k"]]))
                found += matching.races()
                found += matching.joins()
                found += matching.judgement()
            return found, matching.plans
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Matching:
    """Matching of a suite, with users who have tokens."""

    def __init__(self, suite, plan):
        self.suite, self.plan, self.cluster = suite, plan, suite.cluster
        self.tokens = None
        self.joinable = 0
        self.plans = ""

    def register(self):
        """Accounts with a session each: their access tokens in a file, their profiles where matching keeps them."""
        self.tokens = users.make(self.suite, USERS)
        self.cluster.sql(
            """
            insert into matching.users (id, username, gender, level, profile_at)
            select id, 'user' || number, 'OTHER', (array['EXPERT', 'NOVICE'])[1 + number % 2], now() from users_of_bench
            """, DATABASE)

    def fill(self, first, last):
        """Sessions and owners up to so many. Indexes are made again afterwards, which takes a fraction of the time."""
        begun = time.monotonic()
        self.cluster.sql(
            without_indexes(self.cluster, FILL.format(first=first, last=last, gyms=GYMS)), DATABASE)
        self.cluster.sql("vacuum analyze", DATABASE)
        say(f"matching: {last:,} sessions, made in {time.monotonic() - begun:.0f} s")

    # MARK: Browsing

    def browse(self, name):
        """The row of one size: the slower of a beginner, who sees fewer kinds, and of an expert."""
        chance = random.Random(2026)
        gyms = [line.split("|") for line in self.cluster.sql(
            "select id, latitude, longitude from bench.gyms order by number", DATABASE).splitlines()]
        filters = [filter_of(chance, gyms, time.time()) for _ in range(QUERIES)]
        tokens = self.tokens.read_text(encoding="utf-8").split()
        slowest = 0
        with self.suite.serving("matching") as service:
            for level, token in (("expert", tokens[0]), ("novice", tokens[1])):
                newcomer = self.suite.folder / f"{level}.json"
                newcomer.write_text(json.dumps({"access_token": token}), encoding="utf-8")
                seen = self.suite.ask(
                    "browse", service, "matching", newcomer, [json.dumps(one) for one in filters], self.plan, CALLERS)
                say(f"matching, {name}, {level} browses: p50 {seen['p50_us'] / 1000:.2f} ms, p99 {seen['p99_us'] / 1000:.2f} ms, "
                    f"{seen['rate']:,.0f}/s")
                slowest = max(slowest, seen["p99_us"] / 1000)
        plain = self.cluster.latencies([plain_browse(one) for one in filters[:PLAIN_QUERIES]], DATABASE)
        say(f"matching, {name}, plain SQL: p50 {quantile(plain, 0.5):.2f} ms, p99 {quantile(plain, 0.99):.2f} ms")
        self.plans = "\n".join(
            f"browse, {name}, by plain SQL, {what}:\n" + plan_of(self.cluster, "matching", plain_browse(one))
            for what, one in (("the first filter", filters[0]),))
        return rows.less_is_better(f"browse.sessions_{name}.p99_ms", [slowest], [quantile(plain, 0.99)])

    # MARK: Joins

    def provide_joinable(self, count):
        """Sessions to join, as a range of numbers."""
        first, self.joinable = self.joinable, self.joinable + count
        self.cluster.sql(JOINABLE.format(first=first, last=self.joinable, users=USERS), DATABASE)
        # Also the events of the joins before, which autovacuum looks at once a minute: until then they are read as if there were none.
        self.cluster.sql("vacuum analyze matching.sessions, matching.participations, matching.users, matching.events", DATABASE)
        return first, self.joinable

    def ids(self, first, last):
        path = self.suite.folder / "sessions"
        path.write_text(self.cluster.sql(JOINABLE_IDS.format(first=first, last=last), DATABASE), encoding="utf-8")
        return path

    def races(self):
        """How long all users wait who join one session at once."""
        slowest, plain, fair = [], [], True
        first, last = self.provide_joinable((2 * RACES + 1) * USERS)  # spread, as those of a user must not overlap
        ids = self.ids(first, last).read_text(encoding="utf-8").split()[::USERS]
        with self.suite.serving("matching"):
            for number in range(RACES + 1):
                seen = self.suite.load("join-race", "matching", "--tokens", self.tokens, "--session", ids[number], timeout=60)
                say(f"matching, {USERS} join one session: {seen['winners']} won, {seen['taken']} were told that it is taken, "
                    f"the last after {seen['slowest_ms']:.0f} ms")
                fair = fair and (seen["winners"], seen["taken"]) == (1, USERS - 1)
                if number:
                    slowest.append(seen["slowest_ms"])
        for number in range(RACES):
            script = PLAIN_JOIN.format(first=first + (RACES + 1 + number) * USERS, last=first + (RACES + 1 + number) * USERS + 1)
            plain.append(sum(self.cluster.pgbench_latencies([script], DATABASE, 100, transactions=USERS // 100)) / 100)
        return [rows.less_is_better("join.race_500.ms", slowest, plain, fulfilled=fair, note="one winner" if fair else "NOT one winner")]

    def joins(self):
        """Joins of different sessions: service, database and load on two cores."""
        rates, slowest, plain, waits = [], [], [], []
        # A multiple, so that the sessions of each user follow one another.
        count = USERS * math.ceil(JOINS_PER_SECOND * (self.plan.seconds + self.plan.warm) / USERS)
        with two_cores(self.cluster), self.suite.serving("matching") as service:
            for number in range(1, self.plan.rounds + 1):
                # A user joins 20 sessions a day at most, and here some in each round.
                self.cluster.sql("delete from matching.news_quotas", DATABASE)
                seen = self.suite.load(
                    "join", "matching", "--server-pid", service.pid, "--callers", JOINERS, "--seconds", self.plan.seconds, "--warm",
                    self.plan.warm, "--tokens", self.tokens, "--sessions", self.ids(*self.provide_joinable(count)),
                    timeout=self.plan.timeout)
                first, last = self.provide_joinable(count)
                times = self.cluster.pgbench_latencies(
                    [PLAIN_JOIN.format(first=first, last=last)], DATABASE, JOINERS, self.plan.seconds)
                rates.append(seen["rate"])
                slowest.append(seen["p99_us"] / 1000)
                plain.append(len(times) / max(1, round(self.plan.seconds)))
                waits.append(quantile(times, 0.99))
                say(f"matching, joins, round {number} of {self.plan.rounds}: {rates[-1]:,.0f}/s, p99 {slowest[-1]:.1f} ms, "
                    f"CPU of the service {seen['cpu_us']:.0f} us; plain SQL {plain[-1]:,.0f}/s, p99 {waits[-1]:.1f} ms")
        return [rows.more_is_better("join.rate", rates, plain), rows.less_is_better("join.p99_ms", slowest, waits)]

    # MARK: Judgement

    def judgement(self):
        """How long it takes until all sessions of one start are judged, and the same by statements over all at once."""
        ours, plain = self.judged(5), self.judged(10, plainly=True)
        say(f"matching: {JUDGED:,} sessions are judged in {ours:.1f} s; plain SQL takes {plain:.1f} s")
        return [rows.less_is_better("judge.sessions_100k.s", [ours], [plain])]

    def judged(self, kind, plainly=False):
        """Seconds from when they are due until all are judged."""
        start = self.cluster.sql(
            f"select date_trunc('minute', now()) - interval '{kind + 20} minutes'", DATABASE).strip()
        self.cluster.sql(PAIRS.format(kind=kind, count=JUDGED, start=start), DATABASE)
        self.cluster.sql("vacuum analyze matching.sessions, matching.participations, matching.users", DATABASE)
        self.cluster.sql("delete from matching.outages; delete from matching.heartbeat", DATABASE)
        if plainly:
            begun = time.monotonic()
            self.cluster.sql(PLAIN_JUDGEMENT.format(start=start), DATABASE)
            return time.monotonic() - begun
        with self.suite.serving("matching"):
            self.cluster.sql(JUDGE.format(start=start), DATABASE)
            begun = time.monotonic()
            while int(self.cluster.sql(
                    f"select count(*) from matching.sessions where starts_at = '{start}' and state = 'MATCHED'", DATABASE)):
                if time.monotonic() - begun > PATIENCE:
                    raise Failed(f"not judged within {PATIENCE:.0f} s")
                # Looking costs the database something too.
                time.sleep(0.25)
            took = time.monotonic() - begun
        bars = int(self.cluster.sql(f"select count(*) from matching.bars where began_at = '{start}'::timestamptz + interval '15 minutes'",
                                    DATABASE))
        if bars != JUDGED:
            raise Failed(f"{bars:,} bars of {JUDGED:,}")
        return took


# MARK: Filters


def filter_of(chance, gyms, now):
    """A filter as people set it: a slot in two weeks, a day, any time; a gym, a place around one, anywhere; some focuses, genders, levels."""
    one = {"focuses": [], "genders": [], "levels": []}
    when, where = chance.random(), chance.random()
    if when < 0.45:
        since = now + chance.uniform(0, 14) * 86_400
        one |= {"since": int(since), "until": int(since + chance.uniform(1, 4) * 3_600)}
    elif when < 0.65:
        since = now + chance.randrange(0, 14) * 86_400
        one |= {"since": int(since), "until": int(since + 86_400)}
    elif when < 0.75:
        one |= {"until": int(now + chance.uniform(0.1, 60) * 86_400)}
    elif when < 0.85:
        since = now + chance.uniform(30, 58) * 86_400
        one |= {"since": int(since), "until": int(since + 7_200)}
    gym, latitude, longitude = gyms[int(chance.random() ** 2 * len(gyms))]
    if where < 0.3:
        one["gym"] = gym
    elif where < 0.75:
        one["latitude"] = max(-90, min(90, float(latitude) + chance.gauss(0, 0.05)))
        one["longitude"] = (float(longitude) + chance.gauss(0, 0.05) + 180) % 360 - 180
        one["radius"] = chance.choice((1_000, 2_000, 5_000, 10_000, 25_000, 50_000, 20_000_000))
    if chance.random() < 0.5:
        one["focuses"] = chance.sample(range(1, 13), chance.randrange(1, 4))
    if chance.random() < 0.3:
        one["genders"] = chance.sample(range(1, 4), chance.randrange(1, 3))
    if chance.random() < 0.4 or len(one) == 3 and not one["focuses"] + one["genders"]:
        one["levels"] = chance.sample(range(1, 6), chance.randrange(1, 4))
    return one


FOCUSES = ("STRENGTH", "HYPERTROPHY", "WEIGHTLIFTING", "POWERLIFTING", "CALISTHENICS", "CARDIO", "INTERVALS", "FUNCTIONAL", "MOBILITY",
           "YOGA", "COMBAT", "CLIMBING")
GENDERS = ("MALE", "FEMALE", "OTHER")
LEVELS = ("NOVICE", "BEGINNER", "INTERMEDIATE", "ADVANCED", "EXPERT")


def plain_browse(one):
    """The first 50 in the order of time, which is as far as SQL alone goes: ours takes more of them and ranks them."""
    conditions = ["session.state = 'OPEN'", "session.starts_at > now()", "session.admitted & 4 <> 0"]
    if "since" in one:
        conditions.append(f"session.ends_at > to_timestamp({one['since']})")
        conditions.append(f"session.starts_at > to_timestamp({one['since']} - 8 * 3600)")
    if "until" in one:
        conditions.append(f"session.starts_at < to_timestamp({one['until']})")
    if "gym" in one:
        conditions.append(f"session.gym_id = '{one['gym']}'")
    if "latitude" in one:
        north, east = math.radians(one["latitude"]), math.radians(one["longitude"])
        chord = 2 * math.sin(min(one["radius"] / EARTH_M, math.pi) / 2)
        conditions.append(
            f"session.gym_id in (select id from matching.gyms where place operator(extensions.<@) extensions.cube_enlarge(extensions.cube("
            f"array[{math.cos(north) * math.cos(east)}, {math.cos(north) * math.sin(east)}, {math.sin(north)}]), {chord}, 3))")
    for column, known, places in (
            ("focus", FOCUSES, one["focuses"]), ("owner_gender", GENDERS, one["genders"]), ("level", LEVELS, one["levels"])):
        if places:
            conditions.append(f"session.{column} in ({', '.join(repr(known[place - 1]) for place in places)})")
    return (
        "select session.id, session.starts_at, session.ends_at, session.gym_name, session.focus, session.level, owner.username, "
        "owner.rating_sum, owner.attended from matching.sessions as session join matching.users as owner on owner.id = session.owner_id "
        f"where {' and '.join(conditions)} order by session.starts_at, session.id limit 50;\n")


# MARK: Tools


def quantile(values, part):
    ordered = sorted(values)
    return ordered[int((len(ordered) - 1) * part)]


def without_indexes(cluster, sql):
    """Statements that fill sessions and participations, between others that drop what slows them down and make it again."""
    indexes = [line.split("|", 1) for line in cluster.sql(
        """
        select indexrelid::regclass, pg_get_indexdef(indexrelid) from pg_index
        where indrelid = 'matching.sessions'::regclass and not indisprimary
        """, DATABASE).splitlines()]
    constraints = [line.split("|", 1) for line in cluster.sql(
        """
        select conname, pg_get_constraintdef(oid) from pg_constraint
        where conrelid = 'matching.participations'::regclass and contype in ('x', 'f')
        """, DATABASE).splitlines()]
    return "\n".join(
        [f"drop index {name};" for name, _ in indexes]
        + [f"alter table matching.participations drop constraint {name};" for name, _ in constraints]
        + [sql]
        + [f"{definition};" for _, definition in indexes]
        + [f"alter table matching.participations add constraint {name} {definition};" for name, definition in constraints])


@contextlib.contextmanager
def two_cores(cluster):
    """Has the database, the benchmark and what it starts share two cores for the length of a `with`."""
    every = os.sched_getaffinity(0)
    cores = set(sorted(every)[:CORES])
    def move(to):
        for process in [0, *cluster.processes()]:
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(process, to)
    move(cores)
    try:
        yield
    finally:
        move(every)

"""Identity and tracking on a private cluster, with thousands of users in groups who have their access tokens."""

import base64
import contextlib
import hashlib
import json
import pathlib
import resource
import shutil
import tempfile

from harness import database, rows
from harness.processes import Failed, run, say
from harness.statements import SCRIPTS, TABLES
from harness.suite import DATABASE, Suite

SERVICES = ("identity", "tracking")
USERS = 10_000
BENCH = "bench"  # the database of pgbench's table
DESCRIPTORS = 4_096
WARM = 2  # seconds in which 10,000 streams are opened
STORM_GROUP = 10  # members of the groups of those who come back at once

# Ids that grow with time, as the services make them.
ACCOUNTS = """
create function pg_temp.id(n bigint) returns uuid language sql as $$
  select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n / 1048576), 3, '0')
    || '8' || lpad(to_hex(n % 1048576), 5, '0') || substr(md5(n::text || random()::text), 1, 10))::uuid
$$;
insert into identity.accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
select pg_temp.id(n), 'person' || n || '@example.org', 'person' || n || '@example.org', 'person' || n, '$none$', now(), now()
from generate_series(1, {users}) as n;
insert into tracking.users (id, username) select id, username from identity.accounts;
insert into tracking.trackers (user_id) select id from identity.accounts;
"""
SESSIONS = """
insert into identity.sessions
  (id, account_id, family_hash, refresh_hash, device_label, address, created_at, last_used_at, expires_at)
select gen_random_uuid(), accounts.id, sha256(sha256(convert_to('family {round} ' || n, 'UTF8'))),
  sha256(sha256(convert_to('secret {round} ' || n, 'UTF8'))), '', '127.0.0.1', now(), now(), now() + interval '30 days'
from generate_series(1, {users}) as n join identity.accounts on username = 'person' || n
"""
# Groups of the first users, each user in one; they share with these groups alone.
GROUPS = """
update tracking.memberships set state = 'INACTIVE', shared_since = null where shared_since is not null;
with made as (
  insert into tracking.groups (id, name) select gen_random_uuid(), '{shape} ' || n from generate_series(0, {groups} - 1) as n
  returning id, split_part(name, ' ', 2)::integer as number
)
insert into tracking.memberships (group_id, user_id, membership_id, joined_at, state, shared_since)
select made.id, accounts.id, gen_random_uuid(), now(), 'ACTIVE', now()
from generate_series(0, {groups} * {size} - 1) as n
join made on made.number = n / {size}
join identity.accounts on username = 'person' || n + 1
"""
CONVERSATIONS = """
insert into tracking.chat_conversations (id, kind, created_at)
select id, 'GROUP', now() from tracking.groups where name like '{shape} %';
insert into tracking.chat_members (conversation_id, user_id, membership_id, first_sequence, read_sequence)
select group_id, user_id, membership_id, 1, 0
from tracking.memberships where group_id in (select id from tracking.groups where name like '{shape} %')
"""


class Live:
    """A running tracking service."""

    def __init__(self, suite, process):
        self.suite, self.cluster, self.process = suite, suite.cluster, process
        self.tokens = self._tokens()
        self.shapes = 0
        self.warmed = set()

    def groups(self, count, size):
        """A file with so many groups of users who share with them, and have a conversation each."""
        self.shapes += 1
        shape = f"s{self.shapes}"
        for statements in (GROUPS, CONVERSATIONS):
            self.cluster.sql(statements.format(shape=shape, groups=count, size=size), DATABASE)
        self.cluster.sql("vacuum analyze", DATABASE)
        listed = self.cluster.sql(
            f"select split_part(name, ' ', 2), id from tracking.groups where name like '{shape} %'", DATABASE)
        ids = {int(line.split("|")[0]): line.split("|")[1] for line in listed.split()}
        file = self.suite.folder / f"{shape}.json"
        file.write_text(json.dumps({"groups": [
            {"id": ids[number], "members": self.tokens[number * size:(number + 1) * size]} for number in range(count)
        ]}), encoding="utf-8")
        return file

    def load(self, what, groups, plan, *arguments, seconds=None):
        """What a load sees."""
        if groups not in self.warmed:
            # The plans of a database whose tables are empty are those for empty tables; a running one analyzes them by itself,
            # within a minute.
            self.warmed.add(groups)
            self._load(what, groups, plan, arguments, 1)
            self.cluster.sql("vacuum analyze", DATABASE)
        return self._load(what, groups, plan, arguments, seconds or plan.seconds)

    def _load(self, what, groups, plan, arguments, seconds):
        return self.suite.load(
            what, "tracking", "--server-pid", self.process.pid, "--groups", groups, "--seconds", seconds, "--warm",
            max(WARM, plan.warm), *arguments, timeout=plan.timeout + seconds + 120)

    def storm(self, streams, plan):
        """What a load sees of 10,000 users who open a stream each at once, as after a restart."""
        groups = self.groups(USERS // STORM_GROUP, STORM_GROUP)
        seen = self._load("storm", groups, plan, ("--streams", streams, "--connections", 16), plan.seconds)
        if seen["opened"] < seen["streams"]:
            raise Failed(f"{seen['opened']:,} of {seen['streams']:,} streams of {streams} were open in {seen['seconds']:.0f} s, "
                         f"{seen['failed']:,} failed")
        return seen

    def upserts(self, seconds):
        """Durable upserts a second by pgbench, with 64 clients."""
        # On a busy machine 64 connections alone take a second.
        return self.cluster.pgbench(SCRIPTS["upsert"], BENCH, 64, max(3, seconds))

    def command(self, what, groups, *arguments):
        """A load that is started and ended by its caller."""
        port = self.suite.addresses["tracking"].rsplit(":", 1)[1]
        return [self.suite.tools["load"], what, "--port", port, "--tls-ca", self.suite.folder / "ca.crt", "--server-pid",
                self.process.pid, "--groups", groups, *arguments]

    def _tokens(self):
        """The users' access tokens, which are valid for ten minutes."""
        suite = self.suite
        round_ = suite.cluster.sql("select count(*) from identity.sessions", DATABASE).strip()
        suite.cluster.sql(SESSIONS.format(users=USERS, round=round_), DATABASE)
        file = suite.folder / "refresh-tokens"
        file.write_text("".join(
            f"{_secret('family', round_, n)}.{_secret('secret', round_, n)}\n" for n in range(1, USERS + 1)), encoding="utf-8")
        port = suite.addresses["identity"].rsplit(":", 1)[1]
        found = run([suite.tools["load"], "access-tokens", "--port", port, "--tls-ca", suite.folder / "ca.crt", "--tokens", file,
                     "--connections", 64],
                    timeout=120).split()
        if len(found) != USERS:
            raise Failed(f"identity gave {len(found)} access tokens for {USERS} sessions")
        return found


def _secret(what, round_, number):
    return base64.urlsafe_b64encode(hashlib.sha256(f"{what} {round_} {number}".encode()).digest()).decode().rstrip("=")


@contextlib.contextmanager
def live(tools, logs, beside=()):
    """A running service, with the table that pgbench writes to in the same cluster, and certificates for programs beside it."""
    # The server and the load inherit the limit; a connection has many streams.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < DESCRIPTORS:
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, hard))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            suite = Suite(tools, cluster, folder, logs, (*SERVICES, *beside))
            suite.provide_for(SERVICES)
            cluster.sql(f"create database {BENCH}")
            cluster.sql(TABLES, BENCH)
            cluster.sql("vacuum analyze", BENCH)
            with suite.serving("identity"), suite.serving("tracking") as process:
                cluster.sql(ACCOUNTS.format(users=USERS), DATABASE)
                cluster.sql("vacuum analyze", DATABASE)
                yield Live(suite, process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def storms(service, plan, streams):
    """10,000 streams that are opened at once and what calls of a user who was there before take meanwhile."""
    seen = []
    for number in range(1, plan.rounds + 1):
        seen.append(service.storm(streams, plan))
        one = seen[-1]
        say(f"{streams}, round {number} of {plan.rounds}: {one['opened']:,} streams in {one['seconds']:.1f} s; a call p99 "
            f"{one['idle_p99_ms']:.1f} ms before, {one['storm_p50_ms']:.1f} (p50) and {one['storm_p99_ms']:.1f} ms (p99) beside them")
    return [rows.absolute(f"storm.{streams}.s", [one["seconds"] for one in seen]),
            rows.absolute(f"storm.{streams}.calls", [one["storm_p99_ms"] / one["idle_p99_ms"] for one in seen])]

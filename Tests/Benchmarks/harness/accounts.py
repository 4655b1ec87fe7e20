"""Register, login and refresh of the identity service; a login beside the hash alone; what 200 logins do to GetProfile,
and how long a verification waits behind a flood of notices."""

import base64
import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import statistics
import tempfile
import time

from harness import database, rows
from harness.identity import DATABASE, OWNER, serving
from harness.processes import Failed, Process, run, say

PASSWORD = "seven-Lanterns-over-Quiet-water"
# What the service makes its hashes with: OWASP's equivalent of N=2^17, r=8, p=1 in a quarter of the memory.
SCRYPT = {"n": 1 << 15, "r": 8, "p": 3, "dklen": 32, "maxmem": 64 << 20}
PEOPLE = 200
CALLERS = 8
REFRESHERS = 64
# Who looks at profiles while everybody logs in: so few that they alone keep no core busy.
VIEWERS = 2
LOGINS_AT_ONCE = 200
SETTLING_SECONDS = 1.0
# Mails of which each was caused by another user, to one recipient.
NOTICES = 10_000
MAIL_TIMEOUT = 60.0


def measure(tools, plan, logs):
    """The rows of the accounts, or none where the programs are not there."""
    if not (tools["identity"] and tools["load"]):
        return []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            cluster.sql(f"create role {OWNER} login")
            cluster.sql(f"create database {DATABASE} owner {OWNER}")
            with serving(tools, cluster, folder, logs) as (process, port, _):
                bench = Accounts(tools, cluster, folder, plan, process, port)
                return (
                    bench.registrations() + bench.logins() + bench.mails() + bench.refreshes() + bench.profiles(logs))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Accounts:
    """A running service, and who calls it."""

    def __init__(self, tools, cluster, folder, plan, process, port):
        self.tools = tools
        self.cluster = cluster
        self.folder = folder
        self.plan = plan
        self.process = process
        self.port = port
        # Hashes are few a second: a round has to be long enough to count some.
        self.seconds = 2 * plan.seconds

    def command(self, what, callers, seconds, *arguments):
        return [self.tools["load"], what, "--port", self.port, "--server-pid", self.process.pid, "--callers", callers,
                "--seconds", seconds, "--warm", 0 if what == "register" else self.plan.warm, *arguments]

    def load(self, what, callers, *arguments):
        return json.loads(run(
            self.command(what, callers, self.seconds, *arguments), timeout=self.seconds + 60))

    def rounds(self, what, measure):
        """What `measure` finds in each round."""
        for number in range(1, self.plan.rounds + 1):
            found = measure(number)
            say(f"{what}, round {number} of {self.plan.rounds}: " + ", ".join(
                f"{name} {rows.figure(value)}" for name, value in found.items()))
            yield found

    def registrations(self):
        """Register beside the hash that it makes, with as many at a time as there are cores."""
        def one(number):
            seen = self.load("register", CALLERS, "--prefix", f"bench_{number}_", "--password", PASSWORD)
            return {"rate": seen["rate"], "hashes": hashes(self.plan.seconds)}
        seen = list(self.rounds("register", one))
        return [rows.more_is_better(
            "register.c8.rate.scrypt", [one["rate"] for one in seen], [one["hashes"] for one in seen])]

    def people(self):
        """Usernames of verified accounts, in a file; the password of all is the same."""
        self.cluster.sql(
            f"""
            update identity.accounts set verified_at = registered_at where verified_at is null;
            insert into identity.accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
            select gen_random_uuid(), 'person' || n || '@example.org', 'person' || n || '@example.org', 'person' || n,
              (select password_hash from identity.accounts order by registered_at limit 1), now(), now()
            from generate_series(1, {PEOPLE}) as n;
            """, DATABASE)
        self.cluster.sql("analyze", DATABASE)
        file = self.folder / "names"
        file.write_text("".join(f"person{number}\n" for number in range(1, PEOPLE + 1)), encoding="utf-8")
        return ["--names", file, "--password", PASSWORD]

    def logins(self):
        """Login beside the hash alone: one at a time, and as many as come."""
        self.people_arguments = self.people()
        def one(_):
            alone = self.load("login", 1, *self.people_arguments)
            many = self.load("login", CALLERS, *self.people_arguments)
            return {"p50_ms": alone["p50_us"] / 1e3, "hash_ms": hash_milliseconds(self.plan.seconds),
                    "rate": many["rate"], "hashes": hashes(self.plan.seconds)}
        seen = list(self.rounds("login", one))
        return [
            rows.less_is_better(
                "login.c1.p50.scrypt", [one["p50_ms"] for one in seen], [one["hash_ms"] for one in seen]),
            rows.more_is_better(
                "login.c8.rate.scrypt", [one["rate"] for one in seen], [one["hashes"] for one in seen]),
        ]

    def mails(self):
        """How long the mail of a registration waits while thousands of notices are being sent: the longest of some."""
        def one(number):
            self.flood(number)
            # Any mail wakes the senders.
            self.register(f"waker_{number}_")
            before = self.until("the notices are being sent", lambda: sent if (sent := self.sent(number)) > 20 else None)
            self.register(f"late_{number}_")
            wait = self.until("the verifications are sent", lambda: self.waited(f"late_{number}_"))
            if before >= NOTICES * 0.9 or self.sent(number) >= NOTICES:
                raise Failed("the notices were sent before the verifications came: nothing was measured")
            self.cluster.sql("delete from identity.deliveries where content = 'NOTIFICATION'", DATABASE)
            return {"wait_ms": wait}
        return [rows.absolute(
            "mail.verification.wait_ms", [one["wait_ms"] for one in self.rounds("verification behind notices", one)])]

    def flood(self, number):
        """Queues the notices, as a replica that stopped before sending them left them."""
        self.cluster.sql(
            f"""
            insert into identity.inboxes (account_id, last_sequence)
            select id, {number * NOTICES} from identity.accounts where username = 'person1'
            on conflict (account_id) do update set last_sequence = excluded.last_sequence;
            insert into identity.notifications (id, account_id, sequence, source_key, kind, title, body, subject, created_at)
            select gen_random_uuid(), accounts.id, {(number - 1) * NOTICES} + n, 'flood/{number}/' || n, 'BOOK_REQUESTED',
              'x', 'x', '', now()
            from identity.accounts cross join generate_series(1, {NOTICES}) as n where username = 'person1';
            insert into identity.deliveries
              (id, account_id, channel, content, notification_id, urgency, share, turn, gathering, created_at, due_at)
            select gen_random_uuid(), account_id, 'MAIL', 'NOTIFICATION', id, 2, 1, sequence, sequence, now(), now()
            from identity.notifications where source_key like 'flood/{number}/%';
            """, DATABASE)

    def register(self, prefix):
        run(self.command("register", 1, 0.1, "--prefix", prefix, "--password", PASSWORD), timeout=MAIL_TIMEOUT)

    def sent(self, number):
        """How many of the queued notices were sent."""
        return int(self.cluster.sql(
            f"""
            select count(*) from identity.deliveries join identity.notifications on notifications.id = notification_id
            where source_key like 'flood/{number}/%' and state = 'SENT'
            """, DATABASE))

    def waited(self, prefix):
        """The longest wait of the mails of some registrations in milliseconds; None until all are sent."""
        text = self.cluster.sql(
            f"""
            select case when bool_and(state = 'SENT') then extract(epoch from max(settled_at - deliveries.created_at)) * 1000 end
            from identity.deliveries join identity.accounts on accounts.id = account_id
            where content = 'EMAIL_VERIFICATION' and starts_with(username, '{prefix}')
            """, DATABASE).strip()
        return float(text) if text else None

    def until(self, what, look):
        """What `look` returns once that is not None."""
        end = time.monotonic() + MAIL_TIMEOUT
        while (found := look()) is None:
            if time.monotonic() > end:
                raise Failed(f"not within {MAIL_TIMEOUT:.0f} s: {what}")
            # Nothing tells of it; how long it took is read from the rows.
            time.sleep(0.005)
        return found

    def refreshes(self):
        """Refresh, each caller with a session of its own."""
        def one(_):
            return {"rate": self.load("refresh", REFRESHERS, "--tokens", self.sessions(REFRESHERS))["rate"]}
        return [rows.absolute("refresh.c64.rate", [one["rate"] for one in self.rounds("refresh", one)])]

    def sessions(self, count):
        """A file with the refresh tokens of new sessions, which are made without logins."""
        tokens = [(os.urandom(32), os.urandom(32)) for _ in range(count)]
        values = ",".join(
            f"('\\x{hashlib.sha256(family).hexdigest()}'::bytea, '\\x{hashlib.sha256(secret).hexdigest()}'::bytea)"
            for family, secret in tokens)
        self.cluster.sql(
            f"""
            insert into identity.sessions
              (id, account_id, family_hash, refresh_hash, device_label, address, created_at, last_used_at, expires_at)
            select gen_random_uuid(), (select id from identity.accounts where username = 'person1'), family, secret, '',
              '127.0.0.1', now(), now(), now() + interval '30 days'
            from (values {values}) as made (family, secret)
            """, DATABASE)
        file = self.folder / "tokens"
        file.write_text("".join(f"{text(family)}.{text(secret)}\n" for family, secret in tokens), encoding="utf-8")
        return file

    def profiles(self, logs):
        """How long GetProfile takes while 200 people log in again and again."""
        newcomer = self.newcomer()
        def look():
            return self.load("profile", VIEWERS, "--newcomer", newcomer)
        def one(_):
            calm = look()
            with self.logging_in(logs):
                # The logins have to be at their full number; nothing tells when they are.
                time.sleep(SETTLING_SECONDS)
                return {"p99_ms": look()["p99_us"] / 1e3, "calm_ms": calm["p99_us"] / 1e3}
        seen = list(self.rounds("profile while 200 log in", one))
        return [rows.less_is_better(
            "profile.logins.p99_ms", [one["p99_ms"] for one in seen], [one["calm_ms"] for one in seen])]

    @contextlib.contextmanager
    def logging_in(self, logs):
        process = Process(
            self.command("login", LOGINS_AT_ONCE, self.seconds + 3 * SETTLING_SECONDS, *self.people_arguments),
            logs / "logins.log")
        try:
            yield
        finally:
            process.end()

    def newcomer(self):
        """A file with the access token of somebody who has a profile."""
        self.cluster.sql(
            """
            update identity.profiles
            set gender = 'OTHER', date_of_birth = '1990-12-10', level = 'EXPERT', time_zone = 'Europe/London'
            where account_id = (select id from identity.accounts where username = 'person1')
            """, DATABASE)
        tokens = self.folder / "newcomer.json"
        # A session that is made here has no access token yet; its first refresh gives one.
        refreshed = run([self.tools["load"], "access-token", "--port", self.port, "--tokens", self.sessions(1)])
        tokens.write_text(json.dumps({"username": "person1", "access_token": refreshed.strip()}), encoding="utf-8")
        return tokens


def text(secret):
    """A secret as clients have it."""
    return base64.urlsafe_b64encode(secret).decode().rstrip("=")


def hash_once():
    hashlib.scrypt(PASSWORD.encode(), salt=os.urandom(16), **SCRYPT)


def hash_milliseconds(seconds):
    """How long OpenSSL alone takes for a hash: the median."""
    times, end = [], time.monotonic() + seconds
    while not times or time.monotonic() < end:
        begun = time.monotonic()
        hash_once()
        times.append((time.monotonic() - begun) * 1e3)
    return statistics.median(times)


def hashes(seconds):
    """Hashes a second by OpenSSL alone, one on each core."""
    cores = len(os.sched_getaffinity(0))
    begun = time.monotonic()

    def many():
        count = 0
        while not count or time.monotonic() < begun + seconds:
            hash_once()
            count += 1
        return count
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        done = sum(each.result() for each in [pool.submit(many) for _ in range(cores)])
    return done / (time.monotonic() - begun)

"""Lending on a private cluster: how long requests, answers and scans take at an even rate, and pages of a long list; and how far the
catalog is behind lending at a higher one."""

import base64
import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading

from harness import database, rows
from harness.processes import say
from harness.suite import DATABASE, Suite

SERVICES = ("identity", "lending", "catalog")
RATE = 1_000  # calls a second
STEPS = ("request", "accept", "scan")  # the calls that move a loan
FULL_RATE = 2_100  # steps a second while the catalog follows: above the floor of those that are answered, so that no jitter decides
LOOK_SECONDS = 0.05
PAIRS = 20  # of people of whom one lends the other
BOOKS = 15  # of each pair
LISTED = 10_000  # requests of the reader
WARM = 2 * 6 * PAIRS * BOOKS / RATE  # seconds in which every book goes its way of six calls twice
ISBN = "9780441172719"
KNOW = """
insert into lending.users (id, username) values ('{id}', '{name}')
on conflict on constraint users_pkey do update set username = excluded.username
"""
LEND = """
insert into lending.books (id, owner_id, isbn, title, description)
select gen_random_uuid(), '{owner}', {isbn}, 'Book ' || n, 'A copy' from generate_series(1, {books}) as n
returning id
"""
# The same books in the catalog.
SHOW = """
insert into catalog.users (id, username, books, changes)
select owner_id, 'owner', count(*), count(*) from lending.books where title not like 'Old %' group by owner_id
on conflict (id) do update set books = excluded.books, changes = excluded.changes;
insert into catalog.books
  (id, owner_id, isbn, title, authors, description, language, words, names, change, created_at, updated_at)
select id, owner_id, isbn, title, array['An author'], description, 'en',
  setweight(to_tsvector('simple', title || ' ' || isbn), 'A') || setweight(to_tsvector('simple', 'an author'), 'B')
    || setweight(to_tsvector('simple', description || ' of a book that many liked and some read more than once'), 'D'),
  lower(title || ' an author'), row_number() over (partition by owner_id), now(), now()
from lending.books where title not like 'Old %'
"""
# How long the oldest change of a book has not been shown, in milliseconds; 0 when all are.
BEHIND = """
select coalesce(1000 * extract(epoch from clock_timestamp() - min(event.occurred_at)), 0)
from catalog.event_cursors as cursor
join lending.events as event on (event.transaction_id, event.id) > (cursor.transaction_id, cursor.id)
where cursor.producer = 'lending' and cursor.consumer = 'catalog' and event.topic = 'lending.books'
"""
# One of somebody else's books for each request, and each declined.
LIST = """
with book as (
  insert into lending.books (id, owner_id, isbn, title, description)
  select gen_random_uuid(), '{owner}', {isbn}, 'Old book ' || n, 'A copy' from generate_series(1, {listed}) as n
  returning id, title
)
insert into lending.loans (
  id, book_id, owner_id, borrower_id, state, title, description, owner_username, requested_at, updated_at
)
select gen_random_uuid(), book.id, '{owner}', '{reader}', 'DECLINED', book.title, 'A copy', 'owner', now(), now() from book
"""


def measure(tools, plan, logs):
    """The rows of lending, or none where its programs are not there."""
    if not all(tools[name] for name in ("identity", "lending", "load", "interop")):
        say("loans: left out, it needs the Go client")
        return []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            suite = Suite(tools, cluster, folder, logs, SERVICES)
            suite.provide()
            with suite.serving("identity"), suite.serving("lending"):
                return _measure(suite, plan)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _measure(suite, plan):
    story = suite.folder / "plan.json"
    story.write_text(json.dumps(_story(suite)), encoding="utf-8")
    def round_of(seconds):
        return suite.load("loans", "lending", "--plan", story, "--rate", RATE, "--seconds", seconds, "--warm", WARM,
                          timeout=plan.timeout)
    # The plans of a database whose tables are empty are those for empty tables; a running one analyzes them by itself, within a minute.
    suite.cluster.sql("vacuum analyze", DATABASE)
    round_of(1)
    suite.cluster.sql("vacuum analyze", DATABASE)
    seen = []
    for number in range(1, plan.rounds + 1):
        seen.append(round_of(plan.seconds))
        say(f"loans, round {number} of {plan.rounds}: p99 in ms at {RATE:,}/s: "
            + ", ".join(f"{name} {part['p99_ms']:.1f}" for name, part in seen[-1].items()))
    found = [rows.absolute(f"loans.{name}.p99_ms", [one[name]["p99_ms"] for one in seen])
             for name in ("request", "accept", "scan", "list")]
    return found + (_followed(suite, plan, story) if suite.tools["catalog"] else [])


def _followed(suite, plan, story):
    """The rows of lending at a higher rate, and of the catalog that follows it."""
    suite.cluster.sql(SHOW, DATABASE)
    rates, lags = [], []
    with suite.serving("catalog"):
        for number in range(plan.rounds + 1):
            with _looking(suite.cluster) as behind:
                seen = suite.load("loans", "lending", "--plan", story, "--rate", FULL_RATE, "--seconds", plan.seconds, "--warm",
                                  WARM, timeout=plan.timeout)
            if number == 0:  # the database plans for tables that have grown meanwhile
                suite.cluster.sql("vacuum analyze", DATABASE)
                continue
            rates.append(sum(seen[name]["calls"] for name in STEPS) / plan.seconds)
            lags.append(sorted(behind)[int((len(behind) - 1) * 0.99)])
            say(f"loans, round {number} of {plan.rounds}: {rates[-1]:,.0f} steps/s, the catalog is {lags[-1]:.0f} ms behind (p99), "
                f"{max(behind):.0f} ms at most")
    steps = rows.absolute("loans.steps.rate", rates)
    # A lag behind fewer steps says nothing about the promise.
    return [steps, rows.absolute("loans.catalog_lag.p99_ms", lags, note=f"at {steps.ours:,.0f} steps/s", fulfilled=steps.reached)]


@contextlib.contextmanager
def _looking(cluster):
    """How far the catalog is behind, in milliseconds, seen at intervals for the length of a `with`."""
    seen, done = [], threading.Event()
    with subprocess.Popen([cluster.programs / "psql", "-X", "-q", "-A", "-t", "-d", cluster.url(DATABASE)], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as session:
        def look():
            while not done.wait(LOOK_SECONDS):
                session.stdin.write(BEHIND.replace("\n", " ") + ";\n")
                session.stdin.flush()
                seen.append(float(session.stdout.readline()))
        looking = threading.Thread(target=look)
        looking.start()
        try:
            yield seen
        finally:
            done.set()
            looking.join()
            session.stdin.close()


def _story(suite):
    """Who lends what to whom, and who reads a long list."""
    pairs = []
    for number in range(PAIRS):
        (owner, lends), (_, borrows) = _person(suite, f"owner_{number}"), _person(suite, f"borrower_{number}")
        books = suite.cluster.sql(LEND.format(owner=owner, isbn=ISBN, books=BOOKS), DATABASE).split()
        pairs.append({"owner": lends, "borrower": borrows, "books": books})
    (giver, _), (reader, reads) = _person(suite, "giver"), _person(suite, "reader")
    suite.cluster.sql(LIST.format(owner=giver, reader=reader, isbn=ISBN, listed=LISTED), DATABASE)
    return {"pairs": pairs, "isbn": ISBN, "reader": reads}


def _person(suite, name):
    """Somebody with an account whom lending knows: (id, access token)."""
    token = json.loads(suite.newcomer(name).read_text())["access_token"]
    claims = token.split(".")[1]
    person = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]
    suite.cluster.sql(KNOW.format(id=person, name=name), DATABASE)
    return person, token

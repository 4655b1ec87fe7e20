"""Lending on a private cluster: how long requests, answers and scans take at an even rate, and pages of a long list."""

import base64
import json
import pathlib
import shutil
import tempfile

from harness import database, rows
from harness.processes import say
from harness.suite import DATABASE, Suite

SERVICES = ("identity", "lending")
RATE = 1_000  # calls a second
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
    return [rows.absolute(f"loans.{name}.p99_ms", [one[name]["p99_ms"] for one in seen])
            for name in ("request", "accept", "scan", "list")]


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

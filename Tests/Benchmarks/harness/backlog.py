"""Lending's events in the catalog: how fast a backlog of them takes effect."""

import contextlib
import os
import pathlib
import shutil
import tempfile
import time

from harness import database, rows
from harness.events import until
from harness.processes import say
from harness.suite import DATABASE, Suite

SERVICES = ("identity", "lending", "catalog")
EVENTS = 100_000
BOOKS = 10_000  # each with ten of the events, which are far apart: hardly ever two of one batch
OWNERS = 1_000
WORDS = 5_000  # that descriptions are made of
DRAINED_SECONDS = 120.0
# Users and their books; each has about as many words as a book with a title, an author and a description of two lines.
MAKE = """
insert into catalog.users (id, username, books, changes)
select ('01900000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, 'owner' || number, {books} / {owners}, {books}
from generate_series(1, {owners}) as number;
insert into catalog.books
  (id, owner_id, isbn, title, authors, description, year, language, words, names, change, created_at, updated_at)
select ('01910000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
  ('01900000-0000-7000-8000-' || lpad((number % {owners} + 1)::text, 12, '0'))::uuid,
  9780441172719, 'Book ' || number, array['Author ' || number % 100], described.text, 2000, 'en',
  setweight(to_tsvector('simple', 'book ' || number), 'A') || setweight(to_tsvector('simple', 'author ' || number % 100), 'B')
    || setweight(to_tsvector('simple', described.text), 'D'),
  'book ' || number || ' author ' || number % 100, number, now(), now()
from generate_series(1, {books}) as number
cross join lateral (
  select string_agg('word' || ((number::bigint * 7919 + place * 104729) % {words}), ' ') as text
  from generate_series(1, 24) as place
) as described
"""
# Each book goes from AVAILABLE through REQUESTED, ACCEPTED and BORROWED, and again. In the form of BookStatusChanged on the wire.
REPORT = """
insert into lending.events (transaction_id, topic, key, type, payload, occurred_at)
select '10', 'lending.books', book.id::text, 'tandem.events.v1.BookStatusChanged',
  '\\x0a24'::bytea || convert_to(book.id::text, 'UTF8') || '\\x1224'::bytea || convert_to(book.owner_id::text, 'UTF8')
    || '\\x18'::bytea || set_byte('\\x00', 0, step % 4 + 1) || '\\x20'::bytea || set_byte('\\x00', 0, (step + 1) % 4 + 1)
    || '\\x2a24'::bytea || convert_to(gen_random_uuid()::text, 'UTF8')
    || '\\x3224'::bytea || convert_to(borrower.id::text, 'UTF8'),
  now()
from generate_series(0, {events} / {books} - 1) as step
cross join (select id, owner_id, row_number() over (order by md5(id::text)) as place from catalog.books) as book
join (select id, row_number() over (order by md5(id::text)) as place from catalog.users) as borrower
  on borrower.place = book.place % {owners} + 1
order by step, book.place
"""
POSITIONS = """
select count(*) from catalog.event_cursors as cursor
where cursor.producer = 'lending'
  and (cursor.transaction_id, cursor.id) >= (select transaction_id, max(id) from lending.events group by transaction_id)
"""
CONSUMERS = 2  # the statuses of books, and past loans


def measure(tools, plan, logs):
    """The row of the rate, or none where the programs are not there."""
    if not all(tools[service] for service in SERVICES):
        return []
    rates = []
    for number in range(1, min(plan.rounds, 3) + 1):
        with cores(2):
            rates.append(EVENTS / drained(tools, logs))
        say(f"backlog, round {number}: {rates[-1]:,.0f} events/s")
    return [rows.absolute("events.backlog.rate", rates)]


@contextlib.contextmanager
def cores(count):
    """Leaves so many cores to what is started meanwhile."""
    all_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(all_cores)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_cores)


def drained(tools, logs):
    """Seconds from the start of the catalog until every event has taken effect, in a cluster of their own."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            suite = Suite(tools, cluster, folder, logs, SERVICES)
            suite.provide()
            cluster.sql(MAKE.format(books=BOOKS, owners=OWNERS, words=WORDS), DATABASE)
            cluster.sql(REPORT.format(events=EVENTS, books=BOOKS, owners=OWNERS), DATABASE)
            cluster.sql("vacuum analyze", DATABASE)
            with suite.serving("identity"), suite.serving("lending"):
                begun = time.monotonic()
                with suite.serving("catalog"):
                    until("all have taken effect", lambda: int(cluster.sql(POSITIONS, DATABASE)) == CONSUMERS, DRAINED_SECONDS)
                    return time.monotonic() - begun
    finally:
        shutil.rmtree(folder, ignore_errors=True)

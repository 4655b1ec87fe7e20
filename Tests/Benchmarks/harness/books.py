"""A million books made of real ones: how long searches take, how fast records are loaded, what the service holds meanwhile.

The books are copies of the ones in ../shared/data/books, with descriptions made of other books' titles. Without that folder the part is
left out.
"""

import contextlib
import csv
import json
import pathlib
import random
import shutil
import tempfile
import time

from harness import build, database, rows
from harness.certificates import Certificates
from harness.events import address, until
from harness.processes import Process, run, say

DATABASE = "tandem"
SERVICES = ("identity", "catalog")
SIZES = {"10k": 10_000, "1m": 1_000_000}
RECORDS = 200_000  # that are loaded
OWNERS = 1_000
QUERIES = 400
CALLERS = 2
SEAL_KEY = "bench:" + "A" * 43  # keeps nothing that is worth a secret
SOURCE = build.ROOT.parent / "shared" / "data" / "books" / "goodbooks-10k.books-tidy.csv"

# What is made here is what the service makes of the same books, but for words that it cuts differently.
MAKE = """
insert into catalog.people (id, username, books, changes)
select ('01900000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, 'owner' || number, {size} / {owners}, {size}
from generate_series(1, {owners}) as number
on conflict (id) do update set books = excluded.books, changes = excluded.changes;
insert into catalog.books
  (id, owner_id, isbn, title, authors, description, year, language, words, names, change, created_at, updated_at)
select ('01910000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
  ('01900000-0000-7000-8000-' || lpad((number % {owners} + 1)::text, 12, '0'))::uuid,
  own.isbn, own.title, own.authors, described.text, own.year, own.language,
  setweight(to_tsvector('simple', own.title || ' ' || own.isbn), 'A')
    || setweight(to_tsvector('simple', array_to_string(own.authors, ' ')), 'B')
    || setweight(to_tsvector('simple', described.text), 'D'),
  lower(own.title || ' ' || array_to_string(own.authors, ' ')), number, now(), now()
from generate_series({first}, {size}) as number
join real_books as own on own.place = number % {real}
join real_books as one on one.place = (number::bigint * 7919 + 13) % {real}
join real_books as other on other.place = (number::bigint * 104729 + 7) % {real}
cross join lateral (
  select 'Read once, in good condition. For those who liked ' || one.title || ' or ' || other.title || '.' as text
) as described
"""
REAL = """
create table real_books as
select row_number() over (order by source_id, isbn) - 1 as place, isbn, titles[1] as title, year, language,
  case when cardinality(authors) > 0 then authors[1:20] else array['Nobody'] end as authors
from catalog.editions where source = 'goodbooks';
create unique index on real_books (place);
analyze real_books
"""
NAMES = """
insert into catalog.name_words (word)
select distinct word from real_books, lateral unnest(tsvector_to_array(
  to_tsvector('simple', title || ' ' || array_to_string(authors, ' ')))) as word
on conflict do nothing
"""
PLAN = """
load 'auto_explain';
set auto_explain.log_min_duration = 0;
set auto_explain.log_analyze = on;
set auto_explain.log_buffers = on;
set auto_explain.log_timing = off;
set auto_explain.log_nested_statements = on;
set client_min_messages = log;
set search_path = catalog;
select count(*) from {}
"""


def measure(tools, plan, logs):
    """The rows, and the plans of the searches; none where something is missing."""
    if not (tools["identity"] and tools["catalog"] and tools["load"] and tools["interop"]) or not SOURCE.exists():
        say("books: left out, it needs the Go client and ../shared/data")
        return [], ""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            suite = Suite(tools, cluster, folder, logs)
            suite.provide()
            found = [rows.absolute("load.books.rate", [suite.load()])]
            first = 1
            for name, size in SIZES.items():
                suite.fill(first, size)
                first = size + 1
                found += suite.searches(name, size, plan)
            return found, suite.plans()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Suite:
    """Identity, which says who calls, and the catalog, on one cluster."""

    def __init__(self, tools, cluster, folder, logs):
        self.tools, self.cluster, self.folder, self.logs = tools, cluster, folder, logs
        self.certificates = Certificates(folder, SERVICES)

    def provide(self):
        """Makes the database, with the records of the real books."""
        self.cluster.sql(f"create database {DATABASE}")
        self.cluster.sql(
            "create schema extensions; create extension pg_trgm schema extensions; "
            "create extension fuzzystrmatch schema extensions", DATABASE)
        for service in SERVICES:
            self.cluster.sql(
                f"create role {service} login; create schema {service} authorization {service}; "
                f"grant usage on schema extensions to {service}; grant temporary on database {DATABASE} to {service}; "
                f"alter role {service} set search_path = {service}", DATABASE)
            run([self.tools[service], "migrate", "--database-url", self.url(service)])
        run([self.tools["catalog"], "load", "books", SOURCE, "--format", "goodbooks", "--database-url", self.url("catalog")])
        self.cluster.sql(REAL, DATABASE)
        self.cluster.sql(NAMES, DATABASE)

    def url(self, service):
        """The database as this service's role."""
        return self.cluster.url(DATABASE, service)

    def load(self):
        """Records that `catalog load books` loads in a second."""
        path = self.folder / "many.csv"
        with open(SOURCE, encoding="utf-8", newline="") as source, open(path, "w", encoding="utf-8", newline="") as many:
            real = list(csv.DictReader(source))
            writer = csv.DictWriter(many, real[0].keys())
            writer.writeheader()
            for number in range(RECORDS):
                writer.writerow(real[number % len(real)] | {
                    "book_id": 1_000_000 + number, "isbn10": "", "isbn13": isbn13(number)})
        begun = time.monotonic()
        run([self.tools["catalog"], "load", "books", path, "--format", "goodbooks", "--database-url", self.url("catalog")])
        took = time.monotonic() - begun
        say(f"books: {RECORDS:,} records loaded in {took:.1f} s")
        return RECORDS / took

    def fill(self, first, size):
        """Makes people's books up to so many; the large index is made at the end."""
        real = int(self.cluster.sql("select count(*) from real_books", DATABASE))
        words = self.cluster.sql("select pg_get_indexdef('catalog.books_words_idx'::regclass)", DATABASE).strip()
        begun = time.monotonic()
        self.cluster.sql("drop index catalog.books_words_idx", DATABASE)
        self.cluster.sql(MAKE.format(first=first, size=size, owners=OWNERS, real=real), DATABASE)
        self.cluster.sql(f"set maintenance_work_mem = '512MB'; {words}", DATABASE)
        for table in ("books", "name_words"):
            self.cluster.sql(f"vacuum analyze catalog.{table}", DATABASE)
        say(f"books: {size:,} are there after {time.monotonic() - begun:.0f} s")

    @contextlib.contextmanager
    def serving(self, service, *settings):
        """A ready service as (process, where it answers)."""
        ready = self.folder / f"{service}.json"
        ready.unlink(missing_ok=True)
        process = Process(
            [self.tools[service], "serve", "--database-url", self.url(service), "--listen", "127.0.0.1:0",
             "--admin-listen", "127.0.0.1:0", "--ready-file", ready, "--seal-key", SEAL_KEY,
             *self.certificates.settings(service), *settings], self.logs / f"{service}.log")
        try:
            until(f"{service} is ready", ready.exists)
            yield process, address(ready)
        finally:
            process.end()

    def searches(self, name, size, plan):
        """The rows of one size."""
        mail = self.folder / "mail"
        with self.serving("identity", "--mail", f"folder:{mail}") as (_, identity):
            newcomer = self.folder / "newcomer.json"
            run([self.tools["interop"], "journey", "--address", identity, "--ca", self.folder / "ca.crt",
                 "--mail-folder", mail, "--out", newcomer])
            with self.serving("catalog", "--identity-address", identity) as (catalog, where):
                found = []
                for kind, texts in queries().items():
                    seen = self.search(catalog, where, newcomer, texts, plan)
                    say(f"books, {size:,}, {kind}: p50 {seen['p50_us'] / 1000:.2f} ms, p99 {seen['p99_us'] / 1000:.2f} ms")
                    found.append(rows.absolute(f"{kind}.books_{name}.p99_ms", [seen["p99_us"] / 1000]))
                if size == max(SIZES.values()):
                    found.append(rows.absolute("search.books_1m.rss_mb", [catalog.rss_mb()]))
                return found

    def search(self, catalog, where, newcomer, texts, plan):
        """What the load sees of searches for these texts, one after the other."""
        path = self.folder / "queries.txt"
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        return json.loads(run(
            [self.tools["load"], "search", "--port", where.rsplit(":", 1)[1], "--server-pid", catalog.pid,
             "--callers", CALLERS, "--seconds", plan.rounds * plan.seconds, "--warm", 1, "--newcomer", newcomer,
             "--queries", path, "--tls-ca", self.folder / "ca.crt"], timeout=plan.patience * plan.rounds))

    def plans(self):
        """How the database does a search for a rare word beside a common one, for common words, and for a misspelt one."""
        among = "array['AVAILABLE', 'REQUESTED'], gen_random_uuid()"
        calls = {
            "rare and common": f"books_with_words('potter:*', 'harry:* & potter:* & the:*', {among}, 500)",
            "common": f"newest_books_with_words('the:* & read:*', {among}, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 20)",
            "misspelt": "words_like('tolkeen')",
        }
        return "\n".join(
            f"search, {name}:\n" + self.cluster.sql_with_notices(PLAN.format(call), DATABASE) for name, call in calls.items())


def queries():
    """Searches by kind: words of titles and authors as people type them, and such words misspelt."""
    chance = random.Random(2026)
    with open(SOURCE, encoding="utf-8", newline="") as source:
        real = list(csv.DictReader(source))
    keywords, misspelt = [], []
    for book in chance.sample(real, QUERIES):
        words = [word for word in "".join(c if c.isalnum() else " " for c in book["title"]).split() if len(word) > 1]
        author = book["authors"].split(",")[0].split()[-1:]
        chosen = words[: chance.choice((1, 2, 3))]
        keywords.append(" ".join(chance.choice((chosen, author, words[:1] + author, ["the", *chosen])) or ["the"]))
        long = [word for word in words if len(word) > 5]
        if long:
            word = chance.choice(long)
            place = chance.randrange(1, len(word) - 1)
            misspelt.append(" ".join([word[:place] + word[place + 1] + word[place] + word[place + 2:], *author]))
    return {"search": keywords, "search.similar": misspelt}


def isbn13(number):
    """A valid ISBN-13 for each number."""
    digits = f"979{number:09}"
    return digits + str(-sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits)) % 10)

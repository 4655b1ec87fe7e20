"""A million books made of real ones: how long searches take, how fast records are loaded, what the service holds meanwhile.

The books are copies of the ones in ../shared/data/books, with descriptions made of other books' titles. Without that folder the part is
left out.
"""

import concurrent.futures
import csv
import dataclasses
import pathlib
import random
import shutil
import tempfile
import time

from harness import build, database, rows
from harness.processes import run, say
from harness.suite import DATABASE, Suite, plan_of

SERVICES = ("identity", "catalog")
SIZES = {"10k": 10_000, "1m": 1_000_000}
RECORDS = 200_000  # that are loaded
OWNERS = 1_000
QUERIES = 400
CALLERS = 2
# Who searches, and for what, while others look at books: words that nearly every book has, so that each search has to look at most of them.
SEARCHERS = 10
COMMON = "read once in good condition for those who liked or the of and a to with on one is my"
SOURCE = build.ROOT.parent / "shared" / "data" / "books" / "goodbooks-10k.books-tidy.csv"

# What is made here is what the service makes of the same books, but for words that it cuts differently.
MAKE = """
insert into catalog.users (id, username, books, changes)
select ('01900000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, 'owner' || number, {size} / {owners}, {size}
from generate_series(1, {owners}) as number
on conflict (id) do update set books = excluded.books, changes = excluded.changes;
insert into catalog.books
  (id, owner_id, isbn, title, authors, description, year, language, words, names, title_key, surname, change,
   created_at, updated_at)
select ('01910000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
  ('01900000-0000-7000-8000-' || lpad((number % {owners} + 1)::text, 12, '0'))::uuid,
  own.isbn, own.title, own.authors, described.text, own.year, own.language,
  setweight(to_tsvector('simple', own.title || ' ' || own.isbn), 'A')
    || setweight(to_tsvector('simple', array_to_string(own.authors, ' ')), 'B')
    || setweight(to_tsvector('simple', described.text), 'D'),
  lower(own.title || ' ' || array_to_string(own.authors, ' ')),
  btrim(regexp_replace(lower(split_part(own.title, '(', 1)), '^(the|a|an) |[^a-z0-9]+', ' ', 'g')),
  lower(coalesce(substring(own.authors[1] from '[^ ]+$'), '')), number, now(), now()
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
# What matters for the plans of the service's statements. Of the first a connection soon keeps one plan for all keywords.
RANKED = """
set plan_cache_mode = force_generic_plan;
prepare ranked (tsquery, tsquery, text[]) as
select count(*) from (
  select words from books
  where deleted_at is null and words @@ $1 and (words @@ $2) is true and status = any($3)
  limit 500
) as found;
execute ranked({})
"""
NEWEST = """
select count(*) from (
  select id from books where deleted_at is null and (words @@ {}::tsquery) is true and status = any({})
  order by id desc
  limit 20
) as found
"""


def measure(tools, plan, logs):
    """The rows, and the plans of the searches; none where something is missing."""
    if not (tools["identity"] and tools["catalog"] and tools["load"] and tools["interop"]) or not SOURCE.exists():
        say("books: left out, it needs the Go client and ../shared/data")
        return [], ""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            books = Books(Suite(tools, cluster, folder, logs, SERVICES))
            books.provide()
            found = [rows.absolute("load.books.rate", [books.load()])]
            first = 1
            for name, size in SIZES.items():
                books.fill(first, size)
                first = size + 1
                found += books.searches(name, size, plan)
            return found, books.plans()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Books:
    """The catalog of a suite, with records of the real books."""

    def __init__(self, suite):
        self.suite = suite
        self.cluster = suite.cluster

    def provide(self):
        """Makes the database."""
        self.suite.provide()
        self.load_file(SOURCE)
        self.cluster.sql(REAL, DATABASE)
        self.cluster.sql(NAMES, DATABASE)

    def load_file(self, path):
        """Has the catalog load records as an operator would."""
        run([self.suite.tools["catalog"], "load", "books", path, "--format", "goodbooks", "--database-url",
             self.suite.url("catalog")])

    def load(self):
        """Records that `catalog load books` loads in a second."""
        path = self.suite.folder / "many.csv"
        with open(SOURCE, encoding="utf-8", newline="") as source, open(path, "w", encoding="utf-8", newline="") as many:
            real = list(csv.DictReader(source))
            writer = csv.DictWriter(many, real[0].keys())
            writer.writeheader()
            for number in range(RECORDS):
                writer.writerow(real[number % len(real)] | {
                    "book_id": 1_000_000 + number, "isbn10": "", "isbn13": isbn13(number)})
        begun = time.monotonic()
        self.load_file(path)
        took = time.monotonic() - begun
        say(f"books: {RECORDS:,} records loaded in {took:.1f} s")
        return RECORDS / took

    def fill(self, first, size):
        """Makes people's books up to so many; the large indexes are made at the end."""
        real = int(self.cluster.sql("select count(*) from real_books", DATABASE))
        words = [line.split("|") for line in self.cluster.sql(
            "select indexrelid::regclass, pg_get_indexdef(indexrelid) from pg_index "
            "where indrelid = 'catalog.books'::regclass and indexrelid::regclass::text like '%books\\_words\\_%'",
            DATABASE).splitlines()]
        begun = time.monotonic()
        self.cluster.sql("drop index " + ", ".join(name for name, _ in words), DATABASE)
        self.cluster.sql(MAKE.format(first=first, size=size, owners=OWNERS, real=real), DATABASE)
        self.cluster.sql("set maintenance_work_mem = '512MB';" + ";".join(made for _, made in words), DATABASE)
        for table in ("books", "name_words"):
            self.cluster.sql(f"vacuum analyze catalog.{table}", DATABASE)
        say(f"books: {size:,} are there after {time.monotonic() - begun:.0f} s")

    def searches(self, name, size, plan):
        """The rows of one size."""
        found = []
        with self.suite.serving("identity"):
            newcomer = self.suite.newcomer(f"reader_{name}")
            with self.suite.serving("catalog") as catalog:
                for kind, texts in queries().items():
                    seen = self.suite.ask("search", catalog, "catalog", newcomer, texts, plan, CALLERS)
                    say(f"books, {size:,}, {kind}: p50 {seen['p50_us'] / 1000:.2f} ms, p99 {seen['p99_us'] / 1000:.2f} ms")
                    found.append(rows.absolute(f"{kind}.books_{name}.p99_ms", [seen["p99_us"] / 1000]))
                if size == max(SIZES.values()):
                    found.append(self.looks(catalog, newcomer, plan))
                    found.append(rows.absolute("search.books_1m.rss_mb", [catalog.rss_mb()]))
        return found

    def looks(self, catalog, newcomer, plan):
        """How long GetBook takes beside searches that take as long as any can."""
        ids = [f"01910000-0000-7000-8000-{number:012x}" for number in range(1, QUERIES + 1)]
        def look():
            return self.suite.ask("book", catalog, "catalog", newcomer, ids, plan, CALLERS)["p99_us"] / 1000
        calm = look()
        longer = dataclasses.replace(plan, rounds=2 * plan.rounds)
        with concurrent.futures.ThreadPoolExecutor(1) as searchers:
            searching = searchers.submit(
                self.suite.ask, "search", catalog, "catalog", newcomer, [COMMON], longer, SEARCHERS)
            busy = look()
            seen = searching.result()
        say(f"books, GetBook: p99 {calm:.2f} ms, beside searches of p50 {seen['p50_us'] / 1000:.0f} ms {busy:.2f} ms")
        return rows.less_is_better("book.searches.p99_ms", [busy], [calm])

    def plans(self):
        """How the database does a search for a rare word beside a common one, for common words, and for a misspelt one."""
        among = "array['AVAILABLE', 'REQUESTED']"
        asked = {
            "rare and common": RANKED.format(f"'potter:*', 'harry:* & potter:* & the:*', {among}"),
            "common": NEWEST.format("'the:* & read:*'", among),
            "misspelt": "select count(*) from words_like('tolkeen')",
        }
        return "\n".join(
            f"search, {name}:\n" + plan_of(self.cluster, "catalog", sql) for name, sql in asked.items())


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

"""Lending on a private cluster: how long requests, answers and scans take at an even rate, and pages of a long list."""

import base64
import contextlib
import json
import pathlib
import shutil
import tempfile

from harness import database, rows
from harness.certificates import Certificates
from harness.events import address, until
from harness.identity import seal_key
from harness.processes import Process, run, say

DATABASE = "tandem"
SERVICES = ("identity", "lending")
RATE = 1_000  # calls a second
BOOKS = 300
LISTED = 10_000  # requests of the borrower, beside those that are made
ISBN = "9780441172719"
FILL = """
insert into lending.people (id, username) values ('{owner}', 'owner'), ('{borrower}', 'borrower')
on conflict on constraint people_pkey do nothing;
insert into lending.books (id, owner_id, isbn, title, description)
select gen_random_uuid(), '{owner}', {isbn}, 'Book ' || n, 'A copy' from generate_series(1, {books}) as n;
insert into lending.loans (
  id, book_id, owner_id, borrower_id, state, title, description, owner_username, requested_at, updated_at
)
select gen_random_uuid(), book.id, '{owner}', '{borrower}', 'DECLINED', book.title, 'A copy', 'owner', now(), now()
from (select id, title from lending.books limit 1) as book cross join generate_series(1, {listed});
analyze;
"""


def measure(tools, plan, logs):
    """The rows of lending, or none where its programs are not there."""
    if not all(tools[name] for name in ("identity", "lending", "load", "interop")):
        return []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster, contextlib.ExitStack() as running:
            return _measure(tools, plan, logs, folder, cluster, running)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _measure(tools, plan, logs, folder, cluster, running):
    certificates = Certificates(folder, SERVICES)
    cluster.sql(f"create database {DATABASE}")
    places = {}
    for service in SERVICES:
        cluster.sql(f"create role {service} login")
        cluster.sql(f"grant create on database {DATABASE} to {service}")
        places[service] = _start(tools, service, places, certificates, folder, cluster, running, logs)
    people = {name: _person(tools, places["identity"], name, folder) for name in ("owner", "borrower")}
    cluster.sql(FILL.format(owner=people["owner"][0], borrower=people["borrower"][0], isbn=ISBN, books=BOOKS,
                            listed=LISTED), DATABASE)
    books = cluster.sql("select id from lending.books", DATABASE).split()
    story = folder / "plan.json"
    story.write_text(json.dumps({"owner": people["owner"][1], "borrower": people["borrower"][1], "books": books,
                                 "isbn": ISBN}), encoding="utf-8")
    seen = []
    for number in range(1, plan.rounds + 1):
        seen.append(json.loads(run(
            [tools["load"], "loans", "--port", places["lending"].rsplit(":", 1)[1], "--tls-ca", folder / "ca.crt",
             "--plan", story, "--rate", RATE, "--seconds", plan.seconds, "--warm", plan.warm], timeout=plan.patience)))
        say(f"loans, round {number} of {plan.rounds}: p99 in ms at {RATE:,}/s: "
            + ", ".join(f"{name} {part['p99_ms']:.1f}" for name, part in seen[-1].items()))
    return [rows.absolute(f"loans.{name}.p99_ms", [one[name]["p99_ms"] for one in seen])
            for name in ("request", "accept", "scan", "list")]


def _start(tools, service, others, certificates, folder, cluster, running, logs):
    """Starts a service that knows the `others`; where it answers."""
    ready = folder / f"{service}.json"
    more = ["--mail", f"folder:{folder / 'mail'}"] if service == "identity" else []
    process = Process(
        [tools[service], "serve", "--database-url", cluster.url(DATABASE, service), "--listen", "127.0.0.1:0",
         "--admin-listen", "127.0.0.1:0", "--ready-file", ready, "--seal-key", seal_key(folder),
         *certificates.settings(service), *more,
         *[word for name, place in others.items() for word in (f"--{name}-address", place)]],
        logs / f"{service}.log")
    running.callback(process.end)
    until(f"{service} is ready", ready.exists)
    return address(ready)


def _person(tools, identity, name, folder):
    """Somebody with an account: (id, access token)."""
    out = folder / f"{name}.json"
    run([tools["interop"], "journey", "--address", identity, "--ca", folder / "ca.crt", "--mail-folder",
         folder / "mail", "--username", name, "--out", out])
    token = json.loads(out.read_text())["access_token"]
    claims = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"], token

"""The identity service on a private cluster: how it starts, what it holds, and GetProfile beside pgbench.

Both run the same statement: the one that the server logs while GetProfile is called.
"""

import base64
import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import tempfile
import time

from harness import database, rows
from harness.processes import Failed, Process, run, say

CALLERS = (64, 256)
DATABASE = "tandem"
OWNER = "identity"
TIMEOUT = 20.0
IDLE_SECONDS = 2.0


@contextlib.contextmanager
def serving(tools, cluster, folder, logs):
    """A ready identity service as (process, its port, milliseconds from start to ready)."""
    ready = folder / "ready.json"
    command = [
        tools["identity"], "serve", "--database-url", cluster.url(DATABASE, OWNER), "--listen", "127.0.0.1:0",
        "--admin-listen", "127.0.0.1:0", "--plaintext", "--ready-file", ready, "--mail", f"folder:{folder / 'mail'}",
        "--seal-key", _seal_key(folder), "--registrations-of-address", "1000000/1h", "--registrations-of-domain",
        "1000000/1h", "--registrations-in-all", "1000000/1h",
    ]
    begun = time.monotonic()
    process = Process(command, logs / "identity.log")
    try:
        while not ready.exists():
            if process.popen.poll() is not None or time.monotonic() - begun > TIMEOUT:
                raise Failed(f"identity is not ready after {TIMEOUT:.0f} s; see {process.log}")
            # The file is all that tells of it; a millisecond is the error of the figure.
            time.sleep(0.001)
        took = (time.monotonic() - begun) * 1000
        yield process, int(json.loads(ready.read_text())["rpc"].rsplit(":", 1)[1]), took
    finally:
        process.end()


def _seal_key(folder):
    """A key made at random for this run, the same at each start."""
    place = folder / "seal-key"
    if not place.exists():
        place.write_text("bench:" + base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("="))
    return place.read_text()


def measure(tools, plan, logs):
    """The rows of the service, or none where it is not there."""
    if not tools["identity"]:
        return []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            cluster.sql(f"create role {OWNER} login")
            cluster.sql(f"alter role {OWNER} set search_path = {OWNER}")  # for pgbench; the service sets its own
            cluster.sql(f"create database {DATABASE} owner {OWNER}")
            with serving(tools, cluster, folder, logs):
                pass  # migrates, so that what is timed next only starts
            return starts(tools, cluster, folder, logs, plan) + profiles(tools, cluster, folder, logs, plan)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def starts(tools, cluster, folder, logs, plan):
    """How long a start takes, and how much memory it holds when idle."""
    times, memory = [], []
    for number in range(1, plan.rounds + 1):
        with serving(tools, cluster, folder, logs) as (process, _, took):
            # What is measured is a service that has nothing to do: it gets the time to come to rest.
            time.sleep(IDLE_SECONDS / plan.rounds)
            times.append(took)
            memory.append(process.rss_mb())
            say(f"start, round {number} of {plan.rounds}: {took:.0f} ms, {memory[-1]:.1f} MiB")
    return [rows.absolute("start.ms", times), rows.absolute("idle.rss_mb", memory)]


def profiles(tools, cluster, folder, logs, plan):
    """GetProfile with a verified token, beside the same statement by pgbench."""
    if not (tools["load"] and tools["interop"]):
        say("profile: left out, it needs `load` and the Go client")
        return []
    with serving(tools, cluster, folder, logs) as (process, port, _):
        newcomer = folder / "newcomer.json"
        run([tools["interop"], "journey", "--address", f"127.0.0.1:{port}", "--mail-folder", folder / "mail",
             "--out", newcomer])
        cluster.sql("analyze", DATABASE)
        command = [tools["load"], "profile", "--port", port, "--server-pid", process.pid, "--newcomer", newcomer]
        script, variables = statement(cluster, command)
        ours = {callers: [] for callers in CALLERS}
        pgbench = {callers: [] for callers in CALLERS}
        for number in range(1, plan.rounds + 1):
            for callers in CALLERS:
                seen = json.loads(run(
                    command + ["--callers", callers, "--seconds", plan.seconds, "--warm", plan.warm],
                    timeout=plan.timeout))
                ours[callers].append(seen["rate"])
                pgbench[callers].append(
                    cluster.pgbench(script, DATABASE, callers, plan.seconds, variables, user=OWNER))
                say(f"profile, round {number} of {plan.rounds}, callers {callers}: ours {ours[callers][-1]:,.0f}/s, "
                    f"pgbench {pgbench[callers][-1]:,.0f}/s")
    return [
        rows.more_is_better(f"profile.c{callers}.rate.pgbench", ours[callers], pgbench[callers]) for callers in CALLERS
    ]


def statement(cluster, command):
    """The statement of a GetProfile as a pgbench script, and its variables."""
    def call():
        run(command + ["--callers", 1, "--seconds", 0.1, "--warm", 0])
    seen = [(sql, values) for sql, values in cluster.statements_of(call) if sql.lower().startswith("select")]
    # The service looks after itself meanwhile; what the calls cause runs far more often than that.
    often = [sql for sql, count in collections.Counter(sql for sql, _ in seen).items() if count > len(seen) / 10]
    if len(often) != 1:
        raise Failed(f"GetProfile runs {len(often)} different statements, not one: {sorted(often)}")
    sql = often[0]
    values = next(values for text, values in seen if text == sql)
    variables = [(f"p{index}", value) for index, value in enumerate(values, 1)]
    return re.sub(r"\$(\d+)", r":p\1", sql) + "\n", variables

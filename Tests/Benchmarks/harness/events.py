"""Events at an even rate from one service to another, each a process: how long from the change until it has taken effect."""

import contextlib
import json
import pathlib
import shutil
import tempfile
import time

from harness import database, rows
from harness.certificates import Certificates
from harness.processes import Failed, Process, say

RATE = 2_000  # events a second
DATABASE = "events"
PRODUCER, CONSUMER = "catalog", "lending"  # whose names the two programs bear
TIMEOUT = 60.0
STARTING_SECONDS = 3.0
# Of the last so many: those before were told while the consumer started, and caught up with.
LAGS = """
select percentile_cont(0.99) within group (order by lag_ms)
from (select lag_ms from lending.effects order by place desc limit {}) as steady
"""


def measure(tools, plan, logs):
    """The row of the lag, or none where the programs are not there."""
    if not (tools["chaos-producer"] and tools["chaos-consumer"]):
        return []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        certificates = Certificates(folder, (PRODUCER, CONSUMER))
        with database.cluster() as cluster:
            for service in (PRODUCER, CONSUMER):
                cluster.sql(f"create role {service} login")
            lags = []
            for number in range(1, plan.rounds + 1):
                lags.append(lag(tools, cluster, certificates, plan, logs))
                say(f"events, round {number} of {plan.rounds}: p99 {lags[-1]:.1f} ms at {RATE:,}/s")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return [rows.absolute("events.lag.p99", lags)]


def lag(tools, cluster, certificates, plan, logs):
    """Milliseconds within which 99 of 100 events have taken effect, in a database of their own."""
    cluster.sql(f"drop database if exists {DATABASE}")
    cluster.sql(f"create database {DATABASE}")
    for service in (PRODUCER, CONSUMER):
        cluster.sql(f"grant create on database {DATABASE} to {service}")
    measured = round(RATE * plan.seconds)
    count = measured + round(RATE * STARTING_SECONDS)
    with contextlib.ExitStack() as running:
        def start(program, service, *settings):
            process = Process(
                [tools[program], "serve", "--database-url", cluster.url(DATABASE, service), "--admin-listen", "127.0.0.1:0",
                 *certificates.settings(service), *settings], logs / f"{program}.log")
            running.callback(process.end)
            return process
        ready = certificates.folder / "producer.json"
        ready.unlink(missing_ok=True)
        start("chaos-producer", PRODUCER, "--listen", "127.0.0.1:0", "--ready-file", ready,
              "--events", count, "--rate", RATE, "--keys", 1_000)
        until("the producer is ready", ready.exists)
        start("chaos-consumer", CONSUMER, "--listen", "127.0.0.1:0", "--catalog-address", address(ready))
        until("all have taken effect", lambda: effects(cluster) >= count)
        return float(cluster.sql(LAGS.format(measured), DATABASE))


def address(ready):
    """Where a service answers, from what it wrote when it was ready."""
    return json.loads(ready.read_text())["rpc"]


def effects(cluster):
    """How many events have taken effect."""
    if not cluster.sql("select to_regclass('lending.effects')", DATABASE).strip():
        return 0
    return int(cluster.sql("select count(*) from lending.effects", DATABASE))


def until(what, look, timeout=TIMEOUT):
    """Returns once `look` finds something."""
    end = time.monotonic() + timeout
    while not look():
        if time.monotonic() > end:
            raise Failed(f"in {timeout:.0f} s it did not happen that {what}")
        # A look counts rows in the database that is measured: seldom enough to cost it nothing, often enough beside runs of seconds.
        time.sleep(0.25)

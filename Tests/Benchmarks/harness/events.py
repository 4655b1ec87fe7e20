"""Events at an even rate from one service to another, each a process: how long from the change until it has taken effect."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

from harness import database, rows
from harness.processes import Failed, Process, say

RATE = 2_000  # events a second
DATABASE = "events"
TELLER, LISTENER = "catalog", "lending"  # whose names the two programs bear
PATIENCE = 60.0
STARTING_SECONDS = 3.0
# Of the last so many: those before were told while the listener started, and caught up with.
LAGS = """
select percentile_cont(0.99) within group (order by lag_ms)
from (select lag_ms from lending.effects order by place desc limit {}) as steady
"""


def measure(tools, plan, logs):
    """The row of the lag, or none where the programs are not there."""
    if not (tools["chaos-teller"] and tools["chaos-listener"]):
        return []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        certificates = Certificates(folder)
        with database.cluster() as cluster:
            for service in (TELLER, LISTENER):
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
    for service in (TELLER, LISTENER):
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
        ready = certificates.folder / "teller.json"
        ready.unlink(missing_ok=True)
        start("chaos-teller", TELLER, "--listen", "127.0.0.1:0", "--ready-file", ready,
              "--events", count, "--rate", RATE, "--keys", 1_000)
        until("the teller is ready", ready.exists)
        start("chaos-listener", LISTENER, "--listen", "127.0.0.1:0", "--catalog-address", address(ready))
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


def until(what, look):
    """Returns once `look` finds something."""
    end = time.monotonic() + PATIENCE
    while not look():
        if time.monotonic() > end:
            raise Failed(f"in {PATIENCE:.0f} s it did not happen that {what}")
        # A look counts rows in the database that is measured: seldom enough to cost it nothing, often enough beside runs of seconds.
        time.sleep(0.25)


class Certificates:
    """An authority of this run, and what services show one another."""

    def __init__(self, folder, services=(TELLER, LISTENER)):
        self.folder = folder
        self._openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", 1, "-subj", "/CN=bench",
            "-addext", "basicConstraints=critical,CA:true", "-keyout", "ca.key", "-out", "ca.crt")
        for service in services:
            self._issue(service)

    def _issue(self, service):
        self._openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc",
                      "-subj", f"/CN={service}", "-keyout", f"{service}.key", "-out", f"{service}.csr")
        (self.folder / f"{service}.ext").write_text(
            f"subjectAltName=DNS:{service},DNS:localhost,IP:127.0.0.1,URI:spiffe://tandem/{service}\n", encoding="utf-8")
        self._openssl("x509", "-req", "-in", f"{service}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-days", 1,
                      "-extfile", f"{service}.ext", "-out", f"{service}.crt")

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"openssl {arguments[0]}: {done.stderr[-1_000:]}")

    def settings(self, service):
        """The settings by which `service` shows who it is and knows the other."""
        return ["--tls-cert", self.folder / f"{service}.crt", "--tls-key", self.folder / f"{service}.key",
                "--tls-client-ca", self.folder / "ca.crt"]

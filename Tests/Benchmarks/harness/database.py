"""A private PostgreSQL cluster, and pgbench on it. Durable: fsync and synchronous_commit are on."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from harness.processes import Failed, run


def _programs():
    """The folder of the newest PostgreSQL's programs."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not found:
        raise Failed("PostgreSQL is not installed: .ci/install bench")
    return found[-1]


class Cluster:
    """A running cluster that listens on a Unix socket and on no port."""

    def __init__(self, folder):
        self.folder = folder
        self.programs = _programs()
        self.log = folder / "postgresql.log"
        # The server refuses to run as root, so root hands it to the user that Debian made for it.
        self.as_owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []

    def start(self):
        data = self.folder / "data"
        self._do("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-locale", "-E", "UTF8")
        self._do("pg_ctl", "-D", data, "-w", "-l", self.log, "-o",
                 f"-k {self.folder} -c listen_addresses='' -c max_connections=400 -c shared_buffers=1GB", "start")

    def stop(self):
        with contextlib.suppress(Failed):
            self._do("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")

    def _do(self, program, *arguments):
        with tempfile.TemporaryFile() as output:  # pg_ctl's server keeps a pipe open, so no pipe
            done = subprocess.run(
                self.as_owner + [str(self.programs / program)] + [str(a) for a in arguments], check=False,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            output.seek(0)
            if done.returncode != 0:
                raise Failed(f"{program}: {output.read().decode(errors='replace')[-1_000:]}")

    def url(self, database="postgres", user="postgres"):
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def sql(self, text, database="postgres"):
        """Runs statements; what they print, unaligned."""
        return run([self.programs / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", self.url(database),
                    "-c", text])

    def sql_with_notices(self, text, database="postgres"):
        """Runs statements; what the server says beside what they print."""
        done = subprocess.run(
            [str(self.programs / "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", self.url(database), "-c", text],
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"psql: {done.stderr[-1_000:]}")
        return done.stderr + done.stdout

    def statements_of(self, action):
        """The statements that the server executes for others while `action` runs, as (sql, parameters)."""
        self._reconfigure("alter system set log_min_duration_statement = 0")
        begin = self.log.stat().st_size
        try:
            action()
        finally:
            self._reconfigure("alter system reset log_min_duration_statement")
        with open(self.log, "rb") as log:
            log.seek(begin)
            return _executed(log.read().decode(errors="replace"))

    def longest_of(self, action):
        """Milliseconds that the longest statement takes which the server executes for others while `action` runs."""
        self._reconfigure("alter system set log_min_duration_statement = 10")
        begin = self.log.stat().st_size
        try:
            action()
        finally:
            self._reconfigure("alter system reset log_min_duration_statement")
        with open(self.log, "rb") as log:
            log.seek(begin)
            found = re.findall(r"duration: ([0-9.]+) ms", log.read().decode(errors="replace"))
        return max(map(float, found), default=10.0)

    def _reconfigure(self, statement):
        self.sql(statement)
        self.sql("select pg_reload_conf()")
        # The signal reaches the sessions a little later, and no view tells that it did.
        time.sleep(0.3)

    def pgbench(self, script, database, clients, seconds, variables=(), user="postgres"):
        """Transactions a second of a script with prepared statements."""
        path = self.folder / "script.sql"
        path.write_text(script, encoding="utf-8")
        defined = [part for name, value in variables for part in ("-D", f"{name}={value}")]
        output = run(
            ["pgbench", "-n", "-M", "prepared", "-c", clients, "-j", 2, "-T", max(1, round(seconds)), "-f", path]
            + defined + [self.url(database, user)])
        found = re.search(r"tps = ([0-9.]+) \(without initial", output)
        if not found:
            raise Failed(f"pgbench said no rate:\n{output}")
        return float(found.group(1))

    def pgbench_latencies(self, scripts, database, clients, seconds=None, transactions=None):
        """Milliseconds that each transaction took, of scripts at random with prepared statements, for a time or a number of each client."""
        logs = pathlib.Path(tempfile.mkdtemp(prefix="pgbench-", dir=self.folder))
        files = []
        for number, script in enumerate(scripts):
            files.append(logs / f"{number}.sql")
            files[-1].write_text(script, encoding="utf-8")
        length = ["-T", max(1, round(seconds))] if transactions is None else ["-t", transactions]
        run(["pgbench", "-n", "-M", "prepared", "-c", clients, "-j", 2, *length, "-l", "--log-prefix", logs / "log"]
            + [part for file in files for part in ("-f", file)] + [self.url(database)])
        times = [int(line.split()[2]) / 1000 for log in logs.glob("log.*") for line in log.read_text().splitlines()]
        shutil.rmtree(logs)
        return times

    def latencies(self, statements, database):
        """Milliseconds that each statement takes by psql, one after the other, when all have run before."""
        script = self.folder / "timed.sql"
        script.write_text("\\o /dev/null\n" + "".join(statements) + "\\timing on\n" + "".join(statements), encoding="utf-8")
        output = run([self.programs / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.url(database), "-f", script])
        return [float(found) for found in re.findall(r"^Time: ([0-9.]+) ms", output, re.MULTILINE)]

    def processes(self):
        """The ids of the server's processes."""
        first = int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        children = pathlib.Path(f"/proc/{first}/task/{first}/children").read_text()
        return [first, *map(int, children.split())]


def _executed(log):
    """(sql, [parameters]) of every `execute` in a server log."""
    found = []
    entries = re.split(r"\n(?=\d{4}-\d\d-\d\d )", log)
    for entry, following in zip(entries, entries[1:] + [""]):
        statement = re.search(r"LOG:  duration: [0-9.]+ ms  execute [^:]*: (.*)", entry, re.DOTALL)
        if statement:
            given = re.search(r"(?i:DETAIL:  parameters: )(.*)", following, re.DOTALL)
            found.append((statement.group(1).strip(), _parameters(given.group(1)) if given else []))
    return found


def _parameters(text):
    """The values of `$1 = 'a', $2 = NULL`, in order."""
    return [
        None if value == "NULL" else value[1:-1].replace("''", "'")
        for value in re.findall(r"\$\d+ = (NULL|'(?:[^']|'')*')", text)
    ]


@contextlib.contextmanager
def cluster():
    """A fresh cluster for the length of a `with`; its data is gone afterwards."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        folder.chmod(0o755)
        made = Cluster(folder)
        try:
            made.start()
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)

"""Services of the suite on a private cluster: the database they share, certificates, and people who call them."""

import contextlib
import json

from harness.certificates import Certificates
from harness.events import address, until
from harness.processes import Process, run

DATABASE = "tandem"
# As Shared/Data/Postgres provides them.
EXTENSIONS = ("pg_trgm", "fuzzystrmatch", "cube", "btree_gist")
SEAL_KEY = "bench:" + "A" * 43  # keeps nothing that is worth a secret


class Suite:
    """Services that are started as they are asked for, each with a role and a schema of its own."""

    def __init__(self, tools, cluster, folder, logs, services):
        self.tools, self.cluster, self.folder, self.logs, self.services = tools, cluster, folder, logs, services
        self.certificates = Certificates(folder, services)
        self.addresses = {}

    def provide(self):
        """Makes the database, with the schema of each service."""
        self.provide_for(self.services)

    def provide_for(self, services):
        """The same for those that have a schema."""
        self.cluster.sql(f"create database {DATABASE}")
        self.cluster.sql("create schema extensions", DATABASE)
        for extension in EXTENSIONS:
            self.cluster.sql(f"create extension {extension} schema extensions", DATABASE)
        for service in services:
            self.cluster.sql(
                f"create role {service} login; create schema {service} authorization {service}; "
                f"grant usage on schema extensions to {service}; grant temporary on database {DATABASE} to {service}; "
                f"alter role {service} set search_path = {service}", DATABASE)
            run([self.tools[service], "migrate", "--database-url", self.url(service)])

    def url(self, service):
        """The database as this service's role."""
        return self.cluster.url(DATABASE, service)

    @contextlib.contextmanager
    def serving(self, service, settings=()):
        """A ready service that knows those that run already; identity leaves its mail in a folder."""
        ready = self.folder / f"{service}.json"
        ready.unlink(missing_ok=True)
        mail = ["--mail", f"folder:{self.folder / 'mail'}"] if service == "identity" else []
        others = [word for name, place in self.addresses.items() for word in (f"--{name}-address", place)]
        process = Process(
            [self.tools[service], "serve", "--database-url", self.url(service), "--listen", "127.0.0.1:0",
             "--admin-listen", "127.0.0.1:0", "--ready-file", ready, "--seal-key", SEAL_KEY,
             *self.certificates.settings(service), *mail, *others, *settings], self.logs / f"{service}.log")
        try:
            until(f"{service} is ready", ready.exists)
            self.addresses[service] = address(ready)
            yield process
        finally:
            self.addresses.pop(service, None)
            process.end()

    def newcomer(self, name="newcomer"):
        """Has somebody register with the running identity: a file with `username` and `access_token`."""
        file = self.folder / f"{name}.json"
        # All come from one address, of which identity takes only a few.
        self.cluster.sql("delete from identity.throttles", DATABASE)
        run([self.tools["interop"], "journey", "--address", self.addresses["identity"], "--ca", self.folder / "ca.crt",
             "--mail-folder", self.folder / "mail", "--username", name, "--out", file])
        return file

    def load(self, what, service, *arguments, timeout):
        """What a load on a running service sees, as its JSON says."""
        port = self.addresses[service].rsplit(":", 1)[1]
        return json.loads(run(
            [self.tools["load"], what, "--port", port, "--tls-ca", self.folder / "ca.crt", *arguments], timeout=timeout))

    def ask(self, what, process, service, newcomer, texts, plan, callers):
        """What the load sees of these questions, one after the other."""
        path = self.folder / f"{what}.txt"
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        return self.load(
            what, service, "--server-pid", process.pid, "--callers", callers, "--seconds", plan.rounds * plan.seconds,
            "--warm", 1, "--newcomer", newcomer, "--queries", path, timeout=plan.timeout * plan.rounds)


PLAN = """
load 'auto_explain';
set auto_explain.log_min_duration = 0;
set auto_explain.log_analyze = on;
set auto_explain.log_buffers = on;
set auto_explain.log_timing = off;
set auto_explain.log_nested_statements = on;
set client_min_messages = log;
set search_path = {schema};
{sql}
"""


def plan_of(cluster, schema, sql):
    """How the database executes `sql` in a schema, in the words of its planner."""
    return cluster.sql_with_notices(PLAN.format(schema=schema, sql=sql), DATABASE)

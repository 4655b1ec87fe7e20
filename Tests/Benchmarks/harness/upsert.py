"""Durable upserts of single rows: through Shared/Postgres, and by pgbench, on the same table of the same cluster."""

import json

from harness import database, rows
from harness.processes import run, say

CALLERS = 64
ROWS = 100_000
TABLE = "create table counters (id bigint primary key, value bigint not null, changed_at timestamptz not null)"
SCRIPT = f"""\\set id random(1, {ROWS})
\\set value random(1, {ROWS})
insert into counters (id, value, changed_at) values (:id, :value, now())
on conflict (id) do update set value = excluded.value, changed_at = excluded.changed_at
"""


def measure(tools, plan):
    """The upsert row, or none where the program is not there."""
    if not tools["upsert"]:
        return []
    ours, pgbench = [], []
    with database.cluster() as cluster:
        cluster.sql("create database bench")
        cluster.sql(TABLE, "bench")
        cluster.sql(f"insert into counters select id, 0, now() from generate_series(1, {ROWS}) id", "bench")
        for number in range(1, plan.rounds + 1):
            seen = json.loads(run(
                [tools["upsert"], "--database-url", cluster.url("bench"), "--callers", CALLERS, "--rows", ROWS,
                 "--seconds", plan.seconds, "--warm", plan.warm], timeout=plan.patience))
            ours.append(seen["rate"])
            pgbench.append(cluster.pgbench(SCRIPT, "bench", CALLERS, plan.seconds))
            say(f"upsert, round {number} of {plan.rounds}: ours {ours[-1]:,.0f}/s, pgbench {pgbench[-1]:,.0f}/s")
    return [rows.more_is_better("upsert.c64.rate.pgbench", ours, pgbench)]

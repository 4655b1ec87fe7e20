"""Single statements: through Shared/Data/Postgres, and by pgbench, on the same tables of the same cluster."""

import json

from harness import database, rows
from harness.processes import run, say

ROWS = 100_000
TABLES = f"""
create table counters (id bigint primary key, value bigint not null, changed_at timestamptz not null);
insert into counters select id, 0, now() from generate_series(1, {ROWS}) id;
create table people (
  id bigint primary key, name text not null, email text not null, city text not null, level integer not null,
  rating double precision not null, is_active boolean not null, visits bigint not null);
insert into people select id, 'Person ' || id, 'person' || id || '@example.org', 'City ' || id % 100, id % 5, id % 50 / 10.0, true, id
from generate_series(1, {ROWS}) id;
"""
SCRIPTS = {
    "select": f"""\\set id random(1, {ROWS})
select id, name, email, city, level, rating, is_active, visits from people where id = :id
""",
    "upsert": f"""\\set id random(1, {ROWS})
\\set value random(1, {ROWS})
insert into counters (id, value, changed_at) values (:id, :value, now())
on conflict (id) do update set value = excluded.value, changed_at = excluded.changed_at
""",
}
KINDS = (("select", 64), ("select", 256), ("upsert", 64))


def measure(tools, plan):
    """A row for each statement and number of callers, or none where the program is not there."""
    if not tools["statements"]:
        return []
    ours, pgbench = {kind: [] for kind in KINDS}, {kind: [] for kind in KINDS}
    with database.cluster() as cluster:
        cluster.sql("create database bench")
        cluster.sql(TABLES, "bench")
        cluster.sql("vacuum analyze", "bench")
        for number in range(1, plan.rounds + 1):
            for kind in KINDS:
                name, callers = kind
                seen = json.loads(run(
                    [tools["statements"], name, "--database-url", cluster.url("bench"), "--callers", callers, "--rows", ROWS,
                     "--seconds", plan.seconds, "--warm", plan.warm], timeout=plan.timeout))
                ours[kind].append(seen["rate"])
                pgbench[kind].append(cluster.pgbench(SCRIPTS[name], "bench", callers, plan.seconds))
                say(f"{name}, round {number} of {plan.rounds}, callers {callers}: ours {ours[kind][-1]:,.0f}/s, "
                    f"pgbench {pgbench[kind][-1]:,.0f}/s")
    return [rows.more_is_better(f"{name}.c{callers}.rate.pgbench", ours[name, callers], pgbench[name, callers])
            for name, callers in KINDS]

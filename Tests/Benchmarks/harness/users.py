"""Users of a suite with access tokens, without registrations and logins."""

import hashlib
import os

from harness.accounts import text
from harness.processes import run
from harness.suite import DATABASE

# UUIDv7s a second apart: an index of ids from one millisecond would be read as if all were equal.
MAKE = """
create table users_of_bench as
select
  number,
  (lpad(to_hex(1600000000000 + number::bigint * 1000), 12, '0') || '70008' || lpad(to_hex(number), 15, '0'))::uuid as id,
  family, secret
from (values {values}) as made (number, family, secret);
insert into identity.accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
select id, 'user' || number || '@example.org', 'user' || number || '@example.org', 'user' || number, '$none$', now(), now()
from users_of_bench;
insert into identity.sessions
  (id, account_id, family_hash, refresh_hash, device_label, address, created_at, last_used_at, expires_at)
select gen_random_uuid(), id, family, secret, '', '127.0.0.1', now(), now(), now() + interval '30 days' from users_of_bench;
"""


def make(suite, count):
    """Their access tokens in a file, a line each, from the running identity; their ids are in the table `users_of_bench`."""
    secrets = [(os.urandom(32), os.urandom(32)) for _ in range(count)]
    values = ",".join(
        f"({number}, '\\x{hashlib.sha256(family).hexdigest()}'::bytea, '\\x{hashlib.sha256(secret).hexdigest()}'::bytea)"
        for number, (family, secret) in enumerate(secrets))
    suite.cluster.sql(MAKE.format(values=values), DATABASE)
    refresh, access = suite.folder / "refresh-tokens", suite.folder / "access-tokens"
    refresh.write_text("".join(f"{text(family)}.{text(secret)}\n" for family, secret in secrets), encoding="utf-8")
    port = suite.addresses["identity"].rsplit(":", 1)[1]
    access.write_text(
        run([suite.tools["load"], "access-tokens", "--port", port, "--tls-ca", suite.folder / "ca.crt", "--tokens", refresh]),
        encoding="utf-8")
    return access

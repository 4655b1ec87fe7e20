// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension AccountDeletionsSchema {
  /// `users.sql`, as a schema's migration number `version`.
  public static func users(version: Int) -> Migration {
    Migration(version: version, name: "users", sql: usersSQL)
  }

  private static let usersSQL = """
    -- The users that a service knows. The catalog and lending have made theirs before.

    create table users (
      id uuid not null,
      username text not null default '',
      deleted boolean not null default false,
      constraint users_pkey primary key (id),
      constraint users_deleted_nameless check (not deleted or username = '')
    );

    comment on table users is
    'Users whom identity has reported, or who stored something. Who stores something locks the own row first, so that '
    'nothing is stored after the account deletion.';
    comment on column users.id is 'The account''s id.';
    comment on column users.username is 'As identity reported it; empty until then, and after the account deletion.';
    comment on column users.deleted is 'Whether the account was deleted: nothing of the user is kept or stored (C-9).';

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    DeleteIdempotencyKeysOfUser.self,
  ]
}

// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension IdempotencySchema {
  /// `replays.sql`, as a schema's migration number `version`.
  public static func replays(version: Int) -> Migration {
    Migration(version: version, name: "replays", sql: replaysSQL)
  }

  private static let replaysSQL = """
    create table replays (
      caller text not null,
      method text not null,
      request_id uuid not null,
      sealed_answer bytea not null default '',
      created_at timestamptz not null,
      constraint replays_pkey primary key (caller, method, request_id)
    );

    create index replays_created_at_idx on replays (created_at);

    comment on table replays is
    'First answers to calls that carried a request_id, to be given again for a day (C-4). Written in the transaction '
    'of the call''s effect.';
    comment on column replays.caller is
    'The account''s id or the service''s name; empty for a caller who is not logged in.';
    comment on column replays.method is 'The method''s full name.';
    comment on column replays.request_id is 'The client''s id for the call, of any UUID version.';
    comment on column replays.sealed_answer is
    'The request''s SHA-256 and the answer, both under the service''s seal key because they may hold secrets; empty only '
    'inside the transaction that makes it.';
    comment on column replays.created_at is 'When the call was first made.';

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    ClaimRequest.self,
    StoredAnswer.self,
    StoreAnswer.self,
    DeleteExpiredIdempotencyKeys.self,
  ]
}

// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension OAuth2Schema {
  /// `authorization_attempts.sql`, as a schema's migration number `version`.
  public static func authorizationAttempts(version: Int) -> Migration {
    Migration(version: version, name: "authorization_attempts", sql: authorizationAttemptsSQL)
  }

  /// `attempt_users.sql`, as a schema's migration number `version`.
  public static func attemptUsers(version: Int) -> Migration {
    Migration(version: version, name: "attempt_users", sql: attemptUsersSQL)
  }

  private static let authorizationAttemptsSQL = """
    create table authorization_attempts (
      state_hash bytea not null,
      handle_hash bytea,
      person_id uuid,
      provider text not null,
      redirect_uri text not null,
      sealed_secrets bytea not null,
      created_at timestamptz not null,
      constraint authorization_attempts_pkey primary key (state_hash),
      constraint authorization_attempts_bound check (num_nonnulls(handle_hash, person_id) = 1),
      constraint authorization_attempts_hash_lengths check (
        octet_length(state_hash) = 32 and octet_length(handle_hash) = 32
      ),
      constraint authorization_attempts_provider_length check (char_length(provider) between 1 and 64),
      constraint authorization_attempts_redirect_uri_length check (char_length(redirect_uri) between 1 and 2000)
    );

    create index authorization_attempts_created_at_idx on authorization_attempts (created_at);
    create index authorization_attempts_person_idx on authorization_attempts (person_id) where person_id is not null;

    comment on table authorization_attempts is
    'People who were sent to a provider to consent and have not come back: each attempt works once, for ten minutes. '
    'Coming back deletes its row.';
    comment on column authorization_attempts.state_hash is
    'SHA-256 of the state, which itself is in the browser''s URL and nowhere else.';
    comment on column authorization_attempts.handle_hash is
    'SHA-256 of what the browser or app that began it keeps; null where a person did who is logged in.';
    comment on column authorization_attempts.person_id is
    'Who began it; null where it was somebody who is not logged in yet.';
    comment on column authorization_attempts.provider is 'Where they were sent; the settings know it by this name.';
    comment on column authorization_attempts.redirect_uri is
    'Where they were to be sent back to; the token endpoint is told the same.';
    comment on column authorization_attempts.sealed_secrets is
    'The PKCE verifier and the nonce under the service''s seal key (AES-256-GCM), with state_hash as associated data.';
    comment on column authorization_attempts.created_at is 'When it began.';

    """

  private static let attemptUsersSQL = """
    -- A user is a user in every table.
    -- Programs from before read the old name: all of them are stopped first (see operating.md).
    --
    -- squawk-ignore-file renaming-column, renaming-object

    alter table authorization_attempts rename column person_id to user_id;
    alter index authorization_attempts_person_idx rename to authorization_attempts_user_idx;

    comment on column authorization_attempts.user_id is 'The user who adds an identity; null for a login.';

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    InsertAttempt.self,
    UseAttempt.self,
    DeleteExpiredAttempts.self,
  ]
}

// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension OAuth2Schema {
  /// `authorization_attempts.sql`, as a schema's migration number `version`.
  public static func authorizationAttempts(version: Int) -> Migration {
    Migration(version: version, name: "authorization_attempts", bytes: PackageResources.authorization_attempts_sql)
  }

  /// `attempt_users.sql`, as a schema's migration number `version`.
  public static func attemptUsers(version: Int) -> Migration {
    Migration(version: version, name: "attempt_users", bytes: PackageResources.attempt_users_sql)
  }

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    InsertAttempt.self,
    UseAttempt.self,
    DeleteExpiredAttempts.self,
  ]
}

// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension AccountDeletionsSchema {
  /// `users.sql`, as a schema's migration number `version`.
  public static func users(version: Int) -> Migration {
    Migration(version: version, name: "users", bytes: PackageResources.users_sql)
  }

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    DeleteIdempotencyKeysOfUser.self,
  ]
}

// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension IdempotencySchema {
  /// `replays.sql`, as a schema's migration number `version`.
  public static func replays(version: Int) -> Migration {
    Migration(version: version, name: "replays", bytes: PackageResources.replays_sql)
  }

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    ClaimRequest.self,
    StoredAnswer.self,
    StoreAnswer.self,
    DeleteExpiredIdempotencyKeys.self,
  ]
}

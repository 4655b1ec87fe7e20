import Postgres

/// The table of first responses; each service has its own.
public enum IdempotencySchema {
  /// The step that makes the table `replays`, as a service's migration number `version`.
  public static func migration(version: Int) -> Migration {
    Migration(version: version, name: "replays", bytes: PackageResources.replays_sql)
  }

  /// Every statement of this module, so that a test can prepare them all on a service's schema.
  public static let statements: [any Statement.Type] = [
    ClaimRequest.self, StoredAnswer.self, StoreAnswer.self, DeleteExpiredIdempotencyKeys.self,
  ]
}

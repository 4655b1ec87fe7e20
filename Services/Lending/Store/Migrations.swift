import Idempotency
import Postgres

/// How the schema `lending` is made.
public enum LendingSchema {
  /// In order; one that has landed is never edited.
  public static let migrations = [
    Migration(file: "V0001_schema.sql", bytes: PackageResources.V0001_schema_sql),
    IdempotencySchema.migration(version: 2),
  ]
}

import Idempotency
import Postgres

/// How the schema `matching` is made.
public enum MatchingSchema {
  /// In order; one that has landed is never edited.
  public static let migrations = [
    Migration(file: "V0001_schema.sql", bytes: PackageResources.V0001_schema_sql),
    IdempotencySchema.migration(version: 2),
  ]
}

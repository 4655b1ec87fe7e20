import AccountDeletions
import Events
import Idempotency
import Jobs
import Postgres

/// The schema `matching` and its migrations.
public enum MatchingSchema {
  /// In order; a migration that was released is never edited.
  public static let migrations = [
    Migration(file: "V0001_schema.sql", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.migration(version: 2),
    JobsSchema.migration(version: 3),
    IdempotencySchema.migration(version: 4),
    EventsSchema.upkeep(version: 5),
  ]

  /// What is removed or anonymised when an account is deleted ([C-9]): every table with users' data adds its statement here.
  public static let removals: [any AccountDeletionStatement.Type] = [DeleteIdempotencyKeysOfUser.self]
}

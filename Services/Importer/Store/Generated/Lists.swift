// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import AccountDeletions
import Events
import Idempotency
import Jobs
import Postgres

extension ImporterSchema {
  /// In order; a migration that was released is never edited.
  public static let migrations: [Migration] = [
    Migration(version: 1, name: "schema", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.events(version: 2),
    JobsSchema.jobs(version: 3),
    IdempotencySchema.replays(version: 4),
    EventsSchema.eventsUpkeep(version: 5),
  ]
}

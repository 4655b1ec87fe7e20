// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Idempotency
import Postgres

extension NotesSchema {
  /// In order; a migration that was released is never edited.
  package static let migrations: [Migration] = [
    Migration(version: 1, name: "notes", bytes: PackageResources.V0001_notes_sql),
    IdempotencySchema.replays(version: 2),
  ]

  /// Every statement, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] = Array(
    [
      own,
      IdempotencySchema.statements,
    ].joined())

  private static let own: [any Statement.Type] = [
    InsertNote.self,
    LockedNote.self,
    ReplaceNote.self,
    NotesAfter.self,
  ]
}

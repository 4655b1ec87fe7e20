import Environment
import Events
import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

/// What the importer does with files that users upload ([IM-10]).
///
/// An import takes as long as its file arrives: it is noted when it begins, and stored, or failed, in a transaction of its own when it ends.
package struct FileImports: Sendable {
  let database: Database
  let environment: Environment
  let events: Outbox
  let activities: ActivityOperations
  let reading: FileReading
  let zones: TimeZones
  package let endings: FileImportEndings

  /// - Parameters:
  ///   - activities: what stores what files contain.
  ///   - endings: stores how cancelled imports ended.
  package init(
    database: Database, environment: Environment, events: Outbox, activities: ActivityOperations, reading: FileReading,
    zones: TimeZones, endings: FileImportEndings
  ) {
    (self.database, self.environment, self.events) = (database, environment, events)
    (self.activities, self.reading, self.zones, self.endings) = (activities, reading, zones, endings)
  }

  /// The id of an import that is to begin.
  package func newImportID() -> ImportID { environment.newID() }

  /// How many bytes a client may send beyond those that were taken.
  package var bytesAhead: Int { reading.bytesAhead }

  /// How long an import may take: one that runs for longer was interrupted.
  package var maxImportTime: Duration { reading.maxImportTime }
}

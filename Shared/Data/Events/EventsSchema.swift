public import Postgres

/// The tables that a service needs to publish events and to follow others', as one step of its schema.
public enum EventsSchema {
  public static let name = "events"

  /// The step, as a service's migration number `version`.
  public static func migration(version: Int) -> Migration {
    Migration(version: version, name: name, bytes: PackageResources.events_sql)
  }

  /// A later step, as a service's migration number `version`: what keeps events correct after a database was restored,
  /// with a wrong clock, and where an event cannot be applied.
  public static func upkeep(version: Int) -> Migration {
    Migration(version: version, name: "events_upkeep", bytes: PackageResources.events_upkeep_sql)
  }

  /// Every statement of the module, so that a test can prepare them all on a migrated schema.
  public static let statements: [any Statement.Type] = [
    InsertEvent.self, EventsAfter.self, LogBounds.self, FirstRecentEvent.self, PutConsumer.self, NoteConsumer.self,
    LockRemovals.self, RemoveEvents.self, ForgetConsumers.self, SeeConsumer.self,
    AdvanceRetention.self, CursorOf.self, LockedCursor.self, MoveCursor.self,
    ParkedLines.self, ParkEvents.self, DueParkedEvent.self, LockedParkedEvent.self, DeleteParkedEvent.self,
    DeleteParkedEvents.self, NoteParkedFailure.self, CountParkedEvents.self, ListParkedEvents.self,
    RetryParkedEvent.self, SkipParkedEvent.self,
    LogPlace.self, LogPlaceInDatabase.self, MayAskForServer.self, NoteLogPlace.self, BeginEpoch.self, NoteTold.self,
  ]
}

// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension EventsSchema {
  /// `events.sql`, as a schema's migration number `version`.
  public static func events(version: Int) -> Migration {
    Migration(version: version, name: "events", bytes: PackageResources.events_sql)
  }

  /// `events_upkeep.sql`, as a schema's migration number `version`.
  public static func eventsUpkeep(version: Int) -> Migration {
    Migration(version: version, name: "events_upkeep", bytes: PackageResources.events_upkeep_sql)
  }

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    PutConsumer.self,
    NoteConsumer.self,
    SeeConsumer.self,
    ForgetConsumers.self,
    CursorOf.self,
    LockedCursor.self,
    MoveCursor.self,
    LogPlace.self,
    LogPlaceInDatabase.self,
    MayAskForServer.self,
    NoteLogPlace.self,
    BeginEpoch.self,
    NoteTold.self,
    InsertEvent.self,
    EventsAfter.self,
    LogBounds.self,
    FirstRecentEvent.self,
    ListParkedEvents.self,
    RetryParkedEvent.self,
    SkipParkedEvent.self,
    ParkedLines.self,
    ParkEvents.self,
    DueParkedEvent.self,
    LockedParkedEvent.self,
    DeleteParkedEvent.self,
    DeleteParkedEvents.self,
    NoteParkedFailure.self,
    CountParkedEvents.self,
    AdvanceRetention.self,
    LockRemovals.self,
    RemoveEvents.self,
  ]
}

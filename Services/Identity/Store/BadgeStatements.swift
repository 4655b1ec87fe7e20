import Events
import IdentityDomain
import Identifiers

extension NoteActivity {
  /// - Parameters:
  ///   - timeZone: the zone of the start; one that the database does not know counts as UTC.
  ///   - position: where the importer's log has the event.
  package init(
    activityID: UUID7, userID: UserID, start: Instant, timeZone: String, distance: Distance, position: EventPosition
  ) {
    self.init(
      activityID: activityID, distance: distance, transactionID: position.transactionID, eventID: position.id,
      start: start, timeZone: timeZone, userID: userID)
  }
}

extension NoteActivityRemoved {
  /// - Parameter position: where the importer's log has the event.
  package init(activityID: UUID7, userID: UserID, position: EventPosition) {
    self.init(
      activityID: activityID, transactionID: position.transactionID, eventID: position.id, userID: userID)
  }
}

public import Postgres

extension ParkedEventRecord {
  /// What happens to it next.
  public enum State: String, Sendable, CaseIterable, ColumnValue {
    /// It is tried again.
    case failing
    /// It waits for an earlier one of its topic and key.
    case waiting
    /// An operator has skipped it.
    case skipped
  }

  /// Its position in the producer's log.
  public var position: EventPosition { EventPosition(transactionID: transactionID, id: eventID) }
}

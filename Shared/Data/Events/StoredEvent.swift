import Identifiers
import Postgres

/// An event as stored.
struct StoredEvent: Sendable {
  let position: EventPosition
  let topic: String
  let key: String
  let type: String
  let payload: [UInt8]
  let occurredAt: Instant
  let traceParent: String?
}

extension EventsAfter {
  init(position: EventPosition, topics: [String], includesUnsettled: Bool, limit: Int) {
    self.init(
      topics: topics, transactionID: position.transactionID, id: position.id, includesUnsettled: includesUnsettled,
      limit: Int64(limit))
  }
}

extension EventsAfter.Row {
  /// `nil` in the only row of a page without events.
  var event: StoredEvent? {
    guard let transactionID, let id, let topic, let key, let type, let payload, let occurredAt else { return nil }
    return StoredEvent(
      position: EventPosition(transactionID: transactionID, id: id), topic: topic, key: key, type: type,
      payload: payload, occurredAt: occurredAt, traceParent: traceParent)
  }
}

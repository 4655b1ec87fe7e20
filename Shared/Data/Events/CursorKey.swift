import Identifiers
import Postgres

/// A producer and its consumer.
struct CursorKey: Sendable, Hashable {
  let producer: String
  let consumer: String
}

extension CursorOf {
  init(key: CursorKey) { self.init(producer: key.producer, consumer: key.consumer) }
}

extension LockedCursor {
  init(key: CursorKey, now: Instant) { self.init(producer: key.producer, consumer: key.consumer, now: now) }
}

extension MoveCursor {
  init(key: CursorKey, position: EventPosition, now: Instant) {
    self.init(
      transactionID: position.transactionID, id: position.id, now: now, producer: key.producer, consumer: key.consumer)
  }
}

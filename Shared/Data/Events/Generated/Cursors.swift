// Made from cursors.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// The position up to which every event has taken effect; no row for a consumer that never received any.
struct CursorOf: SingleRowStatement {
  typealias Row = EventPosition
  static let sql = """
    select transaction_id as transaction_id, id as id from event_cursors where producer = $1 and consumer = $2
    """
  let producer: String
  let consumer: String

  init(producer: String, consumer: String) {
    self.producer = producer
    self.consumer = consumer
  }

  func bind(_ p: inout Parameters) {
    p.append(producer)
    p.append(consumer)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try EventPosition(PositionColumns.decode(row))
  }
}

/// The cursor, inserted where it is missing, and locked so that of several replicas one at a time moves it.
struct LockedCursor: SingleRowStatement {
  typealias Row = EventPosition
  static let sql = """
    insert into event_cursors as known (producer, consumer, transaction_id, id, moved_at)
    values ($1, $2, '0', 0, $3)
    on conflict (producer, consumer) do update set moved_at = known.moved_at
    returning transaction_id as transaction_id, id as id
    """
  let producer: String
  let consumer: String
  let now: Instant

  init(producer: String, consumer: String, now: Instant) {
    self.producer = producer
    self.consumer = consumer
    self.now = now
  }

  func bind(_ p: inout Parameters) {
    p.append(producer)
    p.append(consumer)
    p.append(now)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try EventPosition(PositionColumns.decode(row))
  }
}

/// Moves a locked cursor.
struct MoveCursor: Statement {
  typealias Row = Void
  static let sql = """
    update event_cursors set transaction_id = $1, id = $2, moved_at = $3
    where producer = $4 and consumer = $5
    """
  let transactionID: TransactionID
  let id: Int64
  let now: Instant
  let producer: String
  let consumer: String

  init(transactionID: TransactionID, id: Int64, now: Instant, producer: String, consumer: String) {
    self.transactionID = transactionID
    self.id = id
    self.now = now
    self.producer = producer
    self.consumer = consumer
  }

  func bind(_ p: inout Parameters) {
    p.append(transactionID)
    p.append(id)
    p.append(now)
    p.append(producer)
    p.append(consumer)
  }
}

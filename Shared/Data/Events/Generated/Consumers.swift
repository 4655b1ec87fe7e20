// Made from consumers.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Stores the position after which a consumer begins, be it before or behind the stored one.
struct PutConsumer: Statement {
  typealias Row = Void
  static let sql = """
    insert into event_consumers (consumer, transaction_id, id, seen_at, retention_time)
    select $1, $2, $3, now(), retention_time from event_log
    on conflict (consumer) do update
    set transaction_id = excluded.transaction_id, id = excluded.id, seen_at = excluded.seen_at,
      retention_time = excluded.retention_time
    """
  let consumer: String
  let transactionID: TransactionID
  let id: Int64

  init(consumer: String, transactionID: TransactionID, id: Int64) {
    self.consumer = consumer
    self.transactionID = transactionID
    self.id = id
  }

  func bind(_ p: inout Parameters) {
    p.append(consumer)
    p.append(transactionID)
    p.append(id)
  }
}

/// Stores that a consumer has acknowledged everything up to a position, and is connected.
/// Another replica of the consumer may have acknowledged more.
struct NoteConsumer: Statement {
  typealias Row = Void
  static let sql = """
    insert into event_consumers as known (consumer, transaction_id, id, seen_at, retention_time)
    select $1, $2, $3, now(), retention_time from event_log
    on conflict (consumer) do update
    set transaction_id = excluded.transaction_id, id = excluded.id, seen_at = excluded.seen_at,
      retention_time = excluded.retention_time
    where (known.transaction_id, known.id) <= (excluded.transaction_id, excluded.id)
    """
  let consumer: String
  let transactionID: TransactionID
  let id: Int64

  init(consumer: String, transactionID: TransactionID, id: Int64) {
    self.consumer = consumer
    self.transactionID = transactionID
    self.id = id
  }

  func bind(_ p: inout Parameters) {
    p.append(consumer)
    p.append(transactionID)
    p.append(id)
  }
}

/// Stores that a consumer is connected; no row when it was forgotten.
struct SeeConsumer: SingleRowStatement {
  typealias Row = String
  static let sql = """
    update event_consumers set seen_at = now(), retention_time = event_log.retention_time from event_log
    where event_consumers.consumer = $1 returning event_consumers.consumer
    """
  let consumer: String

  init(consumer: String) {
    self.consumer = consumer
  }

  func bind(_ p: inout Parameters) {
    p.append(consumer)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Forgets consumers that have been away for longer than the limit; one row for each.
struct ForgetConsumers: Statement {
  typealias Row = String
  static let sql = """
    delete from event_consumers using event_log
    where event_consumers.retention_time < event_log.retention_time - $1::bigint * interval '1 microsecond'
      and not event_consumers.consumer = any($2::text[])
    returning event_consumers.consumer
    """
  /// How long a consumer may be away.
  let timeoutMicroseconds: Int64
  /// The consumers that are connected to this process.
  let connected: [String]

  init(timeoutMicroseconds: Int64, connected: [String]) {
    self.timeoutMicroseconds = timeoutMicroseconds
    self.connected = connected
  }

  func bind(_ p: inout Parameters) {
    p.append(timeoutMicroseconds)
    p.append(connected)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

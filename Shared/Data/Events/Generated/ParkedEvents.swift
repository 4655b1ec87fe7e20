// Made from parked_events.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// The lines among some that have parked events which are not skipped, and how many.
struct ParkedLines: Statement {
  struct Row: Sendable {
    let topic: String
    let key: String
    let count: Int64
  }

  static let sql = """
    select topic, key, count(*) as count from parked_events
    where producer = $1 and consumer = $2 and skipped_at is null
      and (topic, key) in (
        select wanted.topic, wanted.key from unnest($3::text[], $4::text[]) as wanted (topic, key)
      )
    group by topic, key
    """
  let producer: String
  let consumer: String
  let topics: [String]
  let keys: [String]

  init(producer: String, consumer: String, topics: [String], keys: [String]) {
    self.producer = producer
    self.consumer = consumer
    self.topics = topics
    self.keys = keys
  }

  func bind(_ p: inout Parameters) {
    p.append(producer)
    p.append(consumer)
    p.append(topics)
    p.append(keys)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(topic: try row.next(), key: try row.next(), count: try row.next())
  }
}

/// Parks events behind others of their lines, or one that failed.
struct ParkEvents: Statement {
  typealias Row = Void
  static let sql = """
    insert into parked_events (
      producer, consumer, topic, key, transaction_id, event_id, type, event, attempts, last_failure, due_at
    )
    select
      $1, $2, parked.topic, parked.key, parked.transaction_id, parked.event_id, parked.type, parked.event,
      $3, left($4::text, 500), now() + $5::bigint * interval '1 microsecond'
    from unnest(
      $6::text[], $7::text[], $8::xid8[], $9::bigint[], $10::text[], $11::bytea[]
    ) as parked (topic, key, transaction_id, event_id, type, event)
    on conflict on constraint parked_events_position_key do nothing
    """
  let producer: String
  let consumer: String
  /// How often the event was tried; 0 for events that wait.
  let attempts: Int32
  /// Why the event failed; `nil` for events that wait.
  let failure: String?
  /// Until the event is tried again.
  let waitMicroseconds: Int64
  let topics: [String]
  let keys: [String]
  let transactionIDs: [TransactionID]
  let eventIDs: [Int64]
  let types: [String]
  let events: [[UInt8]]

  init(
    producer: String, consumer: String, attempts: Int32, failure: String?, waitMicroseconds: Int64, topics: [String],
    keys: [String], transactionIDs: [TransactionID], eventIDs: [Int64], types: [String], events: [[UInt8]]) {
    self.producer = producer
    self.consumer = consumer
    self.attempts = attempts
    self.failure = failure
    self.waitMicroseconds = waitMicroseconds
    self.topics = topics
    self.keys = keys
    self.transactionIDs = transactionIDs
    self.eventIDs = eventIDs
    self.types = types
    self.events = events
  }

  func bind(_ p: inout Parameters) {
    p.append(producer)
    p.append(consumer)
    p.append(attempts)
    p.append(failure)
    p.append(waitMicroseconds)
    p.append(topics)
    p.append(keys)
    p.append(transactionIDs)
    p.append(eventIDs)
    p.append(types)
    p.append(events)
  }
}

/// The next parked event that is due, the first of its line; no row when none is.
struct DueParkedEvent: SingleRowStatement {
  typealias Row = UUID7
  static let sql = """
    select first.id from (
      select distinct on (topic, key) id, due_at from parked_events
      where producer = $1 and consumer = $2 and skipped_at is null
      order by topic, key, transaction_id, event_id
    ) as first
    where first.due_at <= now() order by first.due_at limit 1
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
    try row.next()
  }
}

/// A parked event, locked against operators until the transaction ends; no row where it was skipped meanwhile.
struct LockedParkedEvent: SingleRowStatement {
  struct Row: Sendable {
    /// The serialized event.
    let event: [UInt8]
    let attempts: Int32
  }

  static let sql = """
    select event, attempts from parked_events where id = $1 and skipped_at is null for update
    """
  let id: UUID7

  init(id: UUID7) {
    self.id = id
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(event: try row.next(), attempts: try row.next())
  }
}

/// Removes a parked event that has taken effect.
struct DeleteParkedEvent: Statement {
  typealias Row = Void
  static let sql = """
    delete from parked_events where id = $1
    """
  let id: UUID7

  init(id: UUID7) {
    self.id = id
  }

  func bind(_ p: inout Parameters) {
    p.append(id)
  }
}

/// Removes all parked events of a consumer that was resynced, where the resync restored their effects; returns how many
/// there were.
struct DeleteParkedEvents: SingleRowStatement {
  typealias Row = Int64
  static let sql = """
    with gone as (delete from parked_events where producer = $1 and consumer = $2 returning id)
    select count(*) as removed from gone
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
    try row.next()
  }
}

/// Records another failed attempt, unless another replica has recorded one meanwhile.
struct NoteParkedFailure: Statement {
  typealias Row = Void
  static let sql = """
    update parked_events
    set attempts = attempts + 1, last_failure = left($1::text, 500),
      due_at = now() + $2::bigint * interval '1 microsecond'
    where id = $3 and attempts = $4 and skipped_at is null
    """
  let failure: String
  /// Until the event is tried again.
  let waitMicroseconds: Int64
  let id: UUID7
  /// How often it was tried before.
  let attempts: Int32

  init(failure: String, waitMicroseconds: Int64, id: UUID7, attempts: Int32) {
    self.failure = failure
    self.waitMicroseconds = waitMicroseconds
    self.id = id
    self.attempts = attempts
  }

  func bind(_ p: inout Parameters) {
    p.append(failure)
    p.append(waitMicroseconds)
    p.append(id)
    p.append(attempts)
  }
}

/// How many events of a consumer are parked.
struct CountParkedEvents: SingleRowStatement {
  struct Row: Sendable {
    let waiting: Int64
    let skipped: Int64
  }

  static let sql = """
    select
      count(*) filter (where skipped_at is null) as waiting, count(*) filter (where skipped_at is not null) as skipped
    from parked_events where producer = $1 and consumer = $2
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
    Row(waiting: try row.next(), skipped: try row.next())
  }
}

// Made from operators.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// A parked event as operators see it, without its payload.
public struct ParkedEventRecord: Sendable, RowDecodable {
  public let id: UUID7
  public let state: ParkedEventRecord.State
  /// The service that published it.
  public let producer: String
  /// The consumer in this service.
  public let consumer: String
  /// The event's key.
  public let key: String
  /// The full name of its message type.
  public let type: String
  /// Of its position in the producer's log.
  public let transactionID: TransactionID
  /// Of its position in the producer's log.
  public let eventID: Int64
  /// How often it was tried.
  public let attempts: Int64
  /// When it is tried again, by the database's clock; meaningful for a failing one only.
  public let dueAt: Instant
  /// Why the last attempt failed.
  public let lastFailure: String?
  /// When it was parked, by the database's clock.
  public let parkedAt: Instant

  public init(
    id: UUID7, state: ParkedEventRecord.State, producer: String, consumer: String, key: String, type: String,
    transactionID: TransactionID, eventID: Int64, attempts: Int64, dueAt: Instant, lastFailure: String?,
    parkedAt: Instant) {
    self.id = id
    self.state = state
    self.producer = producer
    self.consumer = consumer
    self.key = key
    self.type = type
    self.transactionID = transactionID
    self.eventID = eventID
    self.attempts = attempts
    self.dueAt = dueAt
    self.lastFailure = lastFailure
    self.parkedAt = parkedAt
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ParkedEventRecord {
    ParkedEventRecord(
      id: try row.next(), state: try row.next(), producer: try row.next(), consumer: try row.next(),
      key: try row.next(), type: try row.next(), transactionID: try row.next(), eventID: try row.next(),
      attempts: try row.next(), dueAt: try row.next(), lastFailure: try row.next(), parkedAt: try row.next())
  }
}

/// A schema's parked events, with those that wait behind a failing one next to it.
public struct ListParkedEvents: Statement {
  public typealias Row = ParkedEventRecord
  public static let sql = """
    select parked.id as id,
    case
      when parked.skipped_at is not null then 'skipped'
      when exists (
        select from parked_events as earlier
        where earlier.producer = parked.producer and earlier.consumer = parked.consumer
          and earlier.topic = parked.topic and earlier.key = parked.key and earlier.skipped_at is null
          and (earlier.transaction_id, earlier.event_id) < (parked.transaction_id, parked.event_id)
      ) then 'waiting'
      else 'failing'
    end as state,
    parked.producer as producer, parked.consumer as consumer, parked.key as key, parked.type as type,
    parked.transaction_id as transaction_id, parked.event_id as event_id, parked.attempts::bigint as attempts,
    parked.due_at as due_at, parked.last_failure, parked.parked_at as parked_at from parked_events as parked
    order by
      parked.producer, parked.consumer, parked.topic, parked.key, parked.transaction_id, parked.event_id
    limit $1
    """
  public let limit: Int64

  public init(limit: Int64) {
    self.limit = limit
  }

  public func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ParkedEventRecord.decode(row)
  }
}

/// Makes a parked event due at once; a skipped one waits again, in front of the later ones of its key. No row for an
/// unknown id.
public struct RetryParkedEvent: SingleRowStatement {
  public typealias Row = ParkedEventRecord
  public static let sql = """
    with retried as (
      update parked_events set due_at = now(), skipped_at = null where id = $1 returning *
    )
    select parked.id as id,
    case
      when parked.skipped_at is not null then 'skipped'
      when exists (
        select from parked_events as earlier
        where earlier.producer = parked.producer and earlier.consumer = parked.consumer
          and earlier.topic = parked.topic and earlier.key = parked.key and earlier.skipped_at is null
          and (earlier.transaction_id, earlier.event_id) < (parked.transaction_id, parked.event_id)
      ) then 'waiting'
      else 'failing'
    end as state,
    parked.producer as producer, parked.consumer as consumer, parked.key as key, parked.type as type,
    parked.transaction_id as transaction_id, parked.event_id as event_id, parked.attempts::bigint as attempts,
    parked.due_at as due_at, parked.last_failure, parked.parked_at as parked_at from retried as parked
    """
  public let id: UUID7

  public init(id: UUID7) {
    self.id = id
  }

  public func bind(_ p: inout Parameters) {
    p.append(id)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ParkedEventRecord.decode(row)
  }
}

/// Skips a parked event: it is kept, and the later ones of its key go on. No row for an unknown id.
public struct SkipParkedEvent: SingleRowStatement {
  public typealias Row = ParkedEventRecord
  public static let sql = """
    with skipped as (
      update parked_events set skipped_at = coalesce(skipped_at, now()) where id = $1 returning *
    )
    select parked.id as id,
    case
      when parked.skipped_at is not null then 'skipped'
      when exists (
        select from parked_events as earlier
        where earlier.producer = parked.producer and earlier.consumer = parked.consumer
          and earlier.topic = parked.topic and earlier.key = parked.key and earlier.skipped_at is null
          and (earlier.transaction_id, earlier.event_id) < (parked.transaction_id, parked.event_id)
      ) then 'waiting'
      else 'failing'
    end as state,
    parked.producer as producer, parked.consumer as consumer, parked.key as key, parked.type as type,
    parked.transaction_id as transaction_id, parked.event_id as event_id, parked.attempts::bigint as attempts,
    parked.due_at as due_at, parked.last_failure, parked.parked_at as parked_at from skipped as parked
    """
  public let id: UUID7

  public init(id: UUID7) {
    self.id = id
  }

  public func bind(_ p: inout Parameters) {
    p.append(id)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ParkedEventRecord.decode(row)
  }
}

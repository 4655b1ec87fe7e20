public import Identifiers
public import Postgres

/// A parked event as operators see it, without its payload.
public struct ParkedEventRecord: Sendable, RowDecodable {
  /// What happens to it next.
  public enum State: String, Sendable, CaseIterable {
    /// It is tried again.
    case failing
    /// It waits for an earlier one of its topic and key.
    case waiting
    /// An operator has skipped it.
    case skipped
  }

  public let id: UUID7
  public let state: State
  /// The service that published it.
  public let producer: String
  /// The consumer in this service.
  public let consumer: String
  /// The event's key.
  public let key: String
  /// The full name of its message type.
  public let type: String
  /// Its position in the producer's log.
  public let position: EventPosition
  /// How often it was tried.
  public let attempts: Int64
  /// When it is tried again, by the database's clock; meaningful for a failing one only.
  public let dueAt: Instant
  /// Why the last attempt failed.
  public let lastFailure: String?
  /// When it was parked, by the database's clock.
  public let parkedAt: Instant

  /// The columns that ``decode(_:)`` reads, of `parked_events` as `parked`.
  static let columns = """
    parked.id,
    case
      when parked.skipped_at is not null then 'skipped'
      when exists (
        select from parked_events as earlier
        where earlier.producer = parked.producer and earlier.consumer = parked.consumer
          and earlier.topic = parked.topic and earlier.key = parked.key and earlier.skipped_at is null
          and (earlier.transaction_id, earlier.event_id) < (parked.transaction_id, parked.event_id)
      ) then 'waiting'
      else 'failing'
    end,
    parked.producer, parked.consumer, parked.key, parked.type, parked.transaction_id, parked.event_id,
    parked.attempts::bigint, parked.due_at, parked.last_failure, parked.parked_at
    """

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ParkedEventRecord {
    let id: UUID7 = try row.next()
    let state: String = try row.next()
    return ParkedEventRecord(
      id: id, state: State(rawValue: state) ?? .failing, producer: try row.next(), consumer: try row.next(),
      key: try row.next(), type: try row.next(), position: try EventPosition.decode(row), attempts: try row.next(),
      dueAt: try row.next(), lastFailure: try row.next(), parkedAt: try row.next())
  }
}

/// A schema's parked events, with those that wait behind a failing one next to it.
public struct ListParkedEvents: Statement {
  public typealias Row = ParkedEventRecord
  public static let sql = """
    select \(ParkedEventRecord.columns) from parked_events as parked
    order by
      parked.producer, parked.consumer, parked.topic, parked.key, parked.transaction_id, parked.event_id
    limit $1
    """
  private let limit: Int

  public init(limit: Int) { self.limit = limit }

  public func bind(_ p: inout Parameters) { p.append(Int64(limit)) }
}

/// Makes a parked event due at once; a skipped one waits again, in front of the later ones of its key. No row for an
/// unknown id.
public struct RetryParkedEvent: Statement {
  public typealias Row = ParkedEventRecord
  public static let sql = """
    with retried as (
      update parked_events set due_at = now(), skipped_at = null where id = $1 returning *
    )
    select \(ParkedEventRecord.columns) from retried as parked
    """
  private let id: UUID7

  public init(_ id: UUID7) { self.id = id }

  public func bind(_ p: inout Parameters) { p.append(id) }
}

/// Skips a parked event: it is kept, and the later ones of its key go on. No row for an unknown id.
public struct SkipParkedEvent: Statement {
  public typealias Row = ParkedEventRecord
  public static let sql = """
    with skipped as (
      update parked_events set skipped_at = coalesce(skipped_at, now()) where id = $1 returning *
    )
    select \(ParkedEventRecord.columns) from skipped as parked
    """
  private let id: UUID7

  public init(_ id: UUID7) { self.id = id }

  public func bind(_ p: inout Parameters) { p.append(id) }
}

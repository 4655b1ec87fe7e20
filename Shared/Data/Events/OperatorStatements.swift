public import Identifiers
public import Postgres

/// A parked event as operators see it: all but what it tells.
public struct ParkedEventRecord: Sendable, RowDecodable {
  /// What becomes of it.
  public enum State: String, Sendable, CaseIterable {
    /// It is tried again.
    case failing
    /// It waits for an earlier one of its topic and key.
    case waiting
    /// An operator had it left out.
    case skipped
  }

  /// Its name.
  public let id: UUID7
  /// What becomes of it.
  public let state: State
  /// The service that told it.
  public let producer: String
  /// Who follows that service here.
  public let consumer: String
  /// What it happened to.
  public let key: String
  /// The full name of its message type.
  public let type: String
  /// Where it is in its producer's log.
  public let position: EventPosition
  /// How often it was tried.
  public let attempts: Int64
  /// When it is tried again, by the database's clock; of a failing one alone.
  public let dueAt: Instant
  /// Why the last attempt failed.
  public let lastFailure: String?
  /// Since when it is parked, by the database's clock.
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

  /// Reads ``columns``.
  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ParkedEventRecord {
    let id: UUID7 = try row.next()
    let state: String = try row.next()
    return ParkedEventRecord(
      id: id, state: State(rawValue: state) ?? .failing, producer: try row.next(), consumer: try row.next(),
      key: try row.next(), type: try row.next(), position: try EventPosition.decode(row), attempts: try row.next(),
      dueAt: try row.next(), lastFailure: try row.next(), parkedAt: try row.next())
  }
}

/// A schema's parked events, those that wait behind a failing one next to it.
public struct ListParkedEvents: Statement {
  /// See the type.
  public typealias Row = ParkedEventRecord
  /// See the type.
  public static let sql = """
    select \(ParkedEventRecord.columns) from parked_events as parked
    order by
      parked.producer, parked.consumer, parked.topic, parked.key, parked.transaction_id, parked.event_id
    limit $1
    """
  private let limit: Int

  /// At most `limit` of them.
  public init(limit: Int) { self.limit = limit }

  /// The limit.
  public func bind(_ p: inout Parameters) { p.append(Int64(limit)) }
}

/// Has a parked event tried at once; a skipped one waits in front of the later ones of its key again. No row where there is none.
public struct RetryParkedEvent: Statement {
  /// See ``ListParkedEvents``.
  public typealias Row = ParkedEventRecord
  /// See the type.
  public static let sql = """
    with retried as (
      update parked_events set due_at = now(), skipped_at = null where id = $1 returning *
    )
    select \(ParkedEventRecord.columns) from retried as parked
    """
  private let id: UUID7

  /// The event of this name.
  public init(_ id: UUID7) { self.id = id }

  /// The name.
  public func bind(_ p: inout Parameters) { p.append(id) }
}

/// Leaves a parked event out: it is kept, and the later ones of its key go on. No row where there is none.
public struct SkipParkedEvent: Statement {
  /// See ``ListParkedEvents``.
  public typealias Row = ParkedEventRecord
  /// See the type.
  public static let sql = """
    with skipped as (
      update parked_events set skipped_at = coalesce(skipped_at, now()) where id = $1 returning *
    )
    select \(ParkedEventRecord.columns) from skipped as parked
    """
  private let id: UUID7

  /// The event of this name.
  public init(_ id: UUID7) { self.id = id }

  /// The name.
  public func bind(_ p: inout Parameters) { p.append(id) }
}

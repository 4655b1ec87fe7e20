// Made from operators.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// A job as an operator sees it: without its payload, which may be about users.
public struct JobRecord: Sendable, Equatable, RowDecodable {
  public let id: UUID7
  /// The kind, which selects the handler.
  public let kind: String
  /// The key; `nil` for a job without one.
  public let key: String?
  public let state: JobRecord.State
  /// When it is, or was, due.
  public let due: Instant
  /// When it is tried next; of a dead one, when its next attempt would have been.
  public let ready: Instant
  /// The number of attempts begun.
  public let attempts: Int32
  /// Why the last attempt failed.
  public let lastFailure: String?
  /// When it was given up.
  public let deadAt: Instant?
  /// When it was scheduled, or an operator retried it.
  public let createdAt: Instant
  /// The time zone in which it repeats; `nil` for one that does not repeat.
  public let zone: String?
  /// Bytes of the payload.
  public let payloadLength: Int32

  public init(
    id: UUID7, kind: String, key: String?, state: JobRecord.State, due: Instant, ready: Instant, attempts: Int32,
    lastFailure: String?, deadAt: Instant?, createdAt: Instant, zone: String?, payloadLength: Int32) {
    self.id = id
    self.kind = kind
    self.key = key
    self.state = state
    self.due = due
    self.ready = ready
    self.attempts = attempts
    self.lastFailure = lastFailure
    self.deadAt = deadAt
    self.createdAt = createdAt
    self.zone = zone
    self.payloadLength = payloadLength
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> JobRecord {
    JobRecord(
      id: try row.next(), kind: try row.next(), key: try row.next(), state: try row.next(), due: try row.next(),
      ready: try row.next(), attempts: try row.next(), lastFailure: try row.next(), deadAt: try row.next(),
      createdAt: try row.next(), zone: try row.next(), payloadLength: try row.next())
  }
}

/// Some jobs: the dead ones in the order in which they were given up, others in the order in which they are tried next.
public struct ListJobs: Statement {
  public typealias Row = JobRecord
  public static let sql = """
    select id, kind, key,
    case when dead_at is not null then 'dead' when lease_until > clock_timestamp() then 'running' else 'waiting' end
      as state,
    due_at as due, ready_at as ready, attempts, last_failure, dead_at, created_at, repeat_zone as zone,
    octet_length(payload) as payload_length from jobs
    where ($1::text is null or kind = $1) and case $2::text
        when 'dead' then dead_at is not null
        when 'running' then dead_at is null and lease_until > clock_timestamp()
        when 'waiting' then dead_at is null and (lease_until is null or lease_until <= clock_timestamp())
        else true
      end
    order by coalesce(dead_at, ready_at), id limit $3
    """
  /// `nil` for all.
  public let kind: String?
  /// `nil` for all.
  public let state: JobRecord.State?
  public let limit: Int64

  public init(kind: String?, state: JobRecord.State?, limit: Int64) {
    self.kind = kind
    self.state = state
    self.limit = limit
  }

  public func bind(_ p: inout Parameters) {
    p.append(kind)
    p.append(state)
    p.append(limit)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try JobRecord.decode(row)
  }
}

/// One job; no row when there is none with that id.
public struct FindJob: SingleRowStatement {
  public typealias Row = JobRecord
  public static let sql = """
    select id, kind, key,
    case when dead_at is not null then 'dead' when lease_until > clock_timestamp() then 'running' else 'waiting' end
      as state,
    due_at as due, ready_at as ready, attempts, last_failure, dead_at, created_at, repeat_zone as zone,
    octet_length(payload) as payload_length from jobs where id = $1
    """
  public let id: UUID7

  public init(id: UUID7) {
    self.id = id
  }

  public func bind(_ p: inout Parameters) {
    p.append(id)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try JobRecord.decode(row)
  }
}

/// Retries a dead job from now on, with all the attempts and time of a new one; no row when it is not dead.
///
/// It counts as scheduled now: by its first time, a job that was given up for its age would get only one attempt.
///
/// It fails with `23505` and ``livingConstraint`` when another pending job has the kind and the key meanwhile.
public struct RetryDeadJob: SingleRowStatement {
  public typealias Row = JobRecord
  public static let sql = """
    update jobs set dead_at = null, attempts = 0, ready_at = greatest(due_at, $1), created_at = $1, fence = fence + 1
    where id = $2 and dead_at is not null
    returning id, kind, key,
    case when dead_at is not null then 'dead' when lease_until > clock_timestamp() then 'running' else 'waiting' end
      as state,
    due_at as due, ready_at as ready, attempts, last_failure, dead_at, created_at, repeat_zone as zone,
    octet_length(payload) as payload_length
    """
  public let now: Instant
  public let id: UUID7

  public init(now: Instant, id: UUID7) {
    self.now = now
    self.id = id
  }

  public func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(id)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try JobRecord.decode(row)
  }
}

public import Identifiers
public import Postgres

// The statements of operators' commands, run from outside of the service.

/// A job as an operator sees it: without its payload, which may be about users.
public struct JobRecord: Sendable, Equatable {
  /// What happens to a job next.
  public enum State: String, Sendable, CaseIterable {
    /// It will be run when it is due.
    case waiting
    /// A replica is running it.
    case running
    /// It was given up.
    case dead
  }

  public let id: UUID7
  /// The kind, which selects the handler.
  public let kind: String
  /// The key; `nil` for a job without one.
  public let key: String?
  public let state: State
  /// When it is, or was, due.
  public let due: Instant
  /// When it is tried next; of a dead one, when its next attempt would have been.
  public let ready: Instant
  /// The number of attempts begun.
  public let attempts: Int
  /// Why the last attempt failed.
  public let lastFailure: String?
  /// When it was given up.
  public let deadAt: Instant?
  /// When it was scheduled, or an operator retried it.
  public let createdAt: Instant
  /// The time zone in which it repeats; `nil` for one that does not repeat.
  public let zone: String?
  /// Bytes of the payload.
  public let payloadLength: Int

  static let columns = """
    id, kind, key,
    case when dead_at is not null then 'dead' when lease_until > clock_timestamp() then 'running' else 'waiting' end,
    due_at, ready_at, attempts, last_failure, dead_at, created_at, repeat_zone, octet_length(payload)
    """

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> JobRecord {
    let (id, kind, key): (UUID7, String, String?) = (try row.next(), try row.next(), try row.next())
    let name: String = try row.next()
    guard let state = State(rawValue: name) else { throw ColumnError("\(name) is no state of a job") }
    let (due, ready, attempts): (Instant, Instant, Int32) = (try row.next(), try row.next(), try row.next())
    let (failure, deadAt): (String?, Instant?) = (try row.next(), try row.next())
    let (createdAt, zone, length): (Instant, String?, Int32) = (try row.next(), try row.next(), try row.next())
    return JobRecord(
      id: id, kind: kind, key: key, state: state, due: due, ready: ready, attempts: Int(attempts),
      lastFailure: failure, deadAt: deadAt, createdAt: createdAt, zone: zone, payloadLength: Int(length))
  }
}

/// Some jobs: the dead ones in the order in which they were given up, others in the order in which they are tried next.
public struct ListJobs: Statement {
  public static let sql = """
    select \(JobRecord.columns) from jobs
    where ($2::text is null or kind = $2) and case $1::text
        when 'dead' then dead_at is not null
        when 'running' then dead_at is null and lease_until > clock_timestamp()
        when 'waiting' then dead_at is null and (lease_until is null or lease_until <= clock_timestamp())
        else true
      end
    order by coalesce(dead_at, ready_at), id limit $3
    """
  private let state: JobRecord.State?
  private let kind: String?
  private let limit: Int

  /// - Parameters:
  ///   - state: `nil` for all.
  ///   - kind: `nil` for all.
  public init(_ state: JobRecord.State?, kind: String?, limit: Int) {
    (self.state, self.kind, self.limit) = (state, kind, limit)
  }

  public func bind(_ p: inout Parameters) {
    p.append(state?.rawValue)
    p.append(kind)
    p.append(Int64(limit))
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> JobRecord {
    try JobRecord.decode(row)
  }
}

/// One job; no row when there is none with that id.
public struct FindJob: Statement {
  public static let sql = "select \(JobRecord.columns) from jobs where id = $1"
  private let id: UUID7

  public init(_ id: UUID7) { self.id = id }

  public func bind(_ p: inout Parameters) { p.append(id) }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> JobRecord {
    try JobRecord.decode(row)
  }
}

/// Retries a dead job from now on, with all the attempts and time of a new one; no row when it is not dead.
///
/// It counts as scheduled now: by its first time, a job that was given up for its age would get only one attempt.
///
/// It fails with `23505` and ``livingConstraint`` when another pending job has the kind and the key meanwhile.
public struct RetryDeadJob: Statement {
  /// The constraint that allows one pending job of a kind and key.
  public static let livingConstraint = "jobs_kind_key"

  public static let sql = """
    update jobs set dead_at = null, attempts = 0, ready_at = greatest(due_at, $2), created_at = $2, fence = fence + 1
    where id = $1 and dead_at is not null
    returning \(JobRecord.columns)
    """
  private let id: UUID7
  private let now: Instant

  public init(_ id: UUID7, now: Instant) { (self.id, self.now) = (id, now) }

  public func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(now)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> JobRecord {
    try JobRecord.decode(row)
  }
}

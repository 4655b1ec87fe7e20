public import Identifiers
public import Postgres

// What an operator asks and does, from outside of the service.

/// A job as an operator sees it: without what it holds, which may be about users.
public struct JobRecord: Sendable, Equatable {
  /// What becomes of a job next.
  public enum State: String, Sendable, CaseIterable {
    /// It is done at its time.
    case waiting
    /// A replica has it now.
    case running
    /// It was given up.
    case dead
  }

  /// Its id.
  public let id: UUID7
  /// Which code does it.
  public let kind: String
  /// What it is about; `nil` where nobody needs to know.
  public let key: String?
  /// What becomes of it next.
  public let state: State
  /// When it is, or was, to be done.
  public let due: Instant
  /// When it is tried next; of a dead one, when it was last to be tried.
  public let ready: Instant
  /// How often it was begun.
  public let attempts: Int
  /// Why the last attempt failed.
  public let lastFailure: String?
  /// When it was given up.
  public let deadAt: Instant?
  /// When it was scheduled, or an operator had it tried again.
  public let createdAt: Instant
  /// The zone in which it repeats; `nil` for one that does not.
  public let zone: String?
  /// Bytes of what it holds.
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
  /// The statement.
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

  /// The parameters.
  public func bind(_ p: inout Parameters) {
    p.append(state?.rawValue)
    p.append(kind)
    p.append(Int64(limit))
  }

  /// A row.
  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> JobRecord {
    try JobRecord.decode(row)
  }
}

/// One job; no row when there is none with that id.
public struct FindJob: Statement {
  /// The statement.
  public static let sql = "select \(JobRecord.columns) from jobs where id = $1"
  private let id: UUID7

  /// The job of that id.
  public init(_ id: UUID7) { self.id = id }

  /// The parameter.
  public func bind(_ p: inout Parameters) { p.append(id) }

  /// The row.
  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> JobRecord {
    try JobRecord.decode(row)
  }
}

/// Has a dead job tried again from now on, as often and as long as a new one; no row when it is not dead.
///
/// It counts as scheduled now: by the moment when it was first, a job that was given up for its age would be given one attempt.
///
/// It fails with `23505` and ``livingConstraint`` when a living job has the kind and the key meanwhile.
public struct RetryDeadJob: Statement {
  /// The constraint that lets one job of a kind and key live.
  public static let livingConstraint = "jobs_kind_key"

  /// The statement.
  public static let sql = """
    update jobs set dead_at = null, attempts = 0, ready_at = greatest(due_at, $2), created_at = $2, fence = fence + 1
    where id = $1 and dead_at is not null
    returning \(JobRecord.columns)
    """
  private let id: UUID7
  private let now: Instant

  /// The job of that id, at that time.
  public init(_ id: UUID7, now: Instant) { (self.id, self.now) = (id, now) }

  /// The parameters.
  public func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(now)
  }

  /// The row.
  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> JobRecord {
    try JobRecord.decode(row)
  }
}

// Made from counts.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// How many jobs of each kind are due and not running; counted up to 10,000.
struct CountJobs: Statement {
  struct Row: Sendable {
    let kind: String
    let count: Int64
  }

  static let pace = Pace.slow
  static let sql = """
    select kinds.kind as kind, waiting.count as count
    from unnest($1::text[]) as kinds (kind)
    cross join lateral (
      select count(*) as count from (
        select from jobs
        where kind = kinds.kind and dead_at is null and ready_at <= $2
          and (lease_until is null or lease_until <= clock_timestamp())
        limit 10000
      ) as counted
    ) as waiting
    """
  let kinds: [String]
  let now: Instant

  init(kinds: [String], now: Instant) {
    self.kinds = kinds
    self.now = now
  }

  func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(now)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(kind: try row.next(), count: try row.next())
  }
}

/// How many jobs were given up; counted up to 10,000.
struct CountDeadJobs: SingleRowStatement {
  typealias Row = Int64
  static let pace = Pace.slow
  static let sql = """
    select count(*) as dead from (select from jobs where dead_at is not null limit 10000) as counted
    """

  init() {}

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

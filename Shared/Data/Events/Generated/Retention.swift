// Made from retention.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Advances the retention time, by which events' ages and consumers' absences are measured: by what has passed on the
/// database's clock since the last time, and by no more than a monotonic clock measured.
struct AdvanceRetention: SingleRowStatement {
  struct Row: Sendable {
    /// Microseconds by the database's clock; negative when it was set back.
    let passed: Int64
    /// The part of `passed`, in microseconds, that was added to the retention time.
    let counted: Int64
  }

  static let sql = """
    with last as materialized (
      select swept_at, clock_timestamp() as present from event_log for update
    ), advance as (
      select present,
        (extract(epoch from present - swept_at) * 1000000)::bigint as passed
      from last
    )
    update event_log
    set swept_at = advance.present,
      retention_time = event_log.retention_time
        + greatest(0, least(advance.passed, $1)) * interval '1 microsecond'
    from advance
    returning advance.passed as passed, greatest(0, least(advance.passed, $1)) as counted
    """
  /// The time since the last sweep by the monotonic clock.
  let elapsedMicroseconds: Int64

  init(elapsedMicroseconds: Int64) {
    self.elapsedMicroseconds = elapsedMicroseconds
  }

  func bind(_ p: inout Parameters) {
    p.append(elapsedMicroseconds)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(passed: try row.next(), counted: try row.next())
  }
}

/// Blocks new subscriptions, and other removals, until the transaction ends.
struct LockRemovals: SingleRowStatement {
  typealias Row = EventPosition
  static let sql = """
    select event_removals.transaction_id as transaction_id, event_removals.id as id from event_removals for update
    """

  init() {}

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try EventPosition(RemovalColumns.decode(row))
  }
}

/// Removes some of the oldest events: those that were kept long enough and that every consumer has acknowledged.
/// Returns their number.
/// By ctid, which never changes, as events are never updated. A join with the table would read all of it.
struct RemoveEvents: SingleRowStatement {
  typealias Row = Int64
  static let sql = """
    with oldest as materialized (
      select ctid as place, transaction_id, id, retention_time from events order by transaction_id, id limit $1
    ), log as materialized (
      select
        (event_log.transaction_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 as horizon,
        retention_time - $2::bigint * interval '1 microsecond' as before
      from event_log
    ), removed as (
      delete from events where ctid = any(array(
        select oldest.place from oldest cross join log
        where oldest.retention_time < log.before and oldest.transaction_id < log.horizon
          and not exists (
            select from event_consumers as known
            where (known.transaction_id, known.id) < (oldest.transaction_id, oldest.id)
          )
      )) returning transaction_id, id
    ), last as (
      select transaction_id, id from removed order by transaction_id desc, id desc limit 1
    ), noted as (
      update event_removals set transaction_id = last.transaction_id, id = last.id from last
      where (event_removals.transaction_id, event_removals.id) < (last.transaction_id, last.id)
    )
    select count(*) as removed from removed
    """
  let limit: Int64
  let keptMicroseconds: Int64

  init(limit: Int64, keptMicroseconds: Int64) {
    self.limit = limit
    self.keptMicroseconds = keptMicroseconds
  }

  func bind(_ p: inout Parameters) {
    p.append(limit)
    p.append(keptMicroseconds)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

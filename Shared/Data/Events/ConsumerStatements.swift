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
  let position: EventPosition

  func bind(_ p: inout Parameters) {
    p.append(consumer)
    position.bind(&p)
  }
}

/// Stores that a consumer has acknowledged everything up to a position, and is connected.
struct NoteConsumer: Statement {
  typealias Row = Void
  // Another replica of the consumer may have acknowledged more.
  static let sql = """
    insert into event_consumers as known (consumer, transaction_id, id, seen_at, retention_time)
    select $1, $2, $3, now(), retention_time from event_log
    on conflict (consumer) do update
    set transaction_id = excluded.transaction_id, id = excluded.id, seen_at = excluded.seen_at,
      retention_time = excluded.retention_time
    where (known.transaction_id, known.id) <= (excluded.transaction_id, excluded.id)
    """
  let consumer: String
  let position: EventPosition

  func bind(_ p: inout Parameters) {
    p.append(consumer)
    position.bind(&p)
  }
}

/// Stores that a consumer is connected; no row when it was forgotten.
struct SeeConsumer: Statement {
  typealias Row = String
  static let sql = """
    update event_consumers set seen_at = now(), retention_time = event_log.retention_time from event_log
    where event_consumers.consumer = $1 returning event_consumers.consumer
    """
  let consumer: String

  func bind(_ p: inout Parameters) { p.append(consumer) }
}

/// How far the database's clock has advanced since it was last read.
struct ClockAdvance: RowDecodable {
  /// Microseconds by the database's clock; negative when it was set back.
  let passed: Int64
  /// The part of `passed`, in microseconds, that was added to the retention time.
  let counted: Int64

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ClockAdvance {
    ClockAdvance(passed: try row.next(), counted: try row.next())
  }
}

/// Advances the retention time, by which events' ages and consumers' absences are measured: by what has passed on the
/// database's clock since the last time, and by no more than a monotonic clock measured.
struct AdvanceRetention: Statement {
  typealias Row = ClockAdvance
  // The row is locked: of several replicas each counts what passed since the one before.
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
    returning advance.passed, greatest(0, least(advance.passed, $1))
    """
  /// The time since the last sweep by the monotonic clock.
  let elapsed: Duration

  func bind(_ p: inout Parameters) { p.append(elapsed.wholeMicroseconds) }
}

/// Blocks new subscriptions, and other removals, until the transaction ends.
struct LockRemovals: Statement {
  static let sql = "select transaction_id, id from event_removals for update"

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition { try EventPosition.decode(row) }
}

/// Removes some of the oldest events: those that were kept long enough and that every consumer has acknowledged.
/// Returns their number.
struct RemoveEvents: Statement {
  typealias Row = Int64
  // By ctid, which never changes, as events are never updated. A join with the table would read all of it.
  static let sql = """
    with oldest as materialized (
      select ctid as place, transaction_id, id, retention_time from events order by transaction_id, id limit $2
    ), log as materialized (
      select
        \(NumberedTransaction.sql("pg_snapshot_xmin(pg_current_snapshot())")) as horizon,
        retention_time - $1 * interval '1 microsecond' as before
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
    select count(*) from removed
    """
  let kept: Duration
  let limit: Int

  func bind(_ p: inout Parameters) {
    p.append(kept.wholeMicroseconds)
    p.append(Int64(limit))
  }
}

/// Forgets consumers that have been away for longer than the limit; one row for each.
struct ForgetConsumers: Statement {
  typealias Row = String
  static let sql = """
    delete from event_consumers using event_log
    where event_consumers.retention_time < event_log.retention_time - $1 * interval '1 microsecond'
      and not event_consumers.consumer = any($2::text[])
    returning event_consumers.consumer
    """
  let consumerTimeout: Duration
  /// The consumers that are connected to this process.
  let connected: [String]

  func bind(_ p: inout Parameters) {
    p.append(consumerTimeout.wholeMicroseconds)
    p.append(connected)
  }
}

/// A producer and its consumer.
struct CursorKey: Sendable, Hashable {
  let producer: String
  let consumer: String

  func bind(_ p: inout Parameters) {
    p.append(producer)
    p.append(consumer)
  }
}

/// The position up to which every event has taken effect; no row for a consumer that never received any.
struct CursorOf: Statement {
  static let sql = "select transaction_id, id from event_cursors where producer = $1 and consumer = $2"
  let key: CursorKey

  func bind(_ p: inout Parameters) { key.bind(&p) }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition { try EventPosition.decode(row) }
}

/// The cursor, inserted where it is missing, and locked so that of several replicas one at a time moves it.
struct LockedCursor: Statement {
  static let sql = """
    insert into event_cursors as known (producer, consumer, transaction_id, id, moved_at) values ($1, $2, '0', 0, $3)
    on conflict (producer, consumer) do update set moved_at = known.moved_at
    returning transaction_id, id
    """
  let key: CursorKey
  let now: Instant

  func bind(_ p: inout Parameters) {
    key.bind(&p)
    p.append(now)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition { try EventPosition.decode(row) }
}

/// Moves a locked cursor.
struct MoveCursor: Statement {
  typealias Row = Void
  static let sql = """
    update event_cursors set transaction_id = $3, id = $4, moved_at = $5 where producer = $1 and consumer = $2
    """
  let key: CursorKey
  let position: EventPosition
  let now: Instant

  func bind(_ p: inout Parameters) {
    key.bind(&p)
    position.bind(&p)
    p.append(now)
  }
}

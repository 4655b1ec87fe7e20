import Identifiers
import Postgres

/// Notes that a consumer begins after a position, be it before or behind the one that was noted.
struct PutConsumer: Statement {
  typealias Row = Void
  static let sql = """
    insert into event_consumers (consumer, transaction_id, id, seen_at) values ($1, $2, $3, $4)
    on conflict (consumer) do update
    set transaction_id = excluded.transaction_id, id = excluded.id, seen_at = excluded.seen_at
    """
  let consumer: String
  let position: EventPosition
  let now: Instant

  func bind(_ p: inout Parameters) {
    p.append(consumer)
    position.bind(&p)
    p.append(now)
  }
}

/// Notes that a consumer has dealt with everything up to a position.
struct NoteConsumer: Statement {
  typealias Row = Void
  // Another replica of the consumer may be further.
  static let sql = """
    insert into event_consumers as known (consumer, transaction_id, id, seen_at) values ($1, $2, $3, $4)
    on conflict (consumer) do update
    set transaction_id = excluded.transaction_id, id = excluded.id, seen_at = excluded.seen_at
    where (known.transaction_id, known.id) <= (excluded.transaction_id, excluded.id)
    """
  let consumer: String
  let position: EventPosition
  let now: Instant

  func bind(_ p: inout Parameters) {
    p.append(consumer)
    position.bind(&p)
    p.append(now)
  }
}

/// Keeps subscriptions from beginning, and other removals, until the transaction ends.
struct LockRemovals: Statement {
  static let sql = "select transaction_id, id from event_removals for update"

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition { try EventPosition.decode(row) }
}

/// Removes some of the oldest events: those from before a moment that every consumer has dealt with. Says how many.
struct RemoveEvents: Statement {
  typealias Row = Int64
  // By their places, which nothing moves: events are never changed. A join with the table would read all of it.
  static let sql = """
    with oldest as materialized (
      select ctid as place, transaction_id, id, occurred_at from events order by transaction_id, id limit $2
    ), removed as (
      delete from events where ctid = any(array(
        select place from oldest
        where occurred_at < $1 and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
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
  let before: Instant
  let limit: Int

  func bind(_ p: inout Parameters) {
    p.append(before)
    p.append(Int64(limit))
  }
}

/// Forgets consumers that were last seen before a moment; one row for each.
struct ForgetConsumers: Statement {
  typealias Row = String
  static let sql = "delete from event_consumers where seen_at < $1 returning consumer"
  let before: Instant

  func bind(_ p: inout Parameters) { p.append(before) }
}

/// Who follows whom.
struct CursorKey: Sendable, Hashable {
  let producer: String
  let consumer: String

  func bind(_ p: inout Parameters) {
    p.append(producer)
    p.append(consumer)
  }
}

/// Up to where everything has taken effect; no row for a consumer that never got anything.
struct CursorOf: Statement {
  static let sql = "select transaction_id, id from event_cursors where producer = $1 and consumer = $2"
  let key: CursorKey

  func bind(_ p: inout Parameters) { key.bind(&p) }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition { try EventPosition.decode(row) }
}

/// The same, made where it is missing, and locked so that of several replicas one at a time moves it.
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

import Identifiers
import Postgres

/// Adds an event; no row when a later transaction has already published one of the same key.
struct InsertEvent: Statement {
  typealias Row = Int64
  // Transactions are numbered at their first change. One that then waits for another's lock has the lower number and
  // the later change.
  static let sql = """
    with own as materialized (
      select \(NumberedTransaction.sql("pg_current_xact_id()")) as transaction_id, retention_time from event_log
    )
    insert into events (transaction_id, topic, key, type, payload, occurred_at, trace_parent, retention_time)
    select own.transaction_id, $1::text, $2::text, $3, $4, $5, $6, own.retention_time from own
    where not exists (
      select from events as told
      where told.topic = $1::text and told.key = $2::text and told.transaction_id > own.transaction_id
    )
    returning id
    """
  let topic: String
  let key: String
  let type: String
  let payload: [UInt8]
  let occurredAt: Instant
  let traceParent: String?

  func bind(_ p: inout Parameters) {
    p.append(topic)
    p.append(key)
    p.append(type)
    p.append(payload)
    p.append(occurredAt)
    p.append(traceParent)
  }
}

/// An event as stored.
struct StoredEvent: Sendable {
  let position: EventPosition
  let topic: String
  let key: String
  let type: String
  let payload: [UInt8]
  let occurredAt: Instant
  let traceParent: String?
}

/// Some events after a position, in order; at least one row, because the first columns are needed in any case.
///
/// Ids are assigned before the commit, and transactions commit in any order: an event with a higher id may appear
/// first. So nothing is read at or above the oldest transaction that was open when the statement began (its snapshot's
/// xmin): below it all have ended, and no event can appear there any more.
struct EventsAfter: Statement {
  struct Row: Sendable {
    /// Every transaction below this one has ended.
    let horizon: UInt64
    /// Whether events have committed that lie at or above it.
    let othersWait: Bool
    /// Events up to this position may have been removed.
    let removed: EventPosition
    let event: StoredEvent?
  }

  // The topic is compared as an expression so that it filters and no index is chosen for it: the order of the primary
  // key finds the page, and the events behind it. Without that order the planner would read the whole table.
  static let sql = """
    with horizon as materialized (
      select \(NumberedTransaction.sql("pg_snapshot_xmin(pg_current_snapshot())")) as transaction_id from event_log
    ), waiting as materialized (
      select coalesce((
        select true from events
        where events.transaction_id >= horizon.transaction_id and events.topic || '' = any($3::text[])
        order by events.transaction_id, events.id
        limit 1
      ), false) as others from horizon
    )
    select
      horizon.transaction_id, waiting.others, event_removals.transaction_id, event_removals.id, page.transaction_id, page.id, page.topic, page.key, page.type,
      page.payload, page.occurred_at, page.trace_parent
    from horizon cross join waiting cross join event_removals left join lateral (
      select * from events
      where (events.transaction_id, events.id) > ($1, $2) and events.topic || '' = any($3::text[])
        and ($4 or events.transaction_id < horizon.transaction_id)
      order by events.transaction_id, events.id
      limit $5
    ) as page on true
    order by page.transaction_id, page.id
    """
  let position: EventPosition
  let topics: [String]
  /// Whether unsettled events are included: they may be sent again, and others may appear before them.
  let includesUnsettled: Bool
  let limit: Int

  func bind(_ p: inout Parameters) {
    position.bind(&p)
    p.append(topics)
    p.append(includesUnsettled)
    p.append(Int64(limit))
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let horizon: TransactionID = try row.next()
    let othersWait: Bool = try row.next()
    let removed = try EventPosition.decode(row)
    guard let transactionID: TransactionID = try row.next() else {
      return Row(horizon: horizon.value, othersWait: othersWait, removed: removed, event: nil)
    }
    let position = EventPosition(transactionID: transactionID.value, id: try row.next())
    let event = StoredEvent(
      position: position, topic: try row.next(), key: try row.next(), type: try row.next(), payload: try row.next(),
      occurredAt: try row.next(), traceParent: try row.next())
    return Row(horizon: horizon.value, othersWait: othersWait, removed: removed, event: event)
  }
}

/// The first and last position of the log, locked against removals until the transaction ends.
struct LogBounds: Statement {
  struct Row: Sendable {
    /// Events up to this position may have been removed.
    let removed: EventPosition
    /// Every transaction below this one has ended.
    let horizon: UInt64
    /// No transaction that has begun has this number or a higher one.
    let end: UInt64
    /// Whether the position was sent by a log that was restored from an earlier moment since.
    let isLost: Bool
  }

  static let sql = """
    select
      event_removals.transaction_id, event_removals.id,
      \(NumberedTransaction.sql("pg_snapshot_xmin(pg_current_snapshot())")),
      \(NumberedTransaction.sql("pg_snapshot_xmax(pg_current_snapshot())")),
      exists (
        select from event_epochs
        where (event_epochs.ended_transaction_id, event_epochs.ended_id) < ($1, $2)
          and event_epochs.next_transaction_id > $1
      )
    from event_removals cross join event_log for share of event_removals
    """
  let position: EventPosition

  func bind(_ p: inout Parameters) { position.bind(&p) }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let removed = try EventPosition.decode(row)
    let horizon: TransactionID = try row.next()
    let end: TransactionID = try row.next()
    return Row(removed: removed, horizon: horizon.value, end: end.value, isLost: try row.next())
  }
}

/// The first event of some topics that happened at a moment or later.
struct FirstRecentEvent: Statement {
  // Separate from the order, so that the recent events are found by their index and not by reading all older ones.
  static let sql = """
    with recent as materialized (
      select transaction_id, id from events where topic = any($1::text[]) and occurred_at >= $2
    )
    select transaction_id, id from recent order by transaction_id, id limit 1
    """
  let topics: [String]
  let since: Instant

  func bind(_ p: inout Parameters) {
    p.append(topics)
    p.append(since)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition { try EventPosition.decode(row) }
}

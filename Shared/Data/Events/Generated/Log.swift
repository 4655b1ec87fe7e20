// Made from log.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// A position of a log.
struct PositionColumns: Sendable {
  let transactionID: TransactionID
  let id: Int64

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> PositionColumns {
    PositionColumns(transactionID: try row.next(), id: try row.next())
  }
}

/// The position up to which events may have been removed.
struct RemovalColumns: Sendable {
  let transactionID: TransactionID
  let id: Int64

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> RemovalColumns {
    RemovalColumns(transactionID: try row.next(), id: try row.next())
  }
}

/// Adds an event; no row when a later transaction has already published one of the same key.
///
/// Transactions are numbered at their first change. One that then waits for another's lock has the lower number and the
/// later change.
struct InsertEvent: SingleRowStatement {
  typealias Row = Int64
  static let sql = """
    with own as materialized (
      select (event_log.transaction_offset + pg_current_xact_id()::text::bigint)::text::xid8 as transaction_id, retention_time from event_log
    )
    insert into events (transaction_id, topic, key, type, payload, occurred_at, trace_parent, retention_time)
    select
      own.transaction_id, $1::text, $2::text, $3, $4, $5, $6, own.retention_time
    from own
    where not exists (
      select from events as later
      where later.topic = $1::text and later.key = $2::text and later.transaction_id > own.transaction_id
    )
    returning id
    """
  let topic: String
  let key: String
  let type: String
  let payload: [UInt8]
  let occurredAt: Instant
  let traceParent: String?

  init(topic: String, key: String, type: String, payload: [UInt8], occurredAt: Instant, traceParent: String?) {
    self.topic = topic
    self.key = key
    self.type = type
    self.payload = payload
    self.occurredAt = occurredAt
    self.traceParent = traceParent
  }

  func bind(_ p: inout Parameters) {
    p.append(topic)
    p.append(key)
    p.append(type)
    p.append(payload)
    p.append(occurredAt)
    p.append(traceParent)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some events after a position, in order; at least one row, because the first columns are needed in any case.
///
/// Ids are assigned before the commit, and transactions commit in any order: an event with a higher id may appear
/// first. So nothing is read at or above the oldest transaction that was open when the statement began (its snapshot's
/// xmin): below it all have ended, and no event can appear there any more.
struct EventsAfter: Statement {
  struct Row: Sendable {
    /// Every transaction below this one has ended.
    let horizon: TransactionID
    /// Whether events have committed that lie at or above it.
    let othersWait: Bool
    let removed: EventPosition
    let transactionID: TransactionID?
    let id: Int64?
    let topic: String?
    let key: String?
    let type: String?
    let payload: [UInt8]?
    let occurredAt: Instant?
    let traceParent: String?
  }

  static let sql = """
    with horizon as materialized (
      select (event_log.transaction_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 as transaction_id from event_log
    ), waiting as materialized (
      select coalesce((
        select true from events
        where events.transaction_id >= horizon.transaction_id and events.topic || '' = any($1::text[])
        order by events.transaction_id, events.id
        limit 1
      ), false) as others from horizon
    )
    select
      horizon.transaction_id as horizon, waiting.others as others_wait, event_removals.transaction_id as transaction_id, event_removals.id as id,
      page.transaction_id, page.id, page.topic, page.key, page.type, page.payload, page.occurred_at, page.trace_parent
    from horizon cross join waiting cross join event_removals left join lateral (
      select * from events
      where (events.transaction_id, events.id) > ($2, $3) and events.topic || '' = any($1::text[])
        and ($4 or events.transaction_id < horizon.transaction_id)
      order by events.transaction_id, events.id
      limit $5
    ) as page on true
    order by page.transaction_id, page.id
    """
  let topics: [String]
  let transactionID: TransactionID
  let id: Int64
  /// Whether unsettled events are included: they may be sent again, and others may appear before them.
  let includesUnsettled: Bool
  let limit: Int64

  init(topics: [String], transactionID: TransactionID, id: Int64, includesUnsettled: Bool, limit: Int64) {
    self.topics = topics
    self.transactionID = transactionID
    self.id = id
    self.includesUnsettled = includesUnsettled
    self.limit = limit
  }

  func bind(_ p: inout Parameters) {
    p.append(topics)
    p.append(transactionID)
    p.append(id)
    p.append(includesUnsettled)
    p.append(limit)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      horizon: try row.next(), othersWait: try row.next(), removed: try EventPosition(RemovalColumns.decode(row)),
      transactionID: try row.next(), id: try row.next(), topic: try row.next(), key: try row.next(),
      type: try row.next(), payload: try row.next(), occurredAt: try row.next(), traceParent: try row.next())
  }
}

/// The first and last position of the log, locked against removals until the transaction ends; and what became of a
/// position.
struct LogBounds: SingleRowStatement {
  struct Row: Sendable {
    let removed: EventPosition
    /// Every transaction below this one has ended.
    let horizon: TransactionID
    /// No transaction that has begun has this number or a higher one.
    let end: TransactionID
    /// Whether the position was sent by a log that was restored from an earlier moment since.
    let isLost: Bool
  }

  static let sql = """
    select
      event_removals.transaction_id as transaction_id, event_removals.id as id,
      (event_log.transaction_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 as horizon,
      (event_log.transaction_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text::xid8 as end,
      exists (
        select from event_epochs
        where (event_epochs.ended_transaction_id, event_epochs.ended_id) < ($1, $2)
          and event_epochs.next_transaction_id > $1
      ) as is_lost
    from event_removals cross join event_log for share of event_removals
    """
  let transactionID: TransactionID
  let id: Int64

  init(transactionID: TransactionID, id: Int64) {
    self.transactionID = transactionID
    self.id = id
  }

  func bind(_ p: inout Parameters) {
    p.append(transactionID)
    p.append(id)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      removed: try EventPosition(RemovalColumns.decode(row)), horizon: try row.next(), end: try row.next(),
      isLost: try row.next())
  }
}

/// The first event of some topics that happened at a moment or later.
struct FirstRecentEvent: SingleRowStatement {
  typealias Row = EventPosition
  static let sql = """
    with recent as materialized (
      select transaction_id, id from events where topic = any($1::text[]) and occurred_at >= $2
    )
    select transaction_id as transaction_id, id as id from recent order by transaction_id, id limit 1
    """
  let topics: [String]
  let since: Instant

  init(topics: [String], since: Instant) {
    self.topics = topics
    self.since = since
  }

  func bind(_ p: inout Parameters) {
    p.append(topics)
    p.append(since)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try EventPosition(PositionColumns.decode(row))
  }
}

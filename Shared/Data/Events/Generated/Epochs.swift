// Made from epochs.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Where a log is, and where it was when its offset was chosen.
struct FoundPlace: Sendable, RowDecodable {
  /// `nil` until a service has checked.
  let noted: String?
  let actual: String
  /// Whether an event has a number that no transaction of this server has had.
  let isAhead: Bool

  init(noted: String?, actual: String, isAhead: Bool) {
    self.noted = noted
    self.actual = actual
    self.isAhead = isAhead
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundPlace {
    FoundPlace(noted: try row.next(), actual: try row.next(), isAhead: try row.next())
  }
}

/// The place of a log: the server's system identifier and the table's.
struct LogPlace: SingleRowStatement {
  typealias Row = FoundPlace
  static let sql = """
    select noted, actual as actual, is_ahead as is_ahead from (
      select
        event_log.place as noted,
        (select system_identifier::text from pg_control_system()) || '/' || (select oid::text from pg_database where datname = current_database()) || '/'
          || 'events'::regclass::oid::text as actual,
        coalesce((
          select events.transaction_id from events order by events.transaction_id desc, events.id desc limit 1
        ) >= (event_log.transaction_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text::xid8, false) as is_ahead
      from event_log
    ) as found
    """

  init() {}

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try FoundPlace.decode(row)
  }
}

/// The place of a log for a role that may not read the server's system identifier.
struct LogPlaceInDatabase: SingleRowStatement {
  typealias Row = FoundPlace
  static let sql = """
    select noted, actual as actual, is_ahead as is_ahead from (
      select
        event_log.place as noted,
        '' || '/' || (select oid::text from pg_database where datname = current_database()) || '/'
          || 'events'::regclass::oid::text as actual,
        coalesce((
          select events.transaction_id from events order by events.transaction_id desc, events.id desc limit 1
        ) >= (event_log.transaction_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text::xid8, false) as is_ahead
      from event_log
    ) as found
    """

  init() {}

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try FoundPlace.decode(row)
  }
}

/// Whether the role may read the server's system identifier.
struct MayAskForServer: SingleRowStatement {
  typealias Row = Bool
  static let sql = """
    select has_function_privilege('pg_control_system()', 'execute') as may_ask
    """

  init() {}

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores where a log is.
struct NoteLogPlace: Statement {
  typealias Row = Void
  static let sql = """
    update event_log set place = $1
    """
  let place: String

  init(place: String) {
    self.place = place
  }

  func bind(_ p: inout Parameters) {
    p.append(place)
  }
}

/// Begins an epoch; returns the last position that followers can have received before.
///
/// Epochs are at least 2^44 transactions apart, more than a server reaches in one. Where in the first half of that the
/// next begins is random: it distinguishes two logs that were restored from one dump.
struct BeginEpoch: SingleRowStatement {
  typealias Row = EventPosition
  static let sql = """
    with published as (
      (select transaction_id, id from events order by transaction_id desc, id desc limit 1)
      union all select transaction_id, id from event_removals
      union all select transaction_id, id from event_consumers
      union all select told_transaction_id, told_id from event_log
    ), ended as (
      select transaction_id, id from published order by transaction_id desc, id desc limit 1
    ), begun as (
      select
        ended.transaction_id, ended.id,
        (((greatest(ended.transaction_id::text::bigint, event_log.transaction_offset) >> 44) + 1) << 44)
          + floor(random() * (1::bigint << 43))::bigint as transaction_offset
      from ended cross join event_log
    ), moved as (
      update event_log set transaction_offset = begun.transaction_offset, place = $1 from begun
    ), noted as (
      insert into event_epochs (next_transaction_id, ended_transaction_id, ended_id)
      select transaction_offset::text::xid8, transaction_id, id from begun
    )
    select transaction_id as transaction_id, id as id from ended
    """
  let place: String

  init(place: String) {
    self.place = place
  }

  func bind(_ p: inout Parameters) {
    p.append(place)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try EventPosition(PositionColumns.decode(row))
  }
}

/// Stores a position behind all events before a follower receives it, so that a dump contains every position that was
/// sent before.
struct NoteTold: Statement {
  typealias Row = Void
  static let sql = """
    update event_log set told_transaction_id = $1, told_id = $2
    where (told_transaction_id, told_id) < ($1, $2)
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
}

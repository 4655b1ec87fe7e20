public import Logging
public import Postgres

/// Keeps the numbers of a log's events rising when its database is restored, whatever transaction id the new server has
/// reached.
///
/// An event is numbered by its transaction, and each server counts transactions by itself. So each log adds an offset,
/// chosen anew when the log is found on another server or in another table than the offset was chosen for: that begins
/// a new epoch. All earlier events have lower numbers then, and a follower whose position lies between the epochs
/// received events of which the restored log knows nothing.
public struct EventEpochs: Sendable {
  private let database: Database
  private let logger: Logger

  public init(of database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  /// Finds out where the log is, and begins a new epoch where it was restored.
  ///
  /// A service does so before it publishes an event or serves a follower. In a restored database no event may be
  /// published before it is done.
  public func check() async throws {
    if try await place(in: database).isSame { return }
    let ended = try await database.transaction { tx -> EventPosition? in
      // No event is published meanwhile, and of several replicas one at a time checks.
      try await tx.execute(LockEvents())
      let place = try await place(in: tx)
      if place.isSame { return nil }
      guard place.isRestored else {
        try await tx.execute(NoteLogPlace(place: place.actual))
        return nil
      }
      return try await tx.first(BeginEpoch(place: place.actual))
    }
    guard let ended else { return }
    logger.warning(
      "the database was restored: events are numbered anew, above all that were told before",
      metadata: ["last_position": "\(ended)"])
  }

  private func place(in database: Database) async throws -> FoundPlace {
    do {
      return try await database.first(LogPlace()) ?? .none
    } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
      return try await database.first(LogPlaceInDatabase()) ?? .none
    }
  }

  private func place(in tx: Transaction) async throws -> FoundPlace {
    // Whether the role may ask is known before the transaction begins: a failed statement would end this one.
    let mayAsk = try await tx.first(MayAskForServer()) ?? false
    return (mayAsk ? try await tx.first(LogPlace()) : try await tx.first(LogPlaceInDatabase())) ?? .none
  }
}

/// Where a log is, and where it was when its offset was chosen.
struct FoundPlace: RowDecodable {
  /// `nil` until a service has checked.
  let noted: String?
  let actual: String
  /// Whether an event has a number that no transaction of this server has had.
  let isAhead: Bool

  static let none = FoundPlace(noted: "", actual: "", isAhead: false)

  /// Whether the log is still in the same place.
  var isSame: Bool { noted == actual && !isAhead }
  /// Whether the log was restored elsewhere. A log that was never checked counts as unmoved, unless its numbers show
  /// otherwise.
  var isRestored: Bool { isAhead || noted != nil }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundPlace {
    FoundPlace(noted: try row.next(), actual: try row.next(), isAhead: try row.next())
  }
}

/// The place of a log: the server's system identifier and the table's.
struct LogPlace: Statement {
  typealias Row = FoundPlace
  static let sql = text(server: "(select system_identifier::text from pg_control_system())")

  /// - Parameter server: an expression for the server's identity.
  static func text(server: String) -> String {
    """
    select
      event_log.place,
      \(server) || '/' || (select oid::text from pg_database where datname = current_database()) || '/'
        || 'events'::regclass::oid::text,
      coalesce((
        select events.transaction_id from events order by events.transaction_id desc, events.id desc limit 1
      ) >= \(NumberedTransaction.sql("pg_snapshot_xmax(pg_current_snapshot())")), false)
    from event_log
    """
  }
}

/// The place of a log for a role that may not read the server's system identifier.
struct LogPlaceInDatabase: Statement {
  typealias Row = FoundPlace
  static let sql = LogPlace.text(server: "''")
}

/// Whether the role may read the server's system identifier.
struct MayAskForServer: Statement {
  typealias Row = Bool
  static let sql = "select has_function_privilege('pg_control_system()', 'execute')"
}

/// The transaction number of events, as SQL over the table `event_log`.
enum NumberedTransaction {
  /// - Parameter transaction: an expression for the server's transaction id, an `xid8`.
  static func sql(_ transaction: String) -> String {
    "(event_log.transaction_offset + \(transaction)::text::bigint)::text::xid8"
  }
}

/// Blocks the publishing of events until the transaction ends.
struct LockEvents: Statement {
  typealias Row = Void
  static let sql = "lock table events in share row exclusive mode"
}

/// Stores where a log is.
struct NoteLogPlace: Statement {
  typealias Row = Void
  static let sql = "update event_log set place = $1"
  let place: String

  func bind(_ p: inout Parameters) { p.append(place) }
}

/// Begins an epoch; returns the last position that followers can have received before.
struct BeginEpoch: Statement {
  // Epochs are at least 2^44 transactions apart, more than a server reaches in one. Where in the first half of that the
  // next begins is random: it distinguishes two logs that were restored from one dump.
  static let sql = """
    with told as (
      (select transaction_id, id from events order by transaction_id desc, id desc limit 1)
      union all select transaction_id, id from event_removals
      union all select transaction_id, id from event_consumers
      union all select told_transaction_id, told_id from event_log
    ), ended as (
      select transaction_id, id from told order by transaction_id desc, id desc limit 1
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
    select transaction_id, id from ended
    """
  let place: String

  func bind(_ p: inout Parameters) { p.append(place) }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition { try EventPosition.decode(row) }
}

/// Stores a position behind all events before a follower receives it, so that a dump contains every position that was
/// sent before.
struct NoteTold: Statement {
  typealias Row = Void
  static let sql = """
    update event_log set told_transaction_id = $1, told_id = $2 where (told_transaction_id, told_id) < ($1, $2)
    """
  let position: EventPosition

  func bind(_ p: inout Parameters) { position.bind(&p) }
}

public import Logging
public import Postgres

/// Sees to it that the numbers of a log's events go on rising when its database was restored, wherever the server there has counted to.
///
/// An event is numbered by its transaction, and a server counts transactions by itself. So each log adds an offset, chosen anew when the log is
/// found on another server or in another table than the offset was chosen for: an epoch ends. All that was told before has lower numbers then,
/// and a follower whose position lies between the epochs was told something of which the restored log knows nothing.
public struct EventEpochs: Sendable {
  private let database: Database
  private let logger: Logger

  /// Those of the log in `database`.
  public init(of database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  /// Looks where the log is, and begins a new epoch where it was restored.
  ///
  /// A service does so before it tells or is asked anything. Until it has been done in a restored database nobody may tell events there.
  public func check() async throws {
    if try await place(in: database).isSame { return }
    let ended = try await database.transaction { tx -> EventPosition? in
      // Nobody tells events meanwhile, and of several replicas one at a time looks.
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
    // What the role may not ask, it was refused before the transaction began; a failed statement would end this one.
    let mayAsk = try await tx.first(MayAskForServer()) ?? false
    return (mayAsk ? try await tx.first(LogPlace()) : try await tx.first(LogPlaceInDatabase())) ?? .none
  }
}

/// Where a log is, and where it was when its offset was chosen.
struct FoundPlace: RowDecodable {
  /// `nil` until a service has looked.
  let noted: String?
  let actual: String
  /// Whether an event has a number that no transaction of this server has had.
  let isAhead: Bool

  static let none = FoundPlace(noted: "", actual: "", isAhead: false)

  /// Whether nothing has changed.
  var isSame: Bool { noted == actual && !isAhead }
  /// Whether it is another place. A log that was never looked at is where it has always been, unless its numbers say otherwise.
  var isRestored: Bool { isAhead || noted != nil }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundPlace {
    FoundPlace(noted: try row.next(), actual: try row.next(), isAhead: try row.next())
  }
}

/// The place as the server's own identity and the table's.
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

/// The same for a role that may not ask for the server's identity.
struct LogPlaceInDatabase: Statement {
  typealias Row = FoundPlace
  static let sql = LogPlace.text(server: "''")
}

/// Whether the role may ask for the server's identity.
struct MayAskForServer: Statement {
  typealias Row = Bool
  static let sql = "select has_function_privilege('pg_control_system()', 'execute')"
}

/// The number that a transaction's events have, as SQL over the table `event_log`.
enum NumberedTransaction {
  /// - Parameter transaction: an expression for the server's number, an `xid8`.
  static func sql(_ transaction: String) -> String {
    "(event_log.transaction_offset + \(transaction)::text::bigint)::text::xid8"
  }
}

/// Keeps everybody from telling events until the transaction ends.
struct LockEvents: Statement {
  typealias Row = Void
  static let sql = "lock table events in share row exclusive mode"
}

/// Notes where a log is.
struct NoteLogPlace: Statement {
  typealias Row = Void
  static let sql = "update event_log set place = $1"
  let place: String

  func bind(_ p: inout Parameters) { p.append(place) }
}

/// Ends an epoch; gives the last position that followers can have been told.
struct BeginEpoch: Statement {
  // Epochs are 2^44 transactions apart at least, more than a server comes to in one. Where in the first half of that the next begins is
  // drawn by lot: two logs that were restored from one dump are told apart by it.
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

/// Notes a position behind all events before a follower is told of it, so that a dump knows of every position that was told before.
struct NoteTold: Statement {
  typealias Row = Void
  static let sql = """
    update event_log set told_transaction_id = $1, told_id = $2 where (told_transaction_id, told_id) < ($1, $2)
    """
  let position: EventPosition

  func bind(_ p: inout Parameters) { position.bind(&p) }
}

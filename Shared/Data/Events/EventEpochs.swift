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

extension FoundPlace {
  static let none = FoundPlace(noted: "", actual: "", isAhead: false)

  /// Whether the log is still in the same place.
  var isSame: Bool { noted == actual && !isAhead }
  /// Whether the log was restored elsewhere. A log that was never checked counts as unmoved, unless its numbers show
  /// otherwise.
  var isRestored: Bool { isAhead || noted != nil }
}

/// Blocks the publishing of events until the transaction ends; by hand, as `prepare`, by which tests check all
/// generated statements, takes no `lock table`.
struct LockEvents: Statement {
  typealias Row = Void
  static let sql = "lock table events in share row exclusive mode"
}

import CLibPQ

/// PostgreSQL's five-character error code (PostgreSQL manual, appendix A).
public struct SQLState: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// For example `23505`.
  public let code: String

  public init(_ code: String) { self.code = code }

  public init(stringLiteral code: String) { self.code = code }

  public var description: String { code }

  /// Whether a constraint of any kind refused a row.
  var isIntegrityViolation: Bool { code.hasPrefix("23") }

  /// A row with the same key exists.
  public static let uniqueViolation: SQLState = "23505"
  /// A row refers to one that does not exist, or is referred to.
  public static let foreignKeyViolation: SQLState = "23503"
  /// A `check` constraint refused the row.
  public static let checkViolation: SQLState = "23514"
  /// A `not null` column got null.
  public static let notNullViolation: SQLState = "23502"
  /// An exclusion constraint refused the row.
  public static let exclusionViolation: SQLState = "23P01"
  /// A transaction conflicts with a concurrent one; the caller may run it again.
  public static let serializationFailure: SQLState = "40001"
  /// Transactions deadlocked; the caller may run this one again.
  public static let deadlockDetected: SQLState = "40P01"
  /// The statement was cancelled, by its caller or by `statement_timeout`.
  public static let queryCanceled: SQLState = "57014"
  /// The server takes no writes: it is a standby, or a failover is in progress.
  public static let readOnlyTransaction: SQLState = "25006"
  /// A lock was not free in time, or at once where the statement asks for that.
  public static let lockNotAvailable: SQLState = "55P03"
  /// The server's disk is full.
  public static let diskFull: SQLState = "53100"
  /// The role may not do this.
  public static let insufficientPrivilege: SQLState = "42501"
  /// An internal error of PostgreSQL; also two concurrent changes of one row of its catalogue.
  static let internalError: SQLState = "XX000"
  /// The prepared statement does not exist.
  static let unknownPreparedStatement: SQLState = "26000"
  /// The prepared statement exists already.
  static let duplicatePreparedStatement: SQLState = "42P05"
  /// The connection was lost or could not be made.
  static let connectionFailure: SQLState = "08006"
}

/// Why a statement has no result.
public struct PostgresError: Error, Sendable, CustomStringConvertible {
  /// Where the failure arose.
  public enum Kind: Sendable, Hashable {
    /// The server refused the statement.
    case server
    /// The server is unreachable, shutting down, or has no room for another connection.
    ///
    /// A statement that had been sent may or may not have taken effect: **the outcome of a write is unknown**.
    case unavailable
    /// More statements or transactions wait than the configuration allows. This one was not sent.
    case overloaded
    /// A parameter cannot be sent, for example a text with a NUL. The statement was not sent.
    case parameter
    /// A column did not have the type or the value that the statement's row expects. The statement took effect.
    case column
  }

  public let kind: Kind
  /// PostgreSQL's code; `08006` when the connection was lost, `00000` where none applies.
  public let sqlState: SQLState
  /// What happened, for logs only; without the rows and keys that a constraint refused, which are users' data.
  public let message: String
  /// The constraint that refused the row.
  public let constraint: String?
  /// The table that the failure concerns.
  public let table: String?
  /// The column that the failure concerns.
  public let column: String?

  public init(
    kind: Kind = .server, sqlState: SQLState, message: String, constraint: String? = nil, table: String? = nil,
    column: String? = nil
  ) {
    self.kind = kind
    self.sqlState = sqlState
    self.message = message
    self.constraint = constraint
    self.table = table
    self.column = column
  }

  /// Whether the database is unavailable; the same call can succeed later. The outcome of a write is unknown.
  public var isUnavailable: Bool { kind == .unavailable }

  /// Whether too many calls wait; the statement was not sent and can be retried later.
  public var isOverloaded: Bool { kind == .overloaded }

  /// One line for a log.
  public var description: String {
    var text = "\(sqlState): \(message)"
    if let constraint { text += " (constraint \(constraint))" }
    return text
  }

  static func unavailable(_ message: String, _ sqlState: SQLState = .connectionFailure) -> PostgresError {
    PostgresError(kind: .unavailable, sqlState: sqlState, message: message)
  }

  static func overloaded(_ message: String) -> PostgresError {
    PostgresError(kind: .overloaded, sqlState: "53000", message: message)
  }
}

extension PostgresError {
  /// The error of a failed result.
  init(result: OpaquePointer) {
    func field(_ letter: Character) -> String? {
      PQresultErrorField(result, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
    }
    let sqlState = SQLState(field("C") ?? SQLState.connectionFailure.code)
    let isFatal = field("V").map { $0 != "ERROR" } ?? true
    var message = field("M") ?? String(cString: PQresultErrorMessage(result))
    // In class 23 the detail shows a refused row with all its values; the names of constraint and column are enough.
    if let detail = field("D"), !sqlState.isIntegrityViolation { message += "; \(detail)" }
    // A migration changed the type of a prepared statement's column: only a new connection forgets the statement.
    let isOutdated = sqlState == "0A000" && field("R") == "RevalidateCachedQuery"
    self.init(
      kind: isFatal || isOutdated || Self.meansAway(sqlState) ? .unavailable : .server, sqlState: sqlState,
      message: message,
      constraint: field("n"), table: field("t"), column: field("c"))
  }

  /// Whether the code means that the server is unavailable: shutdowns (57P0x) and too many connections (53300).
  private static func meansAway(_ state: SQLState) -> Bool {
    state.code.hasPrefix("57P") || state == "53300"
  }
}

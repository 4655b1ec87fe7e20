import CLibPQ
import Glibc

/// A plain blocking connection for setting up databases: statements are built at run time and run one after the other.
public struct AdministrationSession: ~Copyable {
  private let raw: OpaquePointer

  /// Connects. A machine that is busy takes seconds to connect, and setting up goes wrong rather than slowly where it gives up
  /// sooner: 15 seconds for each host of the URL.
  ///
  /// - Throws: an unavailable ``PostgresError`` when there is no connection.
  fileprivate init(url: String) throws(PostgresError) {
    let connector = try Connector(
      url: url, defaults: [("application_name", "tandem administration"), ("connect_timeout", "15")], settings: [])
    raw = try connector.connect().raw
  }

  deinit { PQfinish(raw) }

  /// Runs one or more statements without parameters; returns the last one's rows as texts.
  @discardableResult
  public func run(_ sql: String) throws(PostgresError) -> [[String?]] {
    try rows(of: PQexec(raw, sql))
  }

  /// Runs one statement whose `$1`, `$2`, … are `parameters`; returns its rows as texts.
  @discardableResult
  public func run(_ sql: String, _ parameters: [String]) throws(PostgresError) -> [[String?]] {
    var copies: [UnsafePointer<CChar>?] = parameters.map { UnsafePointer(strdup($0)) }
    defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
    return try rows(of: PQexecParams(raw, sql, Int32(copies.count), nil, &copies, nil, nil, 0))
  }

  /// The stored form of `password`, computed here, so that the password itself appears in no log of statements.
  func secret(of password: String, role: String) throws(PostgresError) -> String {
    guard let secret = PQencryptPasswordConn(raw, password, role, nil) else {
      throw PostgresError.unavailable(String(cString: PQerrorMessage(raw)))
    }
    defer { PQfreemem(secret) }
    return String(cString: secret)
  }

  /// Refuses a server that takes no changes, before PostgreSQL does so with the name of a command that its user never gave.
  func expectPrimary() throws(PostgresError) {
    guard try run("select pg_catalog.pg_is_in_recovery()").first?.first == "t" else { return }
    throw PostgresError(
      sqlState: .readOnlyTransaction,
      message: "the server is a standby, which takes no changes: name the primary, or all servers and "
        + "?target_session_attrs=read-write")
  }

  private func rows(of result: OpaquePointer?) throws(PostgresError) -> [[String?]] {
    defer { PQclear(result) }
    guard let result else { throw PostgresError.unavailable(String(cString: PQerrorMessage(raw))) }
    guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(result)) else {
      throw PostgresError(result: result)
    }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1 ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
  }
}

/// Work on a database by its administrator or at a service's start, not during its normal operation.
public enum Administration {
  /// Runs `body` with a connection of its own, on a thread of its own, where it may block.
  public static func session<R: Sendable>(
    _ url: String, _ body: @escaping @Sendable (borrowing AdministrationSession) throws -> R
  ) async throws -> R {
    try await BackgroundThread.run { try body(AdministrationSession(url: url)) }
  }

  /// ``session(_:_:)`` on the calling thread, which must not be a loop's.
  package static func blockingSession<R>(
    _ url: String, _ body: (borrowing AdministrationSession) throws -> R
  ) throws -> R {
    try body(AdministrationSession(url: url))
  }

  /// `name` as an SQL identifier.
  public static func quoted(identifier name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// `text` as an SQL literal.
  public static func quoted(literal text: String) -> String {
    let doubled = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    let slashed = doubled.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
    return " E'" + slashed + "'"
  }
}

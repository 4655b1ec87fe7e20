import Glibc
import Synchronization

/// A statement as a type: its SQL, its parameters and its row together.
///
/// It is prepared once per connection, at its first use there. The value holds the parameters:
/// ```swift
/// struct ProfileByID: Statement {
///   static let sql = "select username, active from profiles where id = $1"
///   let id: Int64
///   func bind(_ p: inout Parameters) { p.append(id) }
///   static func decode(_ row: borrowing RowReader) throws(ColumnError) -> (String, Bool) {
///     (try row.next(), try row.next())
///   }
/// }
/// ```
public protocol Statement: Sendable {
  /// The value of one row; `Void` for a statement without rows.
  associatedtype Row: Sendable
  /// One statement with `$1`, `$2`, … as its parameters.
  static var sql: String { get }
  /// The statement's name in `pg_prepared_statements`; by default the type's.
  static var name: String { get }
  /// How long the server may take, which decides the connection that it runs on; ``Pace/quick`` by default.
  static var pace: Pace { get }
  /// Appends the parameters in order: the same types every time.
  func bind(_ p: inout Parameters)
  /// Decodes one row's columns in order. Not needed for a single column, or for a ``RowDecodable``.
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row
}

/// A statement that returns one row or none.
public protocol SingleRowStatement: Statement {}

extension Statement {
  public static var name: String { "\(Self.self)" }

  /// By default a statement is quick.
  public static var pace: Pace { .quick }

  public func bind(_ p: inout Parameters) {}
}

extension Statement where Row == Void {
  public static func decode(_ row: borrowing RowReader) throws(ColumnError) {}
}

extension Statement where Row: ColumnValue {
  /// Decodes the only column, which must not be null.
  @inlinable public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row { try row.next() }
}

extension Statement where Row: RowDecodable {
  @inlinable public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row { try Row.decode(row) }
}

/// How long the server may take for a statement.
public enum Pace: Sendable {
  /// An index finds its few rows, whatever its parameters: it shares a connection with others, which wait for one
  /// another.
  case quick
  /// Its parameters or the amount of data may make it take long: a search, thousands of rows, every row of a table. It
  /// has a connection for slow statements to itself meanwhile, so that no quick one waits for it.
  case slow
}

/// The row of several statements, which decodes itself from the columns.
public protocol RowDecodable: Sendable {
  /// Reads one row's columns in order.
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Self
}

/// What a connection needs of a statement's type: C strings that live as long as the process, and a small number to
/// index by.
///
/// `@unchecked Sendable`: the pointed-to strings are never written or freed after they are made.
struct StatementHandle: @unchecked Sendable {
  let index: Int
  let name: UnsafePointer<CChar>
  let sql: UnsafePointer<CChar>

  private struct Known {
    var byType: [ObjectIdentifier: StatementHandle] = [:]
  }

  private static let known = Mutex(Known())

  /// The handle of `S`, the same for the whole process.
  static func of<S: Statement>(_ type: S.Type) -> StatementHandle {
    known.withLock { known in
      if let handle = known.byType[ObjectIdentifier(type)] { return handle }
      let index = known.byType.count
      // The number distinguishes types of the same name.
      guard let name = strdup("\(S.name)#\(index)"), let sql = strdup(S.sql) else {
        fatalError("out of memory")
      }
      let handle = StatementHandle(index: index, name: name, sql: sql)
      known.byType[ObjectIdentifier(type)] = handle
      return handle
    }
  }
}

/// The handles that one event loop has used, found without a lock. Confined to the loop.
final class LoopStatements {
  private var byType: [ObjectIdentifier: StatementHandle] = [:]

  func handle<S: Statement>(_ type: S.Type) -> StatementHandle {
    if let handle = byType[ObjectIdentifier(type)] { return handle }
    let handle = StatementHandle.of(type)
    byType[ObjectIdentifier(type)] = handle
    return handle
  }
}

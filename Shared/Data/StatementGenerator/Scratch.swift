import CLibPQ

/// A connection to a database that is thrown away, in which schemas are made and queries described.
final class Scratch {
  struct Failure: Error {
    let message: String
    /// The line of the query, from 1; `nil` where PostgreSQL names no place.
    let line: Int?
  }

  struct Column {
    let name: String
    let type: UInt32
    /// The table and the number of the column that it is; 0 for an expression.
    let table: UInt32
    let number: Int32
  }

  struct Description {
    let parameters: [UInt32]
    let columns: [Column]
  }

  /// A column of a table.
  struct Origin {
    let table: String
    let name: String
    let isNotNull: Bool
  }

  private let connection: OpaquePointer
  private var origins: [UInt32: [Int32: Origin]] = [:]

  init(url: String) throws {
    guard let connection = PQconnectdb(url), PQstatus(connection) == CONNECTION_OK else {
      throw GeneratorError(place: url, reason: "the database cannot be reached")
    }
    self.connection = connection
    _ = try? run("set client_min_messages to warning")
  }

  deinit { PQfinish(connection) }

  /// Runs statements; returns the rows of the last one.
  @discardableResult func run(_ sql: String) throws(Failure) -> [[String?]] {
    let result = PQexec(connection, sql)
    defer { PQclear(result) }
    try check(result, sql)
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1 ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
  }

  /// Makes the schema `name` and moves into it.
  func enter(schema name: String) throws(Failure) {
    try run("create schema \"\(name)\"; set search_path to \"\(name)\"")
    origins = [:]
  }

  /// What PostgreSQL makes of a query.
  func describe(_ sql: String) throws(Failure) -> Description {
    let prepared = PQprepare(connection, "", sql, 0, nil)
    defer { PQclear(prepared) }
    try check(prepared, sql)
    let described = PQdescribePrepared(connection, "")
    defer { PQclear(described) }
    try check(described, sql)
    return Description(
      parameters: (0..<PQnparams(described)).map { PQparamtype(described, $0) },
      columns: (0..<PQnfields(described)).map { column in
        Column(
          name: String(cString: PQfname(described, column)), type: PQftype(described, column),
          table: PQftable(described, column), number: PQftablecol(described, column))
      })
  }

  /// The table's column that `column` is, if it is one.
  func origin(of column: Column) throws(Failure) -> Origin? {
    guard column.table != 0, column.number > 0 else { return nil }
    if origins[column.table] == nil {
      let rows = try run(
        """
        select attnum, relname, attname, attnotnull from pg_attribute join pg_class on pg_class.oid = attrelid
        where attrelid = \(column.table) and attnum > 0
        """)
      var columns: [Int32: Origin] = [:]
      for row in rows {
        guard let number = row[0].flatMap(Int32.init), let table = row[1], let name = row[2] else { continue }
        columns[number] = Origin(table: table, name: name, isNotNull: row[3] == "t")
      }
      origins[column.table] = columns
    }
    return origins[column.table]?[column.number]
  }

  private func check(_ result: OpaquePointer?, _ sql: String) throws(Failure) {
    let status = PQresultStatus(result)
    if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY { return }
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    let message = field("M") ?? String(cString: PQerrorMessage(connection))
    let hint = field("H").map { " (\($0))" } ?? ""
    // Counted in characters, from 1.
    let line = field("P").flatMap { Int($0) }.map { place in
      sql.unicodeScalars.prefix(place - 1).count { $0 == "\n" } + 1
    }
    throw Failure(message: message + hint, line: line)
  }
}

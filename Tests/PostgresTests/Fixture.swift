import Logging
import LoopExecutor
import Postgres
import TestSupport

/// Event loops that all tests share.
let loops = LoopGroup(threads: 2)

extension Database {
  /// Runs `body` with a database of the shared cluster and closes it afterwards.
  static func with<R>(
    _ url: String, _ change: (inout DatabaseConfiguration) -> Void = { _ in }, _ body: (Database) async throws -> R
  ) async throws -> R {
    var configuration = DatabaseConfiguration(url: url, applicationName: "tests")
    change(&configuration)
    var logger = Logger(label: "postgres")
    logger.logLevel = .critical
    let database = try Database(configuration, loops: loops.executors, logger: logger)
    do {
      let result = try await body(database)
      await database.close()
      return result
    } catch {
      await database.close()
      throw error
    }
  }
}

struct Square: Statement {
  static let sql = "select $1::int8 * $1"
  let number: Int64
  func bind(_ p: inout Parameters) { p.append(number) }
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Int64 { try row.next() }
}

import ArgumentParser
import Logging
import LoopExecutor
import Measure
import Postgres
import SeededNumbers
import Synchronization

/// Runs one statement on and on through Shared/Data/Postgres and prints what it saw as one line of JSON.
@main
struct Statements: AsyncParsableCommand {
  static let configuration = CommandConfiguration(subcommands: [SelectCommand.self, UpsertCommand.self])
}

/// What both take.
struct StatementOptions: ParsableArguments {
  @Option var databaseUrl: String
  @Option var callers: Int
  @Option var rows: Int64
  @Option var seconds = 2.0
  @Option var warm = 0.5

  /// Runs `work` by so many callers at a time.
  ///
  /// - Parameter work: receives a row's number, and a generator for others.
  func measure(_ work: @escaping @Sendable (Database, Int64, Numbers) async throws -> Void) async throws {
    let group = LoopGroup(threads: 1)
    let executor = group.executors[0]
    let database = try Database(
      DatabaseConfiguration(url: databaseUrl, applicationName: "statements"), loops: [executor],
      logger: Logger(label: "statements"))
    let load = ClosedLoop(callers: callers, warm: warm, measured: seconds, serverPID: 0)
    let (rows, numbers) = (rows, Numbers())
    let seen = try await load.run(on: executor) { try await work(database, numbers.draw(upTo: rows), numbers) }
    await database.close()
    try await group.shutdown()
    print(seen.json)
  }
}

/// Draws numbers without asking the system for each, as pgbench does: that would be a tenth of the load's time.
final class Numbers: Sendable {
  private let generator = Mutex(SplitMix(seed: 1))

  /// One of 1…`most`, each as likely as the others.
  func draw(upTo most: Int64) -> Int64 { generator.withLock { .random(in: 1...most, using: &$0) } }
}

/// Reads rows of eight columns by their primary key.
struct SelectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "select")
  @OptionGroup var options: StatementOptions

  func run() async throws {
    try await options.measure { database, id, _ in
      guard try await database.first(FindPerson(id: id))?.id == id else { throw ExitCode.failure }
    }
  }
}

/// Writes single rows durably.
struct UpsertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "upsert")
  @OptionGroup var options: StatementOptions

  func run() async throws {
    let rows = options.rows
    try await options.measure { database, id, numbers in
      try await database.groupedWrite(SetCounter(id: id, value: numbers.draw(upTo: rows)))
    }
  }
}

private struct Person {
  let id: Int64
  let name: String
  let email: String
  let city: String
  let level: Int32
  let rating: Double
  let isActive: Bool
  let visits: Int64
}

private struct FindPerson: SingleRowStatement {
  static let sql = "select id, name, email, city, level, rating, is_active, visits from people where id = $1"
  let id: Int64

  func bind(_ p: inout Parameters) { p.append(id) }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Person {
    try Person(
      id: row.next(), name: row.next(), email: row.next(), city: row.next(), level: row.next(), rating: row.next(),
      isActive: row.next(), visits: row.next())
  }
}

/// Sets a counter: idempotent, as a write that shares its commit must be.
private struct SetCounter: Statement {
  static let sql = """
    insert into counters (id, value, changed_at) values ($1, $2, now())
    on conflict (id) do update set value = excluded.value, changed_at = excluded.changed_at
    """
  let id: Int64
  let value: Int64

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(value)
  }
}

import ArgumentParser
import Logging
import LoopExecutor
import Measure
import Postgres

/// Writes single rows durably through Shared/Postgres and prints what it saw as one line of JSON.
@main
struct Upsert: AsyncParsableCommand {
  @Option var databaseUrl: String
  @Option var callers: Int
  @Option var rows: Int64
  @Option var seconds = 2.0
  @Option var warm = 0.5

  func run() async throws {
    let group = LoopGroup(threads: 1)
    let executor = group.executors[0]
    let database = try Database(
      DatabaseConfiguration(url: databaseUrl, applicationName: "upsert"), loops: [executor],
      logger: Logger(label: "upsert"))
    let load = ClosedLoop(callers: callers, warm: warm, measured: seconds, serverPID: 0)
    let rows = rows
    let seen = try await load.run(on: executor) {
      try await database.groupedWrite(SetCounter(id: .random(in: 1...rows), value: .random(in: 1...rows)))
    }
    await database.close()
    try await group.shutdown()
    print(seen.json)
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

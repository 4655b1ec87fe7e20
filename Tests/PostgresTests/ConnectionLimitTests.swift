import Logging
import LoopExecutor
import SeededNumbers
import TestSupport
import Testing

@testable import Postgres

@Suite("The number of connections", .timeLimit(.minutes(5)))
struct ConnectionLimitTests {
  /// Runs `body` with a database whose connections are limited by the server, and whose pools want 24.
  private func with(
    databaseLimit: Int, _ limit: ConnectionLimit?,
    _ body: @escaping @Sendable (Database, _ connections: @Sendable () async throws -> Int) async throws -> Void
  ) async throws {
    try await TestDatabase.with([notes]) { test in
      let name = test.url.split(separator: "/").last.map(String.init) ?? ""
      try await test.sql("alter database \(name) connection limit \(databaseLimit)")
      try await Database.with(
        test.url(of: "notes"),
        {
          $0.transactionsPerLoop = 6
          $0.slowPerLoop = 4
          $0.connectionLimit = limit
        }
      ) { (database) async throws in
        try await body(database) {
          let text = try await test.value(
            "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tests'")
          return text.flatMap { Int($0) } ?? -1
        }
      }
      try await test.sql("alter database \(name) connection limit -1")
    }
  }

  /// Everything at once, on every loop: as many connections as there can be.
  private func crowd(_ database: Database) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<240 as Range<Int64> {
        group.addTask(executorPreference: loops.executors[Int(number) % 2]) {
          #expect(try await database.rows(Square(number: number)) == [number * number])
          try await database.write(AddNote(id: number))
          try await database.transaction { try await $0.execute(AddNote(id: number + 1_000)) }
          #expect(try await database.rows(SlowSquare(number: number)) == [number * number])
          try await database.transaction(pace: .slow) { try await $0.execute(AddNote(id: number + 2_000)) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.rows(NoteIDs()).count == 720)
  }

  @Test("is what the pools come to where nothing limits it")
  func unlimited() async throws {
    try await with(databaseLimit: -1, nil) { database, connections in
      #expect(try await database.takeShare(beside: 0) == nil)
      try await crowd(database)
      #expect(try await connections() <= 24)
    }
  }

  @Test("is the process's share of what the server allows, whatever is asked, and everything is answered")
  func share() async throws {
    try await with(databaseLimit: 33, ConnectionLimit(processes: 3)) { database, connections in
      try await crowd(database)
      #expect(try await connections() == 4, "the least, until the server was asked")
    }
    try await with(databaseLimit: 33, ConnectionLimit(processes: 3)) { database, connections in
      let share = try await database.takeShare(beside: 1)
      #expect(share?.allowed == 11 && share?.taken.connections == 10 && share?.wanted.connections == 24)
      try await crowd(database)
      #expect(try await connections() == 10)
    }
  }

  @Test("is never less than what a process needs, where there can be as many")
  func least() async throws {
    try await with(databaseLimit: 9, ConnectionLimit(processes: 100)) { database, connections in
      let share = try await database.takeShare(beside: 2)
      #expect(share?.taken == .minimum && share?.allowed == 6)
      try await crowd(database)
      #expect(try await connections() == 4)
    }
  }

  @Test("is what the process itself is limited to, where the server allows more")
  func ownLimit() async throws {
    try await with(databaseLimit: -1, ConnectionLimit(max: 8, processes: 1)) { database, connections in
      #expect(try await database.takeShare(beside: 0)?.taken.connections == 8)
      try await crowd(database)
      #expect(try await connections() == 8)
    }
  }

  @Test("is refused with a line that says what to raise, where a process could not work")
  func tooFew() async throws {
    try await with(databaseLimit: 5, ConnectionLimit(processes: 1)) { database, _ in
      let error = await #expect(throws: TooFewConnections.self) { try await database.takeShare(beside: 2) }
      #expect(error?.needed == 6 && error?.allowed == 5)
      #expect(error.map { "\($0)" }?.contains("raise max_connections") == true)
    }
    try await with(databaseLimit: -1, ConnectionLimit(max: 3, processes: 1)) { database, _ in
      await #expect(throws: TooFewConnections.self) { try await database.takeShare(beside: 0) }
    }
  }

  @Test("is read from the server: max_connections, what of it is reserved, and the limit of a role")
  func allowance() async throws {
    let cluster = try PrivateCluster.start()
    try await Administration.session(cluster.url) { session in
      _ = try session.run("create role narrow login connection limit 14")
    }
    try await Database.with(cluster.url) { (database) async throws in
      let allowance = try #require(try await database.first(ConnectionLimits()))
      #expect(allowance == ConnectionAllowance(server: 2_000, reserved: 3, database: nil, role: nil))
      #expect(allowance.share(ConnectionLimit(processes: 12)) == 166)
    }
    let url = cluster.url.split(separator: "postgres@", maxSplits: 1).joined(separator: "narrow@")
    try await Database.with(url) { (database) async throws in
      let allowance = try #require(try await database.first(ConnectionLimits()))
      #expect(allowance.role == 14 && allowance.max == 14)
      #expect(allowance.share(ConnectionLimit(processes: 12)) == 7)
    }
    try cluster.stopServer(mode: "immediate")
  }

  @Test("is spread over the pools in proportion")
  func proportion() {
    var configuration = DatabaseConfiguration(url: "", applicationName: "")
    configuration.transactionsPerLoop = 4
    configuration.slowPerLoop = 2
    let wanted = PoolSizes(configuration, loops: 4)
    #expect(wanted.connections == 32)
    #expect(wanted.fitted(into: 32) == wanted)
    #expect(wanted.fitted(into: 0) == .minimum)
    #expect(wanted.fitted(into: 8) == PoolSizes(pipelined: 1, transactions: 4, slow: 2))
    #expect(wanted.fitted(into: 16) == PoolSizes(pipelined: 2, transactions: 8, slow: 4))
    for limit in 4...40 {
      let sizes = wanted.fitted(into: limit)
      #expect(sizes.connections <= limit && sizes.connections >= min(limit, 32) - 1)
      for kind in [\PoolSizes.pipelined, \.transactions, \.slow] {
        #expect((1...wanted[keyPath: kind]).contains(sizes[keyPath: kind]))
      }
      let parts = (0..<4).map { sizes.parts(at: $0, loops: 4, wanting: wanted) }
      #expect(parts.map(\.transactions).reduce(0, +) == sizes.transactions)
      #expect(parts.map(\.slow).reduce(0, +) == sizes.slow)
    }
  }
}

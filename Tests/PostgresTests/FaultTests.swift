import Logging
import LoopExecutor
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite("Faults of the server", .ownThreads, .timeLimit(.minutes(5)))
struct FaultTests {
  @Test("a failover to the standby loses nothing that was acknowledged, and writes go on there")
  func failover() async throws {
    let primary = try PrivateCluster.start()
    let standby = try primary.startStandby()
    try await Administration.session(primary.url) { session in
      _ = try session.run("create table notes (id bigint primary key, text text, parent bigint)")
      // From now on a commit is acknowledged when the standby has it too.
      _ = try session.run("alter system set synchronous_standby_names = '*'")
      _ = try session.run("select pg_reload_conf()")
    }
    try await until {
      try await Administration.session(primary.url) { session in
        try session.run("select 1 from pg_stat_replication where sync_state = 'sync'").count == 1
      }
    }
    let url =
      "postgresql://postgres@\(primary.address),\(standby.address)/postgres?target_session_attrs=read-write"
    try await Database.with(url, { $0.timeout = .seconds(20) }) { (database) async throws in
      let writers = Writers(database)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<8 { group.addTask { try await writers.write(Int64(writer) * 1_000_000) } }
        await until { writers.acknowledged.count >= 300 }
        try primary.stopServer(mode: "immediate")
        try standby.promote()
        let before = writers.acknowledged.count
        await until { writers.acknowledged.count >= before + 300 }
        writers.stop()
        try await group.waitForAll()
      }
      let stored = Set(try await database.rows(NoteIDs()))
      #expect(writers.acknowledged.isSubset(of: stored))
      #expect(writers.failures.count { !$0.isUnavailable } == 0, "\(writers.failures)")
      // What was on its way when the server died may or may not be there.
      #expect(stored.count <= writers.acknowledged.count + writers.failures.count)
    }
    try standby.stopServer(mode: "immediate")
  }

  @Test("a server without a connection to spare is away for those who need one, and for nobody else, until it has")
  func outOfConnections() async throws {
    try await TestDatabase.with([notes]) { test in
      let name = test.url.split(separator: "/").last.map(String.init) ?? ""
      @Sendable func limit(_ count: Int) async throws {
        try await Administration.session(test.url) { session in
          _ = try session.run("alter database \(name) connection limit \(count)")
        }
      }
      try await Database.with(test.url(of: "notes"), { $0.timeout = .milliseconds(300) }) { (database) async throws in
        // What fails is to fail soon; this connection may take its time.
        await until { await failure { try await database.ping() } == nil }
        try await limit(1)
        let error = await failure { try await database.write(AddNote(id: 1)) }
        #expect(error?.isUnavailable == true)
        let other = await failure { try await database.transaction { try await $0.execute(AddNote(id: 1)) } }
        #expect(other?.isUnavailable == true)
        #expect(try await database.rows(Square(number: 3)) == [9])
        try await limit(-1)
        await until { await failure { try await database.write(PutNote(id: 1)) } == nil }
        await until { await failure { try await database.transaction { try await $0.execute(PutNote(id: 2)) } } == nil }
        #expect(try await database.rows(NoteIDs()) == [1, 2])
      }
    }
  }

  @Test("a server that takes no writes says so, goes on to answer reads, and is written to again when it takes them")
  func readOnly() async throws {
    let cluster = try PrivateCluster.start()
    @Sendable func set(_ value: String) async throws {
      try await Administration.session(cluster.url) { session in
        _ = try session.run("set default_transaction_read_only to off")
        _ = try session.run("alter system set default_transaction_read_only to \(value)")
        _ = try session.run("select pg_reload_conf()")
      }
    }
    try await Administration.session(cluster.url) { session in
      _ = try session.run("create table notes (id bigint primary key, text text, parent bigint)")
    }
    try await Database.with(cluster.url) { (database) async throws in
      try await database.write(AddNote(id: 1))
      try await database.transaction { try await $0.execute(AddNote(id: 2)) }
      try await set("on")
      await until { await failure { try await database.write(PutNote(id: 1)) }?.sqlState == .readOnlyTransaction }
      await until {
        await failure { try await database.transaction { try await $0.execute(PutNote(id: 2)) } }?.sqlState
          == .readOnlyTransaction
      }
      #expect(try await database.rows(NoteIDs()) == [1, 2])
      try await set("off")
      await until { await failure { try await database.write(PutNote(id: 3)) } == nil }
      await until { await failure { try await database.transaction { try await $0.execute(PutNote(id: 4)) } } == nil }
      #expect(try await database.rows(NoteIDs()) == [1, 2, 3, 4])
    }
    try cluster.stopServer(mode: "immediate")
  }

  @Test("a full disk refuses what needs room and nothing else, and what was acknowledged before and after is there")
  func fullDisk() async throws {
    let cluster = try PrivateCluster.start(room: .smallDisk(mebibytes: 4))
    try await Administration.session(cluster.url) { session in
      _ = try session.run("create tablespace small location '\(cluster.smallDisk)'")
      _ = try session.run("create table notes (id bigint primary key, text text, parent bigint) tablespace small")
      _ = try session.run("create table ballast (bytes text) tablespace small")
      _ = try session.run("alter table ballast alter column bytes set storage plain")
    }
    try await Database.with(cluster.url) { (database) async throws in
      try await database.write(AddNote(id: 1))
      let full = await failure { for _ in 0..<4_000 { try await database.write(AddBallast()) } }
      #expect(full?.sqlState == .diskFull)
      // What fits into the pages that are there is still taken; this is more.
      let neighbours = await failure {
        for id in 2..<100_000 as Range<Int64> { try await database.write(AddNote(id: id)) }
      }
      #expect(neighbours?.sqlState == .diskFull)
      let stored = try await database.rows(NoteIDs())
      try await database.write(DropBallast())
      await until { await failure { try await database.write(PutNote(id: -1)) } == nil }
      await until { await failure { try await database.transaction { try await $0.execute(PutNote(id: -2)) } } == nil }
      #expect(try await database.rows(NoteIDs()) == [-2, -1] + stored)
    }
    try cluster.stopServer(mode: "immediate")
  }
}

/// Writes note after note, and knows which were acknowledged.
private final class Writers: Sendable {
  private let database: Database
  private let state = Mutex((acknowledged: Set<Int64>(), failures: [PostgresError](), isOver: false))

  init(_ database: Database) { self.database = database }

  var acknowledged: Set<Int64> { state.withLock { $0.acknowledged } }
  var failures: [PostgresError] { state.withLock { $0.failures } }

  func stop() { state.withLock { $0.isOver = true } }

  func write(_ first: Int64) async throws {
    var id = first
    while !state.withLock({ $0.isOver }) {
      id += 1
      do {
        try await database.write(AddNote(id: id))
        state.withLock { _ = $0.acknowledged.insert(id) }
      } catch let error as PostgresError {
        state.withLock { $0.failures.append(error) }
      }
    }
  }
}

/// Takes a page.
private struct AddBallast: Statement {
  typealias Row = Void
  static let sql = "insert into ballast select repeat('x', 7000)"
}

private struct DropBallast: Statement {
  typealias Row = Void
  static let sql = "drop table ballast"
}

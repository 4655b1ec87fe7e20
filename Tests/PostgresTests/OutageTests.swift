import Logging
import LoopExecutor
import Postgres
import TestSupport
import Testing

@Suite("Outages", .ownThreads, .timeLimit(.minutes(5)))
struct OutageTests {
  @Test("when its backend is killed a running read fails as unavailable and the next ones are answered")
  func killedReader() async throws {
    try await Database.withNotes { (database) async throws in
      try await database.transaction { tx in
        try await tx.execute(TakeLock(lock: 1))
        let backend = try #require(try await database.first(BackendID()))
        let reader = Task(executorPreference: loops.executors[0]) { try await database.rows(WaitForLock(lock: 1)) }
        try await until { try await tx.first(LockWaiters(lock: 1)) == 1 }
        try await database.write(Terminate(backend: backend))
        let error = await #expect(throws: PostgresError.self) { try await reader.value }
        #expect(error?.isUnavailable == true)
        #expect(try await database.first(BackendID()) != backend)
      }
    }
  }

  @Test("when its backend is killed a transaction ends there, and nothing of it runs on the next connection")
  func killedTransaction() async throws {
    try await Database.withNotes { (database) async throws in
      let error = await failure {
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: 1))
          let backend = try #require(try await tx.first(BackendID()))
          try await database.write(Terminate(backend: backend))
          // The read, the write and the transaction's connection, the last one made anew.
          try await until { try await database.first(OtherBackends(than: backend)) == 3 }
          let next = await #expect(throws: PostgresError.self) { try await tx.execute(AddNote(id: 2)) }
          #expect(next?.isUnavailable == true)
        }
      }
      #expect(error?.isUnavailable == true)
      #expect(try await database.rows(NoteIDs()) == [])
      try await database.transaction { try await $0.execute(AddNote(id: 3)) }
      #expect(try await database.rows(NoteIDs()) == [3])
    }
  }

  @Test("a server that crashes and comes back is used again, and acknowledged writes are there")
  func restartedServer() async throws {
    let cluster = try PrivateCluster.start()
    try await Administration.session(cluster.url) { session in
      _ = try session.run("create table notes (id bigint primary key, text text, parent bigint)")
    }
    try await Database.with(cluster.url, { $0.timeout = .seconds(5) }) { (database) async throws in
      try await database.write(AddNote(id: 1))
      let broken = await failure {
        try await database.transaction { tx in
          try await tx.execute(TakeLock(lock: 1))
          let reader = Task(executorPreference: loops.executors[0]) { try await database.rows(WaitForLock(lock: 1)) }
          try await until { try await tx.first(LockWaiters(lock: 1)) == 1 }
          try cluster.stopServer(mode: "immediate")
          #expect(await failure { _ = try await reader.value }?.isUnavailable == true)
          #expect(await failure { try await database.ping() }?.isUnavailable == true)
          try cluster.startServer()
          try await tx.execute(AddNote(id: 2))
        }
      }
      #expect(broken?.isUnavailable == true)
      await until { (try? await database.ping()) != nil }
      #expect(try await database.rows(NoteIDs()) == [1])
      await until { (try? await database.write(PutNote(id: 1))) != nil }
      await until { (try? await database.transaction { try await $0.rows(NoteIDs()) }) == [1] }
    }
    try cluster.stopServer(mode: "immediate")
  }

  @Test("a transaction that begins just after its connection was lost is told that the database is away")
  func transactionAfterLoss() async throws {
    let cluster = try PrivateCluster.start()
    try await Database.with(cluster.url, { $0.timeout = .seconds(2) }) { (database) async throws in
      let error = try await Task(executorPreference: loops.executors[0]) {
        try await database.transaction { _ = try await $0.first(BackendID()) }
        try cluster.stopServer(mode: "immediate")
        return await failure { try await database.transaction { _ = try await $0.first(BackendID()) } }
      }.value
      #expect(error?.isUnavailable == true)
      let second = await Task(executorPreference: loops.executors[0]) {
        await failure { try await database.transaction { _ = try await $0.first(BackendID()) } }
      }.value
      #expect(second?.isUnavailable == true)
    }
  }

  @Test("a migration that changes the type of a statement's column costs one failure, then the statement runs again")
  func outdatedStatement() async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (database) async throws in
        try await database.write(AddNote(id: 1))
        #expect(try await database.rows(NoteTexts()) == ["text"])
        try await Administration.session(test.url(of: "notes")) { session in
          _ = try session.run("alter table notes alter column text type varchar(30)")
        }
        #expect(await failure { _ = try await database.rows(NoteTexts()) }?.isUnavailable == true)
        #expect(try await database.rows(NoteTexts()) == ["text"])
      }
    }
  }

  @Test("a server that was never there is unavailable, not a hang")
  func neverThere() async throws {
    // Port 1 has no listener.
    try await Database.with("postgresql://127.0.0.1:1/nothing", { $0.timeout = .milliseconds(20) }) {
      (database) async throws in
      for _ in 0..<3 {
        let error = await #expect(throws: PostgresError.self) { try await database.ping() }
        #expect(error?.isUnavailable == true)
      }
      let write = await #expect(throws: PostgresError.self) {
        try await database.transaction { try await $0.execute(AddNote(id: 1)) }
      }
      #expect(write?.isUnavailable == true)
    }
  }

  @Test("a database that was closed is unavailable")
  func closed() async throws {
    try await Database.withNotes { (database) async throws in
      try await database.ping()
      await database.close()
      let error = await #expect(throws: PostgresError.self) { try await database.ping() }
      #expect(error?.isUnavailable == true)
    }
  }

  @Test("a URL that cannot be read is refused by a line that does not show its password")
  func badURL() {
    let configuration = DatabaseConfiguration(
      url: "postgresql://user:secret@host:port:9/%zz?nonsense=1", applicationName: "tests")
    let error = #expect(throws: PostgresError.self) {
      try Database(configuration, loops: loops.executors, logger: Logger(label: "postgres"))
    }
    #expect(error?.kind == .parameter)
    #expect(error?.description.contains("secret") == false)
  }

  @Test("the server tells its version")
  func version() async throws {
    try await Database.withNotes { (database) async throws in
      #expect(try await database.serverVersion().split(separator: ".").first.flatMap { Int($0) } ?? 0 >= 15)
    }
  }
}

/// What `work` throws; `nil` when it succeeds or throws something else.
func failure(of work: () async throws -> Void) async -> PostgresError? {
  do {
    try await work()
    return nil
  } catch {
    return error as? PostgresError
  }
}

struct NoteTexts: Statement {
  typealias Row = String
  static let sql = "select text from notes"
}

struct OtherBackends: SingleRowStatement {
  typealias Row = Int64
  static let sql = """
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'tests' and pid <> $1
    """
  let than: Int32
  func bind(_ p: inout Parameters) { p.append(than) }
}

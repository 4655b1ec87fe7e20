import LoopExecutor
import Postgres
import TestSupport
import Testing

/// Tests whether a refused statement costs a connection: a client can provoke refusals, and a new connection is a new backend, with TLS and
/// password.
@Suite("A refused statement", .timeLimit(.minutes(5)))
struct RefusedStatementTests {
  /// What is refused as the first statement of a transaction.
  enum Refusal: CaseIterable, CustomTestStringConvertible {
    case uniqueViolation, nonsense, firstOfTwo, secondOfTwo, atCommit

    var testDescription: String { "\(self)" }

    func provoke(in tx: Transaction) async throws {
      switch self {
      case .uniqueViolation: try await tx.execute(AddNote(id: 1))
      case .nonsense: try await tx.execute(Nonsense())
      case .firstOfTwo: _ = try await tx.rows(AddNote(id: 1), AddNote(id: 2))
      case .secondOfTwo: _ = try await tx.rows(AddNote(id: 2), AddNote(id: 1))
      case .atCommit: try await tx.execute(AddNote(id: 2, parent: 9))
      }
    }
  }

  /// The backend of the only connection for transactions.
  private func backend(_ database: Database) async throws -> Int32? {
    try await database.transaction { try await $0.first(BackendID()) }
  }

  @Test("leaves the connection to the next transaction", arguments: Refusal.allCases)
  func keepsConnection(_ refusal: Refusal) async throws {
    try await Database.withNotes({ $0.transactionsPerLoop = 1 }) { (database) async throws in
      try await database.write(AddNote(id: 1))
      let before = try await backend(database)
      for _ in 0..<3 {
        let error = await failure { try await database.transaction { try await refusal.provoke(in: $0) } }
        #expect(error?.kind == .server, "\(String(describing: error))")
      }
      #expect(try await backend(database) == before)
      #expect(try await database.rows(NoteIDs()) == [1])
    }
  }

  @Test("is rolled back though its body takes no notice of it", arguments: [Refusal.uniqueViolation, .nonsense])
  func swallowed(_ refusal: Refusal) async throws {
    try await Database.withNotes({ $0.transactionsPerLoop = 1 }) { (database) async throws in
      try await database.write(AddNote(id: 1))
      let before = try await backend(database)
      let error = await failure {
        try await database.transaction { tx in
          _ = await failure { try await refusal.provoke(in: tx) }
          let second = await failure { try await tx.execute(AddNote(id: 3)) }
          #expect(second?.sqlState == "25P02")
        }
      }
      #expect(error?.sqlState == "25P02")
      #expect(try await backend(database) == before)
      #expect(try await database.rows(NoteIDs()) == [1])
    }
  }

  @Test("leaves the connection when another transaction was in its way")
  func serializationFailure() async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(test.url(of: "notes"), { $0.transactionsPerLoop = 1 }) { (database) async throws in
          try await database.write(AddNote(id: 1))
          let before = try #require(try await backend(database))
          let beaten = try await holder.transaction { tx in
            try await tx.execute(PutNote(id: 1, text: "first"))
            let beaten = Task(executorPreference: loops.executors[0]) {
              await failure {
                try await database.transaction(isolation: .repeatableRead) {
                  try await $0.execute(PutNote(id: 1, text: "second"))
                }
              }
            }
            try await until { try await holder.first(LocksAwaited(by: before)) == 1 }
            return beaten
          }
          #expect(await beaten.value?.sqlState == .serializationFailure)
          #expect(try await backend(database) == before)
        }
      }
    }
  }

  @Test("leaves the connection when it took too long for the server, or for its caller", arguments: [true, false])
  func tookTooLong(byServer: Bool) async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(
          test.url(of: "notes"),
          {
            $0.transactionsPerLoop = 1
            // Long enough for all the other statements, the rollback too, on a busy machine: one that is too slow costs the connection.
            if byServer { $0.statementTimeout = .seconds(3) }
          }
        ) { (database) async throws in
          let before = try await backend(database)
          try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 3))
            let hanging = Task(executorPreference: loops.executors[0]) {
              try await database.transaction { try await $0.execute(WaitForLock(lock: 3)) }
            }
            if byServer {
              #expect(await failure { try await hanging.value }?.sqlState == .queryCanceled)
            } else {
              try await until { try await tx.first(LockWaiters(lock: 3)) == 1 }
              hanging.cancel()
              await #expect(throws: CancellationError.self) { try await hanging.value }
            }
            #expect(try await backend(database) == before)
          }
        }
      }
    }
  }

  @Test("of hundreds at once, none costs a connection")
  func crowd() async throws {
    try await Database.withNotes { (database) async throws in
      try await database.write(AddNote(id: 1))
      let first = await burst(of: 0..<50) { _ in
        try await database.transaction { try await $0.first(BackendID()).map(Int64.init) }
      }
      let before = Set(first.values.compactMap { try? $0.get() })
      let outcomes = await burst(of: 0..<300) { number in
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: number % 3 == 0 ? number + 10 : 1))
          return try await tx.first(BackendID()).map(Int64.init)
        }
      }
      let after = Set(outcomes.values.compactMap { try? $0.get() })
      #expect(after.isSubset(of: before), "\(after) of \(before)")
      #expect(outcomes.values.count { (try? $0.get()) == nil } == 200)
      #expect(try await database.rows(NoteIDs()).count == 101)
    }
  }

  @Test("a transaction gets a connection that is ready before one that was lost")
  func prefersReady() async throws {
    try await TestDatabase.with([notes]) { test in
      let name = test.url.split(separator: "/").last.map(String.init) ?? ""
      @Sendable func limit(_ count: Int) async throws {
        try await Administration.session(test.url) { session in
          _ = try session.run("alter database \(name) connection limit \(count)")
        }
      }
      try await Database.with(
        test.url(of: "notes"),
        {
          $0.transactionsPerLoop = 3
          $0.timeout = .milliseconds(300)
        }
      ) { (database) async throws in
        let (lost, kept) = try await database.transaction { outer in
          let inner = try await database.transaction { try await $0.first(BackendID()) }
          return (try #require(try await outer.first(BackendID())), inner)
        }
        try await limit(1)
        try await test.sql("select pg_terminate_backend(\(lost), 5000)")
        // That it is gone is noticed soon; it does not come back, and another cannot be made.
        try await until("a transaction has a connection") {
          await failure { _ = try await database.transaction { try await $0.first(BackendID()) } } == nil
        }
        for _ in 0..<5 {
          #expect(try await database.transaction { try await $0.first(BackendID()) } == kept)
        }
        try await limit(-1)
      }
    }
  }
}

/// How many locks a backend waits for.
struct LocksAwaited: SingleRowStatement {
  typealias Row = Int64
  static let sql = "select count(*) from pg_locks where not granted and pid = $1"
  let backend: Int32
  init(by backend: Int32) { self.backend = backend }
  func bind(_ p: inout Parameters) { p.append(backend) }
}

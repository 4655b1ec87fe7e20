import LoopExecutor
import Postgres
import TestSupport
import Testing

/// Tests whether a statement that hangs blocks others: only those behind it in its own pipeline, and on its own loop.
@Suite("A slow statement", .timeLimit(.minutes(5)))
struct SlowStatementTests {
  /// Which way a statement goes.
  enum Way: CaseIterable, CustomTestStringConvertible {
    case read, write, transaction, slowRead, slowWrite, slowTransaction

    var testDescription: String { "\(self)" }

    func run(_ database: Database, lock: Int64) async throws {
      switch self {
      case .read: _ = try await database.rows(WaitForLock(lock: lock))
      case .write: try await database.write(WaitForLock(lock: lock))
      case .transaction: try await database.transaction { _ = try await $0.rows(WaitForLock(lock: lock)) }
      case .slowRead: _ = try await database.rows(WaitLongForLock(lock: lock))
      case .slowWrite: try await database.write(WaitLongForLock(lock: lock))
      case .slowTransaction:
        try await database.transaction(pace: .slow) { _ = try await $0.rows(WaitForLock(lock: lock)) }
      }
    }

    func runQuickly(_ database: Database, id: Int64) async throws {
      switch self {
      case .read: #expect(try await database.rows(Square(number: id)) == [id * id])
      case .write: try await database.write(AddNote(id: id))
      case .transaction: try await database.transaction { try await $0.execute(AddNote(id: id)) }
      case .slowRead: #expect(try await database.rows(SlowSquare(number: id)) == [id * id])
      case .slowWrite: try await database.write(SlowAddNote(id: id))
      case .slowTransaction: try await database.transaction(pace: .slow) { try await $0.execute(AddNote(id: id)) }
      }
    }

    /// Whether a connection is its own while it runs.
    var isAlone: Bool {
      switch self {
      case .read, .write: false
      case .transaction, .slowRead, .slowWrite, .slowTransaction: true
      }
    }
  }

  @Test("does not hold up those that go another way, nor other transactions", arguments: Way.allCases)
  func otherWays(_ slow: Way) async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(test.url(of: "notes")) { (database) async throws in
          try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 7))
            let hanging = Task(executorPreference: loops.executors[0]) { try await slow.run(database, lock: 7) }
            try await until { try await tx.first(LockWaiters(lock: 7)) == 1 }
            var id: Int64 = 0
            for way in Way.allCases where way != slow || slow.isAlone {
              for _ in 0..<20 {
                id += 1
                try await way.runQuickly(database, id: id)
              }
            }
            // All of these were answered while it still waits: a write on a connection of its own by now.
            try await until { try await tx.first(LockWaiters(lock: 7)) == 1 }
            hanging.cancel()
          }
        }
      }
    }
  }

  @Test("does not hold up other loops' statements of its own way", arguments: [Way.read, .write])
  func otherLoops(_ slow: Way) async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(test.url(of: "notes")) { (database) async throws in
          try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 8))
            let hanging = Task(executorPreference: loops.executors[0]) { try await slow.run(database, lock: 8) }
            try await until { try await tx.first(LockWaiters(lock: 8)) == 1 }
            try await Task(executorPreference: loops.executors[1]) {
              for id in 1...20 as ClosedRange<Int64> { try await slow.runQuickly(database, id: id) }
            }.value
            try await until { try await tx.first(LockWaiters(lock: 8)) == 1 }
            hanging.cancel()
          }
        }
      }
    }
  }

  @Test("is ended by the server after its time, and those behind it are answered")
  func ended() async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(test.url(of: "notes"), { $0.statementTimeout = .seconds(3) }) {
          (database) async throws in
          try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 9))
            let hanging = Task(executorPreference: loops.executors[0]) {
              await failure { _ = try await database.rows(WaitForLock(lock: 9)) }
            }
            #expect(try await database.rows(Square(number: 3)) == [9])
            #expect(await hanging.value?.sqlState == .queryCanceled)
            #expect(try await database.rows(Square(number: 4)) == [16])
          }
        }
      }
    }
  }

  @Test("takes the connections for slow ones and no other, and the next one waits, then runs")
  func ofTheirOwn() async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(test.url(of: "notes"), { $0.slowPerLoop = 2 }) { (database) async throws in
          let answered = Gathered<Int>()
          let hanging = try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 11))
            let hanging = (0..<10).map { number in
              Task(executorPreference: loops.executors[0]) {
                _ = try await database.rows(WaitLongForLock(lock: 11))
                answered.add(number)
              }
            }
            try await until { try await tx.first(LockWaiters(lock: 11)) == 2 }
            for id in 1...20 as ClosedRange<Int64> {
              for way in [Way.read, .write, .transaction] {
                try await way.runQuickly(database, id: id * 10 + Int64(way.place))
              }
            }
            #expect(try await tx.first(LockWaiters(lock: 11)) == 2)
            #expect(answered.all.isEmpty)
            return hanging
          }
          for one in hanging { try await one.value }
          #expect(answered.all.count == 10)
        }
      }
    }
  }

  @Test("is refused as overload where too many wait for a connection, and those that wait are not")
  func places() async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(
          test.url(of: "notes"),
          {
            $0.slowPerLoop = 1
            $0.slowQueueLimit = 3
          }
        ) { (database) async throws in
          let outcomes = try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 12))
            let first = Task(executorPreference: loops.executors[0]) {
              await failure { _ = try await database.rows(WaitLongForLock(lock: 12)) }
            }
            try await until { try await tx.first(LockWaiters(lock: 12)) == 1 }
            let refusals = Gathered<PostgresError>()
            let others = (0..<10).map { _ in
              Task(executorPreference: loops.executors[0]) {
                let error = await failure { _ = try await database.rows(WaitLongForLock(lock: 12)) }
                if let error { refusals.add(error) }
                return error
              }
            }
            await until { refusals.all.count == 7 }
            #expect(refusals.all.count { $0.isOverloaded } == 7)
            return [first] + others
          }
          var answered = 0
          for outcome in outcomes where await outcome.value == nil { answered += 1 }
          #expect(answered == 4)
        }
      }
    }
  }

  @Test("is stopped at the server when its caller gives up, and its connection serves the next")
  func givenUp() async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(test.url(of: "notes"), { $0.slowPerLoop = 1 }) { (database) async throws in
          let before = try await database.first(SlowBackendID())
          try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 13))
            let hanging = Task(executorPreference: loops.executors[0]) {
              _ = try await database.rows(WaitLongForLock(lock: 13))
            }
            try await until { try await tx.first(LockWaiters(lock: 13)) == 1 }
            let waiting = Task(executorPreference: loops.executors[0]) { try await database.first(SlowBackendID()) }
            let cancelled = Task(executorPreference: loops.executors[0]) { try await database.first(SlowBackendID()) }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
            hanging.cancel()
            await #expect(throws: CancellationError.self) { try await hanging.value }
            #expect(try await waiting.value == before)
            #expect(try await tx.first(LockWaiters(lock: 13)) == 0)
          }
        }
      }
    }
  }

  @Test("has a time limit of its own")
  func ownTimeLimit() async throws {
    try await TestDatabase.with([notes]) { test in
      try await Database.with(test.url(of: "notes")) { (holder) async throws in
        try await Database.with(test.url(of: "notes"), { $0.slowStatementTimeout = .seconds(3) }) {
          (database) async throws in
          let before = try await database.first(SlowBackendID())
          try await holder.transaction { tx in
            try await tx.execute(TakeLock(lock: 14))
            let quick = Task(executorPreference: loops.executors[0]) { try await database.rows(WaitForLock(lock: 14)) }
            let error = await failure { _ = try await database.rows(WaitLongForLock(lock: 14)) }
            #expect(error?.sqlState == .queryCanceled)
            #expect(try await tx.first(LockWaiters(lock: 14)) == 1, "the quick one's is another")
            quick.cancel()
          }
          #expect(try await database.first(SlowBackendID()) == before)
        }
      }
    }
  }
}

extension SlowStatementTests.Way {
  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// As ``WaitForLock``, but said to be slow.
struct WaitLongForLock: Statement {
  typealias Row = String
  static let pace = Pace.slow
  static let sql = WaitForLock.sql
  let lock: Int64
  func bind(_ p: inout Parameters) { p.append(lock) }
}

struct SlowSquare: Statement {
  typealias Row = Int64
  static let pace = Pace.slow
  static let sql = Square.sql
  let number: Int64
  func bind(_ p: inout Parameters) { p.append(number) }
}

struct SlowAddNote: Statement {
  typealias Row = Void
  static let pace = Pace.slow
  static let sql = "insert into notes (id, text) values ($1, 'text')"
  let id: Int64
  func bind(_ p: inout Parameters) { p.append(id) }
}

struct SlowBackendID: SingleRowStatement {
  typealias Row = Int32
  static let pace = Pace.slow
  static let sql = "select pg_backend_pid()"
}

import LoopExecutor
import Postgres
import TestSupport
import Testing

/// Asks whether a statement that hangs holds up others: those behind it in its own pipeline alone, and of its own loop alone.
@Suite("A slow statement", .timeLimit(.minutes(1)))
struct SlowStatementTests {
  /// Which way a statement goes.
  enum Way: CaseIterable, CustomTestStringConvertible {
    case read, write, transaction

    var testDescription: String { "\(self)" }

    func run(_ database: Database, lock: Int64) async throws {
      switch self {
      case .read: _ = try await database.rows(WaitForLock(lock: lock))
      case .write: try await database.write(WaitForLock(lock: lock))
      case .transaction: try await database.transaction { _ = try await $0.rows(WaitForLock(lock: lock)) }
      }
    }

    func runQuickly(_ database: Database, id: Int64) async throws {
      switch self {
      case .read: #expect(try await database.rows(Square(number: id)) == [id * id])
      case .write: try await database.write(AddNote(id: id))
      case .transaction: try await database.transaction { try await $0.execute(AddNote(id: id)) }
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
            for way in Way.allCases where way != slow || slow == .transaction {
              for _ in 0..<20 {
                id += 1
                try await way.runQuickly(database, id: id)
              }
            }
            // All of these were answered while it still waits.
            #expect(try await tx.first(LockWaiters(lock: 7)) == 1)
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
            #expect(try await tx.first(LockWaiters(lock: 8)) == 1)
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
        try await Database.with(test.url(of: "notes"), { $0.statementTimeout = .milliseconds(300) }) {
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
}

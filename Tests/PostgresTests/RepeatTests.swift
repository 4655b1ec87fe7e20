import Postgres
import Synchronization
import TestSupport
import Testing

/// Changes a note's text to something that depends on what it was.
private struct AppendToNote: Statement {
  typealias Row = Void
  static let sql = "update notes set text = left(text || $2, 20) where id = $1"
  let id: Int64
  let more: String
  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(more)
  }
}

/// `text` of one note as a number.
private struct Count: SingleRowStatement {
  typealias Row = Int64
  static let sql = "select text::int8 from notes where id = $1"
  let id: Int64
  func bind(_ p: inout Parameters) { p.append(id) }
}

private struct SetCount: Statement {
  typealias Row = Void
  static let sql = "update notes set text = $2::int8::text where id = $1"
  let id: Int64
  let count: Int64
  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(count)
  }
}

/// Carries values out of a closure that may run anywhere.
private final class Tally<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// An error that looks like a conflict but does not come from the database.
private struct Fault: Error {}

@Suite("Transactions that are run again", .timeLimit(.minutes(5)))
struct RepeatTests {
  @Test(
    "forty that read, add one and write lose no addition, although they conflict",
    arguments: [Isolation.repeatableRead, .serializable])
  func conflicts(_ isolation: Isolation) async throws {
    try await Database.withNotes { (database) async throws in
      try await database.write(AddNote(id: 1, text: "0"))
      let runs = Tally<Int>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask {
            // Its own bound is meant for less than this.
            var isDone = false
            while !isDone {
              do {
                try await database.repeatableTransaction(isolation: isolation) { tx in
                  runs.add(1)
                  let count = try await tx.first(Count(id: 1)) ?? -1
                  try await tx.execute(SetCount(id: 1, count: count + 1))
                }
                isDone = true
              } catch let error as PostgresError where error.isConflict {}
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await database.first(Count(id: 1)) == 40)
      #expect(runs.all.count >= 40)
    }
  }

  @Test("two that lock the same rows in different orders are both done, the one that had to give way by running again")
  func deadlock() async throws {
    try await TestDatabase.with([notes]) { server in
      try await Database.with(server.url(of: "notes")) { (database) async throws in
        for id in [1, 2] as [Int64] { try await database.write(AddNote(id: id, text: "x")) }
        // Each holds its first row until the other does, in its first run.
        let holding = Tally<Int64>()
        let runs = Tally<Int>()
        @Sendable func change(_ first: Int64, then second: Int64) async throws {
          try await database.repeatableTransaction { tx in
            runs.add(1)
            try await tx.execute(AppendToNote(id: first, more: "a"))
            holding.add(first)
            await until { Set(holding.all).count == 2 }
            try await tx.execute(AppendToNote(id: second, more: "b"))
          }
        }
        async let one: Void = change(1, then: 2)
        async let other: Void = change(2, then: 1)
        _ = try await (one, other)
        #expect(runs.all.count >= 3)
        #expect(try await Set(database.rows(NoteTexts())).isSubset(of: ["xab", "xba"]))
      }
      // Tests that look for deadlocks find this one, so they see theirs.
      if let found = try await server.loggedDeadlocks() { #expect(found.first?.contains("update notes") == true) }
    }
  }

  @Test("one that conflicts each time fails with the conflict after its last run")
  func bounded() async throws {
    try await Database.withNotes { (database) async throws in
      try await database.write(AddNote(id: 1, text: "0"))
      let runs = Tally<Int>()
      let error = await failure {
        try await database.repeatableTransaction(isolation: .repeatableRead) { tx in
          runs.add(1)
          _ = try await tx.first(Count(id: 1))
          try await database.write(AppendToNote(id: 1, more: "1"))
          try await tx.execute(AppendToNote(id: 1, more: "2"))
        }
      }
      #expect(error?.sqlState == .serializationFailure)
      #expect(runs.all.count == Conflicts.attempts)
    }
  }

  @Test("nothing else is run again: what the body throws, what a constraint refuses, a connection that is lost")
  func onlyConflicts() async throws {
    try await Database.withNotes { (database) async throws in
      let runs = Tally<Int>()
      @Sendable func count() { runs.add(1) }
      await #expect(throws: Fault.self) {
        try await database.repeatableTransaction { _ in
          count()
          throw Fault()
        }
      }
      let refused = await failure {
        try await database.repeatableTransaction { tx in
          count()
          try await tx.execute(AddNote(id: 1, text: ""))
        }
      }
      #expect(refused?.sqlState == .checkViolation)
      let lost = await failure {
        try await database.repeatableTransaction { tx in
          count()
          try await database.write(Terminate(backend: try await tx.first(BackendID()) ?? 0))
          try await tx.execute(AddNote(id: 1))
        }
      }
      #expect(lost?.isUnavailable == true)
      #expect(runs.all.count == 3)
    }
  }

  @Test("what is to be told after the commit is told after the commit, and not when there is none")
  func afterCommit() async throws {
    try await Database.withNotes { (database) async throws in
      let told = Tally<String>()
      await #expect(throws: Fault.self) {
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: 1))
          tx.afterCommit { told.add("never") }
          throw Fault()
        }
      }
      try await database.transaction { tx in
        try await tx.execute(AddNote(id: 2))
        tx.afterCommit { told.add("first") }
        tx.afterCommit { told.add("second") }
        #expect(told.all == [])
      }
      #expect(told.all == ["first", "second"])
    }
  }
}

import Postgres
import Synchronization
import TestSupport
import Testing

@Suite("Transactions", .timeLimit(.minutes(5)))
struct TransactionTests {
  struct Refusal: Error, Equatable {}

  @Test("what a transaction did is there when its body returns")
  func commits() async throws {
    try await Database.withNotes { (database) async throws in
      let count = try await database.transaction { tx in
        try await tx.execute(AddNote(id: 1))
        try await tx.execute(AddNote(id: 2, parent: 1))
        return try await tx.rows(NoteIDs()).count
      }
      #expect(count == 2)
      #expect(try await database.rows(NoteIDs()) == [1, 2])
    }
  }

  @Test("nothing of a transaction remains when its body throws, and the caller gets what was thrown")
  func rollsBack() async throws {
    try await Database.withNotes { (database) async throws in
      await #expect(throws: Refusal()) {
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: 1))
          throw Refusal()
        }
      }
      #expect(try await database.rows(NoteIDs()) == [])
    }
  }

  @Test("what is to happen after the commit happens then, in order, and not after a rollback")
  func afterCommit() async throws {
    try await Database.withNotes { (database) async throws in
      let seen = Mutex<[String]>([])
      try await database.transaction { tx in
        tx.afterCommit { seen.withLock { $0.append("first") } }
        try await tx.execute(AddNote(id: 1))
        tx.afterCommit { seen.withLock { $0.append("second") } }
        #expect(seen.withLock { $0 } == [])
      }
      #expect(seen.withLock { $0 } == ["first", "second"])
      await #expect(throws: Refusal()) {
        try await database.transaction { tx in
          tx.afterCommit { seen.withLock { $0.append("third") } }
          throw Refusal()
        }
      }
      _ = await #expect(throws: PostgresError.self) {
        try await database.transaction { tx in
          tx.afterCommit { seen.withLock { $0.append("fourth") } }
          try await tx.execute(AddNote(id: 2, parent: 9))
        }
      }
      #expect(seen.withLock { $0 } == ["first", "second"])
    }
  }

  @Test("queued statements run before the next one or the commit, in order, and their rows come after the commit")
  func queued() async throws {
    try await Database.withNotes { (database) async throws in
      let seen = Mutex<[Int64]>([])
      try await database.transaction { tx in
        tx.queue(AddNote(id: 1))
        tx.queue(AddNote(id: 2, parent: 1))
        let ids = try await tx.rows(NoteIDs())
        #expect(ids == [1, 2])
        tx.queue(AddNote(id: 3, parent: 2))
        tx.queue(NoteIDs()) { ids in seen.withLock { $0 = ids } }
        #expect(seen.withLock { $0 } == [])
      }
      #expect(seen.withLock { $0 } == [1, 2, 3])
      try await database.transaction { $0.queue(AddNote(id: 4)) }
      #expect(try await database.rows(NoteIDs()) == [1, 2, 3, 4])
    }
  }

  @Test(
    "the failure of a queued statement is that of the transaction, of which nothing remains", arguments: [false, true])
  func queuedFails(isNextToLast: Bool) async throws {
    try await Database.withNotes { (database) async throws in
      let seen = Mutex(false)
      let error = await #expect(throws: PostgresError.self) {
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: 1))
          tx.queue(AddNote(id: 1))
          tx.queue(NoteIDs()) { _ in seen.withLock { $0 = true } }
          if isNextToLast { try await tx.execute(AddNote(id: 2)) }
        }
      }
      #expect(error?.sqlState == .uniqueViolation)
      #expect(!seen.withLock { $0 })
      // On all connections, the one of the failure included.
      for id in Int64(10)..<20 { try await database.transaction { try await $0.execute(AddNote(id: id)) } }
      #expect(try await database.rows(NoteIDs()) == Array(10..<20))
    }
  }

  @Test("what is queued does not run when the body throws")
  func queuedThenThrows() async throws {
    try await Database.withNotes { (database) async throws in
      await #expect(throws: Refusal()) {
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: 1))
          tx.queue(AddNote(id: 2))
          throw Refusal()
        }
      }
      #expect(try await database.rows(NoteIDs()) == [])
    }
  }

  @Test("two statements that go together run one after the other, and both give their rows")
  func together() async throws {
    try await Database.withNotes { (database) async throws in
      let (squares, ids) = try await database.transaction { tx in
        _ = try await tx.rows(AddNote(id: 1), AddNote(id: 2, parent: 1))
        return try await tx.rows(Square(number: 3), NoteIDs())
      }
      #expect(squares == [9])
      #expect(ids == [1, 2])
    }
  }

  @Test("of two statements that go together the first one's failure is what is thrown, and the second does not run")
  func firstOfTwoFails() async throws {
    try await Database.withNotes { (database) async throws in
      try await database.transaction { try await $0.execute(AddNote(id: 1)) }
      let error = await #expect(throws: PostgresError.self) {
        try await database.transaction { _ = try await $0.rows(AddNote(id: 1), AddNote(id: 2)) }
      }
      #expect(error?.constraint == "notes_pkey")
      let unsent = await #expect(throws: PostgresError.self) {
        try await database.transaction { _ = try await $0.rows(PutNote(id: 3, text: "a\0b"), AddNote(id: 4)) }
      }
      #expect(unsent?.kind == .parameter)
      #expect(try await database.rows(NoteIDs()) == [1])
    }
  }

  @Test("statements of one type that go together run in their order, however many, and each gives its rows")
  func manyTogether() async throws {
    try await Database.withNotes { (database) async throws in
      let (squares, none) = try await database.transaction { tx in
        try await tx.rows(each: (1...250).map { AddNote(id: $0) })
        return (
          try await tx.rows(each: (1...250).map { Square(number: $0) }), try await tx.rows(each: [Square]())
        )
      }
      #expect(squares == (1...250).map { [$0 * $0] })
      #expect(none.isEmpty)
      #expect(try await database.rows(NoteIDs()) == Array(1...250))
    }
  }

  @Test(
    "of many statements that go together the failure of one is what is thrown, wherever it stands, and nothing stays",
    arguments: [0, 1, 98, 99, 100, 149])
  func oneOfManyFails(place: Int) async throws {
    try await Database.withNotes { (database) async throws in
      try await database.transaction { try await $0.execute(AddNote(id: 1_000)) }
      let error = await #expect(throws: PostgresError.self) {
        try await database.transaction { tx in
          try await tx.rows(each: (0..<150).map { AddNote(id: $0 == place ? 1_000 : $0) })
        }
      }
      #expect(error?.constraint == "notes_pkey")
      let unsent = await #expect(throws: PostgresError.self) {
        try await database.transaction { tx in
          try await tx.rows(each: (0..<150).map { PutNote(id: $0, text: $0 == place ? "a\0b" : "text") })
        }
      }
      #expect(unsent?.kind == .parameter)
      #expect(try await database.rows(NoteIDs()) == [1_000])
    }
  }

  @Test("a body that swallows a statement's failure cannot commit")
  func swallowed() async throws {
    try await Database.withNotes { (database) async throws in
      let error = await #expect(throws: PostgresError.self) {
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: 1))
          _ = try? await tx.execute(AddNote(id: 1))
        }
      }
      #expect(error?.sqlState == "25P02")
      #expect(try await database.rows(NoteIDs()) == [])
    }
  }

  @Test("a constraint that fails at the commit fails the transaction")
  func failsAtCommit() async throws {
    try await Database.withNotes { (database) async throws in
      let error = await #expect(throws: PostgresError.self) {
        try await database.transaction { try await $0.execute(AddNote(id: 1, parent: 9)) }
      }
      #expect(error?.constraint == "notes_parent_fkey")
    }
  }

  @Test("a cancelled transaction stops its running statement, rolls back and frees its connection")
  func cancelled() async throws {
    try await Database.withNotes({ $0.transactionsPerLoop = 2 }) { (database) async throws in
      try await database.transaction { holder in
        try await holder.execute(TakeLock(lock: 1))
        let waiter = Task(executorPreference: loops.executors[0]) {
          try await database.transaction { tx in
            try await tx.execute(AddNote(id: 1))
            try await tx.execute(WaitForLock(lock: 1))
          }
        }
        try await until { try await holder.first(LockWaiters(lock: 1)) == 1 }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(try await holder.first(LockWaiters(lock: 1)) == 0)
        try await database.transaction { try await $0.execute(AddNote(id: 2)) }
      }
      #expect(try await database.rows(NoteIDs()) == [2])
    }
  }

  @Test("more transactions than connections wait for their turn")
  func waitTheirTurn() async throws {
    try await Database.withNotes { (database) async throws in
      let outcomes = await burst(of: 0..<50) { number in
        try await database.transaction { tx in
          try await tx.execute(AddNote(id: number))
          return try await tx.first(Square(number: number))
        }
      }
      #expect(outcomes.allSatisfy { number, outcome in (try? outcome.get()) == number * number })
      #expect(try await database.rows(NoteIDs()).count == 50)
    }
  }

  @Test("a transaction for which no connection becomes free is refused as overload")
  func leaseTimeout() async throws {
    try await Database.withNotes({
      $0.transactionsPerLoop = 1
      $0.leaseTimeout = .milliseconds(50)
    }) { (database) async throws in
      try await database.transaction { tx in
        try await tx.execute(AddNote(id: 1))
        let error = await #expect(throws: PostgresError.self) {
          try await database.transaction { try await $0.execute(AddNote(id: 2)) }
        }
        #expect(error?.isOverloaded == true)
      }
    }
  }

  @Test("a transaction waiting for a connection can be cancelled")
  func cancelledWaiter() async throws {
    try await Database.withNotes({ $0.transactionsPerLoop = 1 }) { (database) async throws in
      try await database.transaction { tx in
        try await tx.execute(AddNote(id: 1))
        let waiter = Task(executorPreference: loops.executors[0]) {
          try await database.transaction { try await $0.execute(AddNote(id: 2)) }
        }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
      }
      #expect(try await database.rows(NoteIDs()) == [1])
    }
  }

  @Test("a transaction handle is of no use after its body")
  func escaped() async throws {
    try await Database.withNotes { (database) async throws in
      let escaped = try await database.transaction { tx in
        try await tx.execute(AddNote(id: 1))
        return tx
      }
      let error = await #expect(throws: PostgresError.self) { try await escaped.execute(AddNote(id: 2)) }
      #expect(error?.sqlState == "25000")
    }
  }

  @Test(
    "a transaction sees its isolation level",
    arguments: [
      (Isolation.readCommitted, "read committed"), (.repeatableRead, "repeatable read"),
      (.serializable, "serializable"),
    ])
  func isolation(_ level: Isolation, _ name: String) async throws {
    try await Database.withNotes { (database) async throws in
      let seen = try await database.transaction(isolation: level) { try await $0.first(CurrentIsolation()) }
      #expect(seen == name)
    }
  }
}

struct CurrentIsolation: SingleRowStatement {
  typealias Row = String
  static let sql = "select current_setting('transaction_isolation')"
}

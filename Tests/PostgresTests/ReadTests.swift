import LoopExecutor
import Postgres
import TestSupport
import Testing

@Suite("Reads", .timeLimit(.minutes(5)))
struct ReadTests {
  @Test("a thousand concurrent reads each get their own answer")
  func thousandReads() async throws {
    try await Database.withNotes { (database) async throws in
      let right = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<1000 as Range<Int64> {
          group.addTask(executorPreference: loops.executors[Int(number % 2)]) {
            try await database.first(Square(number: number)) == number * number
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(right == 1000)
    }
  }

  @Test("a read from a thread that is no event loop is answered")
  func offLoop() async throws {
    try await Database.withNotes { (database) async throws in
      let answer = try await Task(executorPreference: globalConcurrentExecutor) {
        try await database.first(Square(number: 12))
      }.value
      #expect(answer == 144)
    }
  }

  @Test("a failing statement in a burst fails only its caller")
  func failingNeighbour() async throws {
    try await Database.withNotes { (database) async throws in
      let outcomes = await burst(of: 0..<300) { number in
        number % 100 == 50
          ? try await database.first(Inverse(number: 0)) : try await database.first(Square(number: number))
      }
      for (number, outcome) in outcomes {
        switch outcome {
        case .success(let square): #expect(square == number * number)
        case .failure(let error):
          #expect(number % 100 == 50)
          #expect((error as? PostgresError)?.sqlState == "22012")
        }
      }
      #expect(outcomes.count { if case .failure = $0.value { true } else { false } } == 3)
    }
  }

  @Test("a statement that cannot be prepared fails its callers, each time, and nobody else")
  func failingPreparation() async throws {
    try await Database.withNotes { (database) async throws in
      for _ in 0..<3 {
        let outcomes = await burst(of: 0..<20) { number in
          if number % 5 == 0 { return try await database.rows(Nonsense()).isEmpty ? nil : 0 }
          return try await database.first(Square(number: number))
        }
        for (number, outcome) in outcomes {
          switch outcome {
          case .success(let square): #expect(square == number * number)
          case .failure(let error): #expect((error as? PostgresError)?.sqlState == "42601")
          }
        }
      }
    }
  }

  @Test("a statement that writes is refused as a read, because reads are answered before they commit")
  func readOnly() async throws {
    try await Database.withNotes { (database) async throws in
      let error = await #expect(throws: PostgresError.self) { try await database.rows(AddNote(id: 1)) }
      #expect(error?.sqlState == "25006")
    }
  }

  @Test("a result larger than a socket's buffers arrives whole, and so does a parameter")
  func large() async throws {
    try await Database.withNotes { (database) async throws in
      let bytes = [UInt8](repeating: 7, count: 8_000_000)
      #expect(try await database.first(Echo(value: bytes)) == bytes)
    }
  }

  @Test("a column of another type than the row expects is an error that names it")
  func columnType() async throws {
    try await Database.withNotes { (database) async throws in
      let error = await #expect(throws: PostgresError.self) { try await database.rows(Mismatched()) }
      #expect(error?.kind == .column)
      #expect(error?.message.contains("answer") == true)
    }
  }

  @Test("beyond the queue's bound a read is refused as overload and the others are answered")
  func queueBound() async throws {
    try await Database.withNotes({ $0.queueLimit = 10 }) { (database) async throws in
      let outcomes = await burst(of: 0..<30) { try await database.first(Square(number: $0)) }
      let refused = outcomes.values.filter { if case .failure = $0 { true } else { false } }
      #expect(refused.count == 20)
      for case .failure(let error) in refused { #expect((error as? PostgresError)?.isOverloaded == true) }
    }
  }

  @Test("a cancelled reader is told at once although its statement runs on")
  func cancelledRead() async throws {
    try await Database.withNotes { (database) async throws in
      try await database.transaction { tx in
        try await tx.execute(TakeLock(lock: 1))
        let reader = Task(executorPreference: loops.executors[0]) { try await database.rows(WaitForLock(lock: 1)) }
        try await until { try await tx.first(LockWaiters(lock: 1)) == 1 }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
      }
      #expect(try await database.first(Square(number: 2)) == 4)
    }
  }

  @Test("a reader that was cancelled before it asked is told so")
  func cancelledBefore() async throws {
    try await Database.withNotes { (database) async throws in
      let reader = Task(executorPreference: loops.executors[0]) {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await database.rows(Square(number: 1))
      }
      await #expect(throws: CancellationError.self) { try await reader.value }
    }
  }
}

struct Mismatched: Statement {
  typealias Row = Int64
  static let sql = "select now() as answer"
}

/// Runs `work` for all of `numbers` at once on one loop, so that they share bursts.
func burst(
  of numbers: Range<Int64>, _ work: @escaping @Sendable (Int64) async throws -> Int64?
) async -> [Int64: Result<Int64?, any Error>] {
  await withTaskGroup(of: (Int64, Result<Int64?, any Error>).self) { group in
    for number in numbers {
      group.addTask(executorPreference: loops.executors[0]) {
        do { return (number, .success(try await work(number))) } catch { return (number, .failure(error)) }
      }
    }
    return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
  }
}

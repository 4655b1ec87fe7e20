import LoopExecutor
import Postgres
import TestSupport
import Testing

@Suite("Reads")
struct ReadTests {
  @Test("a thousand concurrent reads each get their own answer")
  func thousandReads() async throws {
    try await Database.with(try TestCluster.shared().url) { database in
      let sum = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<1000 as Range<Int64> {
          group.addTask(executorPreference: loops.executors[Int(number % 2)]) {
            try await database.first(Square(number: number)) == number * number
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(sum == 1000)
    }
  }
}

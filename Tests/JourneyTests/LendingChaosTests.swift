import Environment
import Foundation
import LendingDomain
import LoopExecutor
import TTRPC
import TandemCatalog
import TestSupport
import Testing

/// Owners and borrowers who act at random, and delete their accounts, while lending, the catalog and the database server are killed.
///
/// `make chaos` runs the same with more books, steps and kills; `CHAOS_SEED` repeats a run's choices.
@Suite("loans while everything is killed", .ownThreads, .serialized, .timeLimit(.minutes(60)))
struct LendingChaosTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private let bookCount = number("CHAOS_BOOKS", 20)
  private let stepsOfEach = number("CHAOS_STEPS", 60)
  private let users = number("CHAOS_PEOPLE", 4)
  private let stepsToDeparture = number("CHAOS_DEPARTURE", 40)
  private let kills = number("CHAOS_LOAN_KILLS", 4)
  private let seed = UInt64(number("CHAOS_SEED", 1))

  private static let isbn = "9780441172719"

  @Test("[LE-13] [LE-15] no impossible step, no book with two holders, no lost acknowledgement, and the catalog agrees")
  func killed() async throws {
    let cluster = try PrivateCluster.start()
    try await TestDatabase.with(ThreeServices.schemas, at: cluster.url) { database in
      let services = try KillableServices(database, on: cluster)
      defer { services.end() }
      let loops = LoopGroup(threads: 1)
      let suite = ThreeServices(
        database: database, identity: try services.client(of: "identity", on: loops),
        catalog: try services.client(of: "catalog", on: loops), lending: try services.client(of: "lending", on: loops))
      print("chaos: \(users) people, \(bookCount) books, \(stepsOfEach) steps each, \(kills) kills, seed \(seed)")
      var members: [ThreeServices.Member] = []
      for number in 0..<users { members.append(try await suite.joinPatiently("reader\(number)")) }
      let (books, departed) = (Gathered<String>(), Gathered<String>())
      for number in 0..<bookCount {
        books.add(try await suite.add("Book \(number)", isbn: Self.isbn, as: members[number % users]).bookID)
      }
      let (acknowledged, surprises) = (Gathered<LoanActor.Acknowledgement>(), Gathered<String>())
      let finished = Gathered<Int>()
      try await withThrowingTaskGroup { group in
        for (number, member) in members.enumerated() {
          let actor = LoanActor(
            suite: suite, chance: SeededRandomness(seed: seed &+ UInt64(number)), books: books, departed: departed,
            stepsToDeparture: stepsToDeparture, isbn: Self.isbn, acknowledged: acknowledged, surprises: surprises)
          group.addTask {
            try await actor.act(stepsOfEach, as: member)
            finished.add(number)
          }
        }
        let chance = SeededRandomness(seed: seed &+ 1_000)
        for kill in 0..<kills {
          // Spread over the acknowledgements: each comes once enough was done since the one before, or as soon as no user acts any more.
          let due = users * stepsOfEach * (kill + 1) / (kills + 1) / 3
          try await suite.waits(until: { acknowledged.all.count >= due || finished.all.count == users })
          try services.kill(KillableServices.Part.allCases[Int(chance.uint64() % 3)])
        }
        try await group.waitForAll()
      }
      #expect(surprises.all.isEmpty, "seed \(seed): \(surprises.all.prefix(5))")
      #expect(acknowledged.all.count > users, "seed \(seed)")
      print("chaos: \(acknowledged.all.count) steps were acknowledged")
      print("chaos: \(departed.all.count) accounts were deleted")
      let isSettled = try await eventually { try await suite.sql(LoanLedger.unsettled).isEmpty }
      #expect(isSettled, "seed \(seed): users who deleted their accounts are not cleaned up, or a loan waits for one")
      let complaints = try await LoanLedger(suite).complaints(acknowledged.all, departed: Set(departed.all))
      #expect(complaints.isEmpty, "seed \(seed): \(complaints.prefix(10))")
      let agrees = try await eventually { try await suite.sql(LoanLedger.disagreements).isEmpty }
      let disagreements = agrees ? [] : try await suite.sql(LoanLedger.disagreements)
      #expect(agrees, "seed \(seed): \(disagreements.prefix(10))")
      try await suite.expectInvariants(of: ["identity", "catalog", "lending"], "seed \(seed)")
      for client in [suite.identity, suite.catalog, suite.lending] { await client.close() }
      try await loops.shutdown()
    }
  }
}

extension ThreeServices {
  /// Waits for a state for as long as it takes others to act, a minute at most.
  fileprivate func waits(until condition: () -> Bool) async throws {
    _ = try await eventually { condition() }
  }
}

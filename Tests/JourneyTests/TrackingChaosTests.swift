import Environment
import Foundation
import LoopExecutor
import TTRPC
import TTRPCClient
import TandemTracking
import TestSupport
import Testing

/// Users in SOS who report positions, and viewers who watch them, while two replicas of tracking and the database server are killed.
///
/// `make chaos` runs the same with more users, reports and kills; `CHAOS_SEED` repeats a run's choices.
@Suite("positions while everything is killed", .ownThreads, .serialized, .timeLimit(.minutes(60)))
struct TrackingChaosTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private let reporters = number("CHAOS_REPORTERS", 3)
  private let viewers = number("CHAOS_VIEWERS", 2)
  private let steps = number("CHAOS_STEPS_WALKED", 300)
  private let kills = number("CHAOS_TRACKING_KILLS", 4)
  private let seed = UInt64(number("CHAOS_SEED", 1))

  private static let replicas = ["tracking", "tracking#2"]

  @Test("[TR-2] [TR-4] [TR-11] what was acknowledged is stored once, and every viewer sees it once and in order")
  func killed() async throws {
    let cluster = try PrivateCluster.start()
    try await TestDatabase.with(TrackingSuite.schemas, at: cluster.url) { database in
      let services = try KillableServices(database, on: cluster, ["identity"] + Self.replicas)
      defer { services.end() }
      let loops = LoopGroup(threads: 1)
      let identity = try services.client(of: "identity", on: loops)
      let clients = try Self.replicas.map { try services.client(of: $0, on: loops) }
      print("chaos: \(reporters) reporters of \(steps) steps, \(viewers) viewers, \(kills) kills, seed \(seed)")
      let suite = TrackingSuite(
        users: ThreeServices(database: database, identity: identity, catalog: identity, lending: identity),
        identityPort: try #require(services.ports["identity"]), certificates: services.certificates)
      var members: [ThreeServices.Member] = []
      for number in 0..<(reporters + viewers) { members.append(try await suite.users.joinPatiently("walker\(number)")) }
      let groups = [try await suite.group(of: members), try await suite.group(of: members)]
      for client in clients {
        for group in groups {
          try await suite.wait(for: LocationsClient(client), toShow: members.count, of: group, to: members[0])
        }
      }
      let stage = TrackingStage(suite: suite, replicas: clients, groups: groups)
      try await run(stage, members, services)
      for client in clients + [identity] { await client.close() }
      try await loops.shutdown()
    }
  }

  private func run(
    _ stage: TrackingStage, _ members: [ThreeServices.Member], _ services: KillableServices
  ) async throws {
    let began = ContinuousClock.now
    var first = members[0]
    let start = try await numbers(of: stage, &first)
    let seen = try await withThrowingTaskGroup(of: [SeenChange]?.self) { tasks in
      for viewer in 0..<viewers {
        tasks.addTask {
          try await stage.watch(
            as: members[reporters + viewer], behind: start, SeededRandomness(seed: seed &+ 500 &+ UInt64(viewer)))
        }
      }
      try await walk(stage, members, services)
      stage.ends.add(try await numbers(of: stage, &first))
      // One more change, for viewers who have seen all others.
      _ = try await stage.patiently(&first, SeededRandomness(seed: seed)) {
        try await JourneysClient($0).stopSOS(StopSOSRequest(), $1)
      }
      return try await tasks.reduce(into: [[SeenChange]]()) { if let seen = $1 { $0.append(seen) } }
    }
    let batches = stage.acknowledged.all
    let ledger = TrackingLedger(
      users: stage.suite.users, groups: stage.groups, acknowledged: Set(batches.joined()),
      visible: Set(batches.compactMap(\.last)), ends: stage.ends.all.first ?? [:])
    #expect(stage.surprises.all.isEmpty, "seed \(seed): \(stage.surprises.all.prefix(5))")
    #expect(ledger.acknowledged.count == reporters * steps, "seed \(seed)")
    var complaints = try await ledger.complaintsOfStore()
    let log = try await ledger.log()
    for (viewer, changes) in seen.enumerated() {
      complaints += ledger.complaints(of: viewer, changes, behind: start, log: log)
    }
    #expect(complaints.isEmpty, "seed \(seed): \(complaints.prefix(10))")
    try await stage.suite.users.expectInvariants(of: ["identity", "tracking"], "seed \(seed)")
    print("chaos: \(ledger.acknowledged.count) positions in \(batches.count) reports were acknowledged")
    print(
      "chaos: \(seen.map(\.count).reduce(0, +)) changes were seen, \(stage.interruptions.all.count) calls interrupted")
    print("chaos: \(kills) kills in \(ContinuousClock.now - began)")
  }

  /// Lets all reporters walk, and kills something again and again, spread over what they report.
  private func walk(
    _ stage: TrackingStage, _ members: [ThreeServices.Member], _ services: KillableServices
  ) async throws {
    let finished = Gathered<Int>()
    try await withThrowingTaskGroup { tasks in
      for reporter in 0..<reporters {
        tasks.addTask {
          try await stage.walk(
            steps, as: members[reporter], SeededRandomness(seed: seed &+ UInt64(reporter)),
            streaming: reporter % 2 == 0 ? .calls : .stream)
          finished.add(reporter)
        }
      }
      let chance = SeededRandomness(seed: seed &+ 1_000)
      for kill in 0..<kills {
        // Reports have three positions on average.
        let due = reporters * steps * (kill + 1) / (kills + 1) / 3
        try await until("enough was reported for the next kill") {
          stage.acknowledged.all.count >= due || finished.all.count == reporters
        }
        let place = Int(chance.uint64() % 3)
        if place < Self.replicas.count {
          try services.restart(Self.replicas[place])
        } else {
          try services.restartDatabase()
        }
      }
      try await tasks.waitForAll()
    }
  }

  /// The last number of each group.
  private func numbers(of stage: TrackingStage, _ member: inout ThreeServices.Member) async throws -> [String: Int64] {
    let answer = try await stage.patiently(&member, SeededRandomness(seed: seed)) {
      try await LocationsClient($0).getMembers(GetMembersRequest(groupIds: stage.groups), $1)
    }
    return Dictionary(answer.groups.map { ($0.groupID, $0.sequence) }) { $1 }
  }
}

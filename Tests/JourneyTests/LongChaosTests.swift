import Environment
import Foundation
import ImporterStore
import LoopExecutor
import MatchingStore
import Postgres
import TTRPC
import TTRPCClient
import TandemChat
import TandemTracking
import TestSupport
import Testing
import TrackerSimulator
import TrackingStore

/// Everything at once: accounts, groups, loans, sessions, positions, chat and imports against two replicas of each service, while services
/// and the database server are killed; in the end one look at everything.
///
/// `make chaos LONG=1` runs it, for 80 minutes; `CHAOS_SEED` repeats a run's choices.
@Suite(
  "everything at once while everything is killed", .ownThreads, .serialized, .timeLimit(.minutes(130)),
  .enabled(if: LongRun.minutes != nil, "make chaos LONG=1 runs it"))
struct LongChaosTests {
  /// A run of so long must have killed, and have had acknowledged, so much (29 C3).
  private static let (wholeMinutes, fewestKills, fewestWrites) = (80, 1_000, 10_000_000)

  private let seed = UInt64(LongRun.number("CHAOS_SEED") ?? 1)
  /// Milliseconds between two kills, on average.
  private let killInterval = LongRun.number("CHAOS_KILL_INTERVAL_MS") ?? 3_000
  /// For the whole, with its beginning and the checks: a quarter of it is theirs, at most a quarter of an hour.
  private var duration: Duration {
    let whole = (LongRun.minutes ?? 1) * 60
    return .seconds(whole - min(whole / 4, 900))
  }

  @Test("29 C3: nothing acknowledged is lost or doubled, and every invariant holds, whatever is killed")
  func killed() async throws {
    let cluster = try PrivateCluster.start()
    try await TestDatabase.with(LongSuite.schemas, at: cluster.url) { database in
      try await TrackerSimulator.with { simulator in
        simulator.setStrava(pages: ImportActor.pages, of: ImportActor.pageSize, delay: .milliseconds(30))
        simulator.setOwnSubjects()
        let suite = try LongSuite(database, on: cluster, simulator)
        defer { suite.services.end() }
        let run = LongRun(duration)
        LongRun.say("all mixes for \(duration), a kill every \(killInterval) ms, seed \(seed)")
        let cast = try await LongCast(suite, run, simulator, seed: seed)
        LongRun.say("users have joined: \(run.summary)")
        try await withThrowingTaskGroup { tasks in
          tasks.addTask { try await cast.play() }
          tasks.addTask { try await tell(cast) }
          tasks.addTask { try await tidy(run, database.url) }
          try await kill(suite.services, run)
          try await tasks.waitForAll()
        }
        cast.count()
        LongRun.say("users have stopped: \(run.summary)")
        if (LongRun.minutes ?? 0) >= Self.wholeMinutes {
          #expect(run.kills >= Self.fewestKills && run.writes >= Self.fewestWrites, "seed \(seed): too little was done")
        }
        try await check(cast)
        await suite.close()
      }
    }
  }

  /// Kills one of them after the other until users stop: in one of ten cases the database server.
  private func kill(_ services: KillableServices, _ run: LongRun) async throws {
    let chance = SeededRandomness(seed: seed)
    while try await run.pause(.milliseconds(killInterval / 2 + Int(chance.uint64() % UInt64(killInterval)))) {
      let isDatabase = chance.uint64() % 10 == 0
      let service = LongSuite.replicas[Int(chance.uint64() % UInt64(LongSuite.replicas.count))]
      if isDatabase { try services.restartDatabase() } else { try services.restart(service) }
      run.kill(isDatabase ? "database" : service)
    }
  }

  /// Prints figures twice a minute.
  private func tell(_ cast: LongCast) async throws {
    while try await cast.run.pause(.seconds(30)) {
      cast.count()
      LongRun.say(cast.run.summary)
    }
  }

  /// Does what the server of tests leaves out, as one test is too short to need it, and every other server does by itself.
  private func tidy(_ run: LongRun, _ database: String) async throws {
    while try await run.pause(.seconds(60)) {
      // The server may be killed meanwhile.
      do {
        _ = try await Administration.session(database) { try $0.run("vacuum (analyze, skip_locked)") }
      } catch is PostgresError {}
    }
  }

  private func check(_ cast: LongCast) async throws {
    let begin = ContinuousClock.now
    let waiting = try await cast.settle()
    #expect(waiting.isEmpty, "seed \(seed): this does not end or agree: \(waiting.prefix(10))")
    LongRun.say("everything has ended, after \(ContinuousClock.now - begin)")
    #expect(cast.run.surprises.all.isEmpty, "seed \(seed): \(cast.run.surprises.all.prefix(10))")
    for (mix, complaints) in try await cast.complaints() {
      LongRun.say("\(mix): \(complaints.count) complaints")
      #expect(complaints.isEmpty, "seed \(seed), \(mix): \(complaints.count), \(complaints.prefix(10))")
    }
    let services = ["identity", "matching", "catalog", "lending", "tracking", "importer"]
    try await cast.suite.threes[0].expectInvariants(of: services, "seed \(seed)")
    LongRun.say("everything was checked, after \(ContinuousClock.now - begin)")
  }
}

/// Two replicas of each service, and clients of each replica.
final class LongSuite {
  static let services = ["identity", "matching", "catalog", "lending", "tracking", "importer"]
  static let replicas = services.flatMap { [$0, "\($0)#2"] }
  static let schemas =
    ThreeServices.schemas + [
      TestSchema(MatchingSchema.name, MatchingSchema.migrations),
      TestSchema(TrackingSchema.name, TrackingSchema.migrations),
      TestSchema(ImporterSchema.name, ImporterSchema.migrations),
    ]

  let services: KillableServices
  /// The first replicas and the second ones.
  let threes: [ThreeServices]
  let matching: [RPCClient]
  let operators: [RPCClient]
  let tracking: [RPCClient]
  let importer: [RPCClient]
  private let loops = LoopGroup(threads: 2)

  init(_ database: TestDatabase, on cluster: PrivateCluster, _ simulator: TrackerSimulator) throws {
    let services = try KillableServices(
      database, on: cluster, Self.replicas, lifetime: .seconds(6 * 3_600),
      more: [
        "tracking": ["--chat-lease", "5s"],
        "importer": simulator.arguments(["strava"]) + ["--jobs-look-interval", "100ms"],
      ])
    self.services = services
    let loops = loops
    func clients(of service: String, as caller: String? = nil) throws -> [RPCClient] {
      try ["", "#2"].map { try services.client(of: service + $0, as: caller, on: loops) }
    }
    let (identity, catalog, lending) = try (
      clients(of: "identity"), clients(of: "catalog"), clients(of: "lending")
    )
    threes = (0..<2).map {
      ThreeServices(
        database: database, identity: identity[$0], catalog: catalog[$0], lending: lending[$0],
        patience: .seconds(1_800))
    }
    matching = try clients(of: "matching")
    operators = try clients(of: "matching", as: "operator")
    tracking = try clients(of: "tracking")
    importer = try clients(of: "importer")
  }

  func close() async {
    for client in threes.flatMap({ [$0.identity, $0.catalog, $0.lending] }) + matching + operators + tracking + importer
    {
      await client.close()
    }
    // The loops end with the process.
    do { try await loops.shutdown() } catch { LongRun.say("\(error)") }
  }
}

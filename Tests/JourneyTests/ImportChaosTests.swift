import FileUploads
import Foundation
import Identifiers
import ImporterStore
import LoopExecutor
import Synchronization
import TTRPC
import TTRPCClient
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

/// Users who connect a tracker, import again and again and upload files, while the importer is killed.
///
/// `make chaos` runs the same with more users, pages, files and kills; `CHAOS_SEED` repeats a run's choices.
@Suite("imports while the importer is killed", .ownThreads, .serialized, .timeLimit(.minutes(60)))
struct ImportChaosTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private let users = number("CHAOS_PEOPLE", 3)
  private let pages = number("CHAOS_PAGES", 4)
  private let files = number("CHAOS_FILES", 4)
  private let imports = number("CHAOS_IMPORTS", 2)
  private let kills = number("CHAOS_IMPORT_KILLS", 3)
  private let seed = UInt64(number("CHAOS_SEED", 1))

  private static let pageSize = 5

  @Test(
    "[IM-4] [IM-8] [IM-10] every activity is there exactly once, no page is lost or repeated, and every import ends")
  func killed() async throws {
    let schemas = ThreeServices.schemas + [TestSchema(ImporterSchema.name, ImporterSchema.migrations)]
    try await TestDatabase.with(schemas) { database in
      try await TrackerSimulator.with { simulator in
        simulator.setStrava(pages: pages, of: Self.pageSize, delay: .milliseconds(30))
        simulator.setOwnSubjects()
        let (certificates, port) = (try SuiteCertificates(), try FreePort.take())
        try await ThreeServices.run(on: database, certificates, besides: ["importer": port]) { three, addresses in
          let importer = KillableImporter(
            database: database,
            arguments: try certificates.settings(of: "importer") + addresses + simulator.arguments(["strava"])
              + ["--listen", "127.0.0.1:\(port)"])
          try importer.start()
          defer { importer.stop() }
          let loops = LoopGroup(threads: 1)
          let client = RPCClient(
            host: "127.0.0.1", port: port, security: try certificates.client(of: "importer"), on: loops.executors[0])
          try await act(three, ImportingUser(importer: client, simulator: simulator), importer)
          try await check(three, simulator)
          await client.close()
          try await loops.shutdown()
        }
      }
    }
  }

  private func act(_ three: ThreeServices, _ user: ImportingUser, _ importer: KillableImporter) async throws {
    print(
      "chaos: \(users) users, \(pages) pages, \(files) files, \(imports) imports each, \(kills) kills, seed \(seed)")
    var members: [ThreeServices.Member] = []
    for number in 0..<users { members.append(try await three.join("runner\(number)")) }
    let killed = Gathered<Int>()
    try await withThrowingTaskGroup { group in
      for member in members {
        group.addTask {
          try await user.connect(member.token)
          var round = 0
          // Users go on until the last kill, so that each kill finds imports under way.
          while round < max(imports, files) || killed.all.count < kills {
            if round < files { try await user.upload(UploadedOuting.gpx(round), member.token) }
            if round < imports || round >= files { try await user.importAgain(member.token) }
            round += 1
          }
        }
      }
      let chance = SeededRandomness(seed: seed)
      for number in 0..<kills {
        // Between two kills there is time for a start and some pages.
        try await Task.sleep(for: .milliseconds(700 + Int(chance.uint64() % 1_500)))
        try await importer.kill()
        killed.add(number)
      }
      try await group.waitForAll()
    }
    print("chaos: \(importer.kills) kills while \(users) users imported")
  }

  /// Looks at what is stored once everything has ended.
  private func check(_ three: ThreeServices, _ simulator: TrackerSimulator) async throws {
    let isSettled = try await eventually {
      let open = try await three.value(
        "select count(*) from importer.tracker_imports where state in ('GATHERING', 'IMPORTING')")
      let jobs = try await three.value("select count(*) from importer.jobs where kind like 'import_pages%'")
      return open == "0" && jobs == "0"
    }
    #expect(isSettled, "seed \(seed): an import does not end")
    let (fetched, uploaded) = (pages * Self.pageSize, files)
    let stored = try await three.sql(
      """
      select count(*) filter (where provider = 'strava'), count(*) filter (where provider = 'file'),
        count(distinct activity_id), count(distinct external_id)
      from importer.activity_sources group by user_id
      """)
    #expect(stored.count == users, "seed \(seed)")
    for row in stored {
      let both = "\(fetched + uploaded)"
      #expect(row == ["\(fetched)", "\(uploaded)", both, both], "seed \(seed): \(row)")
    }
    let ended = try await three.sql(
      "select state, activity_count from importer.tracker_imports where activity_count <> \(fetched) or state <> 'SUCCEEDED'"
    )
    #expect(ended.isEmpty, "seed \(seed): a page was lost, or stored twice: \(ended.prefix(5))")
    let repeated = try await three.sql(
      """
      select count(*) from importer.events where type like '%ActivityStored' group by payload having count(*) > 1
      """)
    #expect(repeated.isEmpty, "seed \(seed): an activity was told of twice")
    let told = try await three.value("select count(*) from importer.events where type like '%ActivityStored'")
    #expect(told == "\(users * (fetched + uploaded))", "seed \(seed)")
    try await three.expectInvariants(of: ["identity", "importer"], "seed \(seed)")
    let all = try await three.value("select count(*) from importer.tracker_imports")
    print(
      "chaos: \(all ?? "") imports, \(told ?? "") activities, \(simulator.requests("/athlete/activities").count) pages asked for"
    )
  }
}

/// The `importer` executable, which is killed and started again.
final class KillableImporter: Sendable {
  private struct State {
    var process: Process?
    var kills = 0
  }

  private let database: TestDatabase
  private let arguments: [String]
  private let launcher: [String]
  private let readers: Int
  private let state = Mutex(State())

  var kills: Int { state.withLock { $0.kills } }

  /// Whether the process that was started last has not ended by itself.
  var isRunning: Bool { state.withLock { $0.process?.isRunning == true } }

  /// - Parameters:
  ///   - launcher: a command, with its path, that starts the program; none by default.
  ///   - readers: files that are read at a time.
  init(database: TestDatabase, arguments: [String], launcher: [String] = [], readers: Int = 8) {
    (self.database, self.arguments, self.launcher, self.readers) = (database, arguments, launcher, readers)
  }

  func start() throws {
    let process = Process()
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("importer")
    process.executableURL = launcher.first.map { URL(fileURLWithPath: $0) } ?? program
    process.arguments =
      (launcher.isEmpty ? [] : launcher.dropFirst() + [program.path]) + arguments + [
        "--database-url", database.url(of: "importer"), "--seal-key", RunningService.sealKey, "--jobs-look-interval",
        "50ms", "--file-readers", "\(readers)", "--log-level",
        ProcessInfo.processInfo.environment["CHAOS_LOG"] ?? "critical",
      ]
    try Children.start { try process.run() }
    state.withLock { $0.process = process }
  }

  func stop() {
    guard let process = state.withLock({ $0.process }) else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Kills it as by `kill -9`, and starts it again. What it worked on is free at once, so that nothing waits for its lease to end.
  func kill() async throws {
    stop()
    state.withLock { $0.kills += 1 }
    // One after the other: what the killed process began may still hold some of them, and go on to others.
    for job in try await database.sql("select id from jobs where lease_until is not null", in: "importer") {
      let id = job.first.flatMap { $0 } ?? ""
      try await database.sql(
        "update jobs set lease_until = now() where id = '\(id)' and lease_until > now()", in: "importer")
    }
    try start()
  }
}

/// A user who repeats what a kill interrupted, as apps do.
struct ImportingUser: Sendable {
  let importer: RPCClient
  let simulator: TrackerSimulator

  private var trackers: TrackersClient { TrackersClient(importer) }

  /// Errors that say nothing about what became of the call.
  private static let interruptions: Set<Code> = [
    .unavailable, .unknown, .deadlineExceeded, .cancelled, .resourceExhausted, .internal,
  ]

  private func patiently<Answer: Sendable>(_ call: () async throws -> Answer) async throws -> Answer {
    while true {
      do { return try await call() } catch let status as Status where Self.interruptions.contains(status.code) {
        // The importer starts again, or does not know the token yet.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  private func options(_ token: String) -> CallOptions { .token(token, timeout: .seconds(20)) }

  func connect(_ token: String) async throws {
    while true {
      let start = try await patiently {
        try await trackers.startConnection(StartConnectionRequest(provider: "strava"), options(token))
      }
      let (state, code) = simulator.consent(to: start.authorizationURL)
      let call = CompleteConnectionRequest(state: state, code: code, requestID: UUID().uuidString)
      do {
        let tracker = try await patiently { try await trackers.completeConnection(call, options(token)) }
        return try await end(of: try #require(tracker.lastImport).importID, token)
      } catch let status as Status where status.code == .failedPrecondition {
        // The attempt was used up by a call that was killed: the app begins again.
      }
    }
  }

  func importAgain(_ token: String) async throws {
    let call = StartImportRequest(provider: "strava", requestID: UUID().uuidString)
    let begun = try await patiently { try await trackers.startImport(call, options(token)) }
    try await end(of: begun.importID, token)
  }

  private func end(of id: String, _ token: String) async throws {
    while true {
      let found = try await patiently {
        try await trackers.getImport(GetImportRequest(importID: id), options(token))
      }
      guard [.gathering, .importing].contains(found.state) else { return }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  func upload(_ file: [UInt8], _ token: String) async throws {
    _ = try await patiently {
      try await ActivitiesClient(importer).importFile(
        stride(from: 0, to: file.count, by: 500).map { start in Array(file[start..<min(start + 500, file.count)]) },
        options(token))
    }
  }
}

import FileUploads
import Foundation
import ImporterStore
import LoopExecutor
import TTRPC
import TTRPCClient
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

/// Files and answers that take much memory, all at once.
///
/// `Tests/Chaos/memory` runs the same with long recordings, and the importer in a control group of the size that docker-compose.yml gives it.
@Suite("imports that take much memory", .ownThreads, .serialized, .timeLimit(.minutes(30)))
struct ImportMemoryTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private let points = number("CHAOS_POINTS", 2_000)
  private let readers = number("CHAOS_READERS", 2)
  /// The file that moves a process into a control group; none without one.
  private let group = ProcessInfo.processInfo.environment["CHAOS_CGROUP_PROCS"]

  private static let users = 4
  private static let recordings = 4
  /// Bytes of the provider's answer.
  private static let answer = 8 << 20

  @Test(
    "[IM-6] [IM-10] A10 O-2: four users' zips of four recordings are all stored, beside a provider's answer of numbers")
  func files() async throws {
    let schemas = ThreeServices.schemas + [TestSchema(ImporterSchema.name, ImporterSchema.migrations)]
    try await TestDatabase.with(schemas) { database in
      try await TrackerSimulator.with { simulator in
        simulator.setOwnSubjects()
        let numbers = "[" + String(repeating: "0,", count: Self.answer / 2 - 2) + "0]"
        // The page behind it has none, and is the last.
        simulator.answer("/strava/api/v3/athlete/activities") { request in
          .json(request.query["page"] == "1" ? numbers : "[]")
        }
        let (certificates, port) = (try SuiteCertificates(), try FreePort.take())
        try await ThreeServices.run(on: database, certificates, besides: ["importer": port]) { three, addresses in
          let importer = KillableImporter(
            database: database,
            arguments: try certificates.settings(of: "importer") + addresses + simulator.arguments(["strava"])
              + ["--listen", "127.0.0.1:\(port)"],
            launcher: group.map { ["/bin/sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", $0] } ?? [], readers: readers)
          try importer.start()
          defer { importer.stop() }
          let loops = LoopGroup(threads: 1)
          let client = RPCClient(
            host: "127.0.0.1", port: port, security: try certificates.client(of: "importer"), on: loops.executors[0])
          try await act(three, ImportingUser(importer: client, simulator: simulator))
          #expect(importer.isRunning, "the importer itself has ended")
          try await check(three)
          await client.close()
          try await loops.shutdown()
        }
      }
    }
  }

  private func act(_ three: ThreeServices, _ user: ImportingUser) async throws {
    let file = try archive()
    let started = ContinuousClock.now
    var members: [ThreeServices.Member] = []
    for number in 0..<Self.users { members.append(try await three.join("runner\(number)")) }
    let connected = try await three.join("connected")
    let refused = Gathered<String>()
    try await withThrowingTaskGroup { group in
      group.addTask { try await user.connect(connected.token) }
      for member in members {
        group.addTask { try await upload(file, user.importer, member.token, refused) }
      }
      try await group.waitForAll()
    }
    let reasons = Dictionary(grouping: refused.all, by: { $0 }).mapValues(\.count)
    print(
      "memory: \(Self.users) files of \(file.count) bytes, \(Self.recordings) × \(points) points each, are stored after "
        + "\(ContinuousClock.now - started); told to come again: \(reasons)")
  }

  /// Uploads a file, and comes again as often as it is told to; whatever else is refused is refused for good.
  private func upload(
    _ file: [UInt8], _ importer: RPCClient, _ token: String, _ refused: Gathered<String>
  ) async throws {
    while true {
      do {
        let stored = try await ActivitiesClient(importer).importFile(
          stride(from: 0, to: file.count, by: 65_536).map { Array(file[$0..<min($0 + 65_536, file.count)]) },
          .token(token, timeout: .seconds(900)))
        #expect(stored.newActivities == Self.recordings && stored.skipped.isEmpty, "\(stored)")
        return
      } catch let status as Status where [.resourceExhausted, .unavailable].contains(status.code) {
        refused.add(status.reason ?? "\(status.code)")
        // No event tells a client that a place is free. It asks sooner than it is told to, so that the test ends sooner.
        try await Task.sleep(for: min(status.retryAfter ?? .milliseconds(50), .seconds(2)))
      }
    }
  }

  /// A zip of recordings on days of their own.
  private func archive() throws -> [UInt8] {
    let folder = NSTemporaryDirectory() + "tandem-recordings-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let names = (1...Self.recordings).map { "\(folder)/\($0).gpx" }
    for (number, name) in names.enumerated() {
      try recording(month: number + 1).write(toFile: name, atomically: false, encoding: .utf8)
    }
    let zip = Process()
    zip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    zip.arguments = ["python3", "-m", "zipfile", "-c", "\(folder)/all.zip"] + names
    try Children.start { try zip.run() }
    zip.waitUntilExit()
    try #require(zip.terminationStatus == 0)
    return Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/all.zip")))
  }

  /// A GPX with a point each second.
  private func recording(month: Int) -> String {
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    var text = "<gpx version=\"1.1\"><trk><type>running</type><trkseg>"
    for second in 0..<points {
      let time = "\(two(second / 3_600 % 24)):\(two(second / 60 % 60)):\(two(second % 60))"
      text +=
        "<trkpt lat=\"\(51.0 + Double(second) * 0.000_01)\" lon=\"-0.12\"><ele>\(second % 97)</ele>"
        + "<time>2024-\(two(month))-\(two(second / 86_400 + 1))T\(time)Z</time></trkpt>"
    }
    return text + "</trkseg></trk></gpx>"
  }

  private func check(_ three: ThreeServices) async throws {
    let stored = try await three.sql(
      """
      select count(*), sum(position_count) from importer.activity_sources where provider = 'file' group by user_id
      """)
    #expect(stored == Array(repeating: ["\(Self.recordings)", "\(Self.recordings * points)"], count: Self.users))
    let ended = try await three.sql("select state, activity_count from importer.tracker_imports")
    #expect(ended.count == 1 && !["GATHERING", "IMPORTING"].contains(ended.first?.first ?? ""), "\(ended)")
    print("memory: the import from the provider ended as \(ended)")
  }
}

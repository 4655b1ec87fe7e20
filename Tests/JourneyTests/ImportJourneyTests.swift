import Environment
import FileUploads
import Identifiers
import ImporterStore
import LoopExecutor
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemImporter
import TandemNotification
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@testable import importer

@Suite("an import's journey through identity and the importer", .ownThreads, .timeLimit(.minutes(5)))
struct ImportJourneyTests {
  @Test("[IM-2] [IM-4] [IM-12] [ID-64] from a connected tracker to an import, a notification and two badges")
  func connected() async throws {
    try await ImportingSuite.with { suite in
      suite.simulator.answer("/athlete/activities") { request in
        guard request.query["page"] == "1" else { return .json("[]") }
        return .json(
          """
          [{"id":1,"manual":true,"sport_type":"Ride","elapsed_time":18000,"distance":120000,\
          "start_date":"2026-03-04T08:00:00Z","timezone":"(GMT+01:00) Europe/Berlin"}]
          """)
      }
      let ada = try await suite.three.join("ada")
      let start = try await suite.whenKnown {
        try await suite.trackers.startConnection(StartConnectionRequest(provider: "strava"), ada.options)
      }
      let (state, code) = suite.simulator.consent(to: start.authorizationURL)
      let tracker = try await suite.trackers.completeConnection(
        CompleteConnectionRequest(state: state, code: code), ada.options)
      #expect(tracker.state == .connected)
      try await until("the activity is listed") {
        try await suite.activities.listActivities(ListActivitiesRequest(), ada.options).activities.map(\.distanceM)
          == [120_000]
      }
      try await until("identity tells of the import and of both badges") {
        let inbox = try await suite.three.inbox(of: ada)
        return ["New badge: First tracker", "New badge: 100 km in a month"].allSatisfy(inbox.contains)
          && inbox.contains { $0.contains("Strava") }
      }
    }
  }

  @Test("[IM-10] [IM-12] [ID-64] from an uploaded file to a badge")
  func uploaded() async throws {
    try await ImportingSuite.with { suite in
      let grace = try await suite.three.join("grace")
      let done = try await suite.whenKnown {
        try await suite.activities.importFile([UploadedOuting.gpx(0)], grace.options)
      }
      #expect(done.newActivities == 1)
      try await until("the badge is awarded") {
        try await suite.three.inbox(of: grace).contains("New badge: First tracker")
      }
    }
  }

  @Test("[IM-10] a file is imported whole where no program can write to a disk")
  func fullDisk() async throws {
    let schemas = ThreeServices.schemas + [TestSchema(ImporterSchema.name, ImporterSchema.migrations)]
    try await TestDatabase.with(schemas) { database in
      let (certificates, port) = (try SuiteCertificates(), try FreePort.take())
      try await ThreeServices.run(on: database, certificates, besides: ["importer": port]) { three, addresses in
        // The first byte that the program, or a reader that it starts, writes into a file ends it (SIGXFSZ).
        let importer = KillableImporter(
          database: database,
          arguments: try certificates.settings(of: "importer") + addresses + ["--listen", "127.0.0.1:\(port)"],
          launcher: ["/usr/bin/prlimit", "--fsize=0"])
        try importer.start()
        defer { importer.stop() }
        let loops = LoopGroup(threads: 1)
        let client = RPCClient(
          host: "127.0.0.1", port: port, security: try certificates.client(of: "importer"), on: loops.executors[0])
        let ada = try await three.join("ada")
        let activities = ActivitiesClient(client)
        try await until("the importer knows the token") {
          do {
            return try await activities.listFileImports(ListFileImportsRequest(), ada.options).imports.isEmpty
          } catch let status as Status where [.unavailable, .unauthenticated].contains(status.code) { return false }
        }
        // Far more than a pipe or a socket holds.
        let comment = Array("<!--\(String(repeating: " ", count: 65_529))-->".utf8)
        let file = [Array("<HealthData>".utf8)] + Array(repeating: comment, count: 4)
        let weight = """
          <Record type="HKQuantityTypeIdentifierBodyMass" unit="kg" startDate="2025-06-01 08:00:00 +0000" value="70.5"/>
          """
        let done = try await activities.importFile(file + [Array((weight + "</HealthData>").utf8)], ada.options)
        #expect(done.state == .done && done.weights == 1)
        await client.close()
        try await loops.shutdown()
      }
    }
  }
}

/// Files of outings, each of another day of 2024.
enum UploadedOuting {
  static func gpx(_ number: Int) -> [UInt8] {
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let day = "2024-\(two(number / 28 % 12 + 1))-\(two(number % 28 + 1))"
    let points = (0..<30).map { index in
      "<trkpt lat=\"\(51.5 + Double(index) * 0.0003)\" lon=\"-0.12\"><time>\(day)T07:\(two(index)):00Z</time></trkpt>"
    }
    return Array("<gpx version=\"1.1\"><trk><type>running</type><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
  }
}

/// Identity, the catalog, lending and the importer side by side, and a provider.
private struct ImportingSuite: Sendable {
  let three: ThreeServices
  let importer: RPCClient
  let simulator: TrackerSimulator

  var trackers: TrackersClient { TrackersClient(importer) }
  var activities: ActivitiesClient { ActivitiesClient(importer) }

  static func with(_ body: @escaping @Sendable (ImportingSuite) async throws -> Void) async throws {
    let schemas = ThreeServices.schemas + [TestSchema(ImporterSchema.name, ImporterSchema.migrations)]
    try await TestDatabase.with(schemas) { database in
      try await TrackerSimulator.with { simulator in
        let (certificates, port) = (try SuiteCertificates(), try FreePort.take())
        let own = try ["--listen", "127.0.0.1:\(port)"] + simulator.arguments(["strava"])
        try await ThreeServices.run(on: database, certificates, besides: ["importer": port]) { three, addresses in
          try await RunningService.with(
            Importer.self, on: database, certificates: certificates, own + addresses
          ) { running in
            try await body(ImportingSuite(three: three, importer: running.client, simulator: simulator))
          }
        }
      }
    }
  }

  /// Repeats a call until the importer knows the token.
  func whenKnown<Answer: Sendable>(_ call: () async throws -> Answer) async throws -> Answer {
    try await eventually("the importer accepts the token") {
      do { return try await call() } catch let status as Status where status.code == .unavailable { return nil }
    }
  }
}

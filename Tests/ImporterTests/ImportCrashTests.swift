import Foundation
import ImporterStore
import LoopExecutor
import Postgres
import TTRPC
import TTRPCClient
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

/// The `importer` executable in a process of its own, as an operator runs it.
private struct ImporterProcess {
  let process: Process

  /// It works on jobs as soon as it has its database; identity, which calls would need, is not there.
  static func start(on database: TestDatabase, _ arguments: [String]) throws -> ImporterProcess {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("importer")
    process.arguments =
      [
        "--plaintext", "--threads", "1", "--database-url", database.url(of: "importer"), "--seal-key",
        RunningService.sealKey, "--identity-address", "127.0.0.1:1", "--log-level",
        "critical", "--jobs-look-interval", "50ms",
      ] + arguments
    try Children.start { try process.run() }
    return ImporterProcess(process: process)
  }

  /// SIGKILL: the process ends without a chance to tidy up.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

@Suite("imports and crashes", .ownThreads, .timeLimit(.minutes(5)))
struct ImportCrashTests {
  @Test("[IM-4] kill -9 during an import repeats no page that was stored, and loses none")
  func killed() async throws {
    try await TrackerSimulator.with { simulator in
      simulator.setStrava(pages: 6)
      // Each page but the last ones takes a while, so that the kills are within the import.
      simulator.answer("/athlete/activities") { request in
        let page = Int(request.query["page"] ?? "") ?? 0
        guard page == 3 || page == 5,
          simulator.requests("/athlete/activities").filter({ $0.query["page"] == "\(page)" }).count == 1
        else { return nil }
        var answer = TrackerSimulator.Answer.json(
          "[\(TrackerSimulator.ride((page - 1) * 2)),\(TrackerSimulator.ride((page - 1) * 2 + 1))]")
        answer.delay = .seconds(30)
        return answer
      }
      let settings = try simulator.arguments(["strava"])
      try await TestDatabase.with([RunningImporter.schema]) { database in
        try await Self.connect(on: database, simulator, settings)
        for page in ["3", "5"] {
          let importer = try ImporterProcess.start(on: database, settings)
          let isThere = try await eventually { simulator.stravaPages.contains(page) }
          importer.kill()
          #expect(isThere)
          try await database.sql("update jobs set lease_until = now() where lease_until is not null", in: "importer")
        }
        let importer = try ImporterProcess.start(on: database, settings)
        let ended = try await eventually("the import has ended") { () -> [String?]? in
          try await database.sql(
            "select state, activity_count, stream_pages from tracker_imports where finished_at is not null",
            in: "importer"
          ).first
        }
        importer.kill()
        #expect(ended.first == "SUCCEEDED" && ended[1] == "12")
        #expect(simulator.stravaPages == ["1", "2", "3", "3", "4", "5", "5", "6", "7"])
        let count = try await database.sql("select count(*) from activities", in: "importer").first?.first
        #expect(count == "12")
      }
    }
  }

  /// Begins an import, which waits for a pause of the provider to end, and ends the pause.
  private static func connect(
    on database: TestDatabase, _ simulator: TrackerSimulator, _ settings: [String]
  ) async throws {
    try await RunningService.with(OpenImporter.self, on: database, settings) { service in
      let trackers = TrackersClient(service.client)
      let start = try await trackers.startConnection(StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      try await database.sql("insert into tracker_providers (provider, paused) values ('strava', true)", in: "importer")
      _ = try await trackers.completeConnection(
        CompleteConnectionRequest(state: state, code: code), TestUser.ada.options)
      _ = try await eventually("the import waits") {
        try await database.sql("select 1 from tracker_imports where retry_at is not null", in: "importer").first
      }
    }
    try await database.sql("delete from tracker_providers", in: "importer")
    try await database.sql(
      "update jobs set ready_at = now(), due_at = now() where kind like 'import_pages%'", in: "importer")
  }
}

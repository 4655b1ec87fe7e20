import Identifiers
import ImporterStore
import Synchronization
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@testable import OutboundHTTP

@Suite("imports that are interrupted, and deletions while connected", .ownThreads, .timeLimit(.minutes(5)))
struct TrackerResumeTests {
  @Test("[IM-4] [IM-5] a page that meets the rate limit keeps what it has, and goes on there when the limit allows it")
  func partOfPage() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setTracks(of: 5)
      simulator.answer("/streams") { _ in
        // The second track uses the limit up.
        guard simulator.requests("/streams").count == 2 else { return nil }
        return .json("{}", headers: ["x-ratelimit-limit": "3,1000", "x-ratelimit-usage": "3,30"])
      }
      let begun = try #require(try await importer.connect(simulator).lastImport)
      let waiting = try await eventually("the import waits") {
        let found = try await importer.trackers.getImport(
          GetImportRequest(importID: begun.importID), TestUser.ada.options)
        return found.retryTime == nil ? nil : found
      }
      #expect(waiting.state == .importing && waiting.activityCount == 2)
      #expect(try await importer.activityCount() == 2)
      let ended = try await importer.ended(begun.importID)
      #expect(ended.state == .succeeded && ended.activityCount == 5)
      #expect(simulator.stravaPages == ["1", "1", "2"])
      let tracks = simulator.requests("/streams").map(\.path)
      #expect(tracks.count == 5 && Set(tracks).count == 5, "\(tracks)")
      #expect(try await importer.activityCount() == 5)
    }
  }

  @Test("[IM-5] a track that fails three times more ends the import, and what came before it is kept")
  func failingTrack() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setTracks(of: 3)
      simulator.answer("/1002/streams") { _ in .json("{}", status: 500) }
      let failed = try await importer.imported(simulator)
      #expect(failed.state == .failed && failed.failure == .provider && failed.activityCount == 1)
      #expect(simulator.requests("/1001/streams").count == 1 && simulator.requests("/1002/streams").count == 4)
      #expect(try await importer.activityCount() == 1)
    }
  }

  @Test("[IM-5] a track that is too long to be read leaves its activity without one, and the import goes on")
  func longTrack() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setTracks(of: 3)
      simulator.answer("/1002/streams") { _ in .json("{\"time\":[" + String(repeating: " ", count: 9_000_000) + "]}") }
      let ended = try await importer.imported(simulator)
      #expect(ended.state == .succeeded && ended.activityCount == 3 && simulator.requests("/1002/streams").count == 1)
      #expect(try await importer.activityCount() == 3)
    }
  }

  // MARK: Deletions

  @Test(
    "[IM-11] I-6: a deleted activity does not come back, neither by an import nor by a new connection, unless the user restores it"
  )
  func deletedActivity() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1, of: 3)
      try await importer.imported(simulator)
      let victim = try #require(try await importer.listed().last)
      _ = try await importer.activities.deleteActivity(
        DeleteActivityRequest(activityID: victim.activityID), TestUser.ada.options)
      let again = try await importer.importAgain()
      #expect(again.state == .succeeded && again.activityCount == 3)
      #expect(try await importer.listed().count == 2)
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      let another = try #require(try await importer.listed().last)
      _ = try await importer.activities.deleteActivity(
        DeleteActivityRequest(activityID: another.activityID), TestUser.ada.options)
      try await importer.imported(simulator)
      #expect(try await importer.listed().count == 1)
      let call = RestoreDeletedDataRequest(provider: "strava", requestID: "0190a1b2-0000-7000-8000-0000000000ab")
      let wanted = try await importer.trackers.restoreDeletedData(call, TestUser.ada.options)
      #expect(try await importer.ended(wanted.importID).state == .succeeded)
      #expect(try await importer.listed().count == 3)
      #expect(try await importer.trackers.restoreDeletedData(call, TestUser.ada.options).importID == wanted.importID)
    }
  }

  @Test(
    "[IM-11] I-6: a provider's data that was deleted while connected comes back when the user wants it, not by itself")
  func deletedProvider() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1, of: 3)
      try await importer.imported(simulator)
      importer.clock.advance(by: .seconds(60))
      _ = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "strava"), TestUser.ada.options)
      let deleted = importer.clock.now.wholeSeconds
      _ = try await importer.importAgain()
      #expect(try await importer.listed().isEmpty)
      let since = { simulator.requests("/athlete/activities").last?.query["after"].flatMap { Int64($0) } ?? 0 }
      #expect(since() == deleted)
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      try await importer.imported(simulator)
      #expect(try await importer.listed().isEmpty && since() == deleted)
      let wanted = try await importer.trackers.restoreDeletedData(
        RestoreDeletedDataRequest(provider: "strava"), TestUser.ada.options)
      #expect(try await importer.ended(wanted.importID).state == .succeeded)
      #expect(try await importer.listed().count == 3 && since() < deleted - 300 * 86_400)
    }
  }

  @Test("[IM-11] a file brings back what was deleted, because the user uploads it")
  func deletedAndUploaded() async throws {
    try await RunningImporter.with { importer in
      let first = try await importer.importFile(MadeFile.gpx())
      _ = try await importer.activities.deleteActivity(
        DeleteActivityRequest(activityID: try #require(first.activityIds.first)), TestUser.ada.options)
      #expect(try await importer.importFile(MadeFile.gpx()).newActivities == 1)
    }
  }

  // MARK: Completing a connection

  @Test("[C-4] [IM-2] a completed connection is answered again to a repetition with its request id")
  func repeated() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      var call = CompleteConnectionRequest(
        state: state, code: code, requestID: "0190a1b2-0000-7000-8000-0000000000aa")
      let first = try await importer.trackers.completeConnection(call, TestUser.ada.options)
      let again = try await importer.trackers.completeConnection(call, TestUser.ada.options)
      #expect(first.state == .connected && again.lastImport?.importID == first.lastImport?.importID)
      #expect(simulator.requests("/token").count == 1)
      call.code = "another"
      let reused = try await refusal { try await importer.trackers.completeConnection(call, TestUser.ada.options) }
      #expect(reused.reason == "REQUEST_ID_REUSED")
    }
  }

  @Test("[C-9] an account that is deleted while its tokens are requested gets no connection, and they are revoked")
  func deletedMeanwhile() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let gate = AnswerGate()
      defer { gate.open() }
      simulator.hold("/token", by: gate)
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      async let completed = refusal {
        try await importer.trackers.completeConnection(
          CompleteConnectionRequest(state: state, code: code), TestUser.ada.options)
      }
      #expect(try await eventually { simulator.requests("/token").count == 1 })
      try await importer.own.transaction { tx in
        for statement in ImporterSchema.removals { try await tx.execute(statement.init(userID: TestUser.ada.id)) }
      }
      gate.open()
      let refused = try await completed
      #expect(refused.code == .unauthenticated && refused.reason == "TOKEN_INVALID")
      #expect(simulator.requests("/revoke").count == 1)
      for table in ["tracker_connections", "tracker_imports", "tracker_completions"] {
        #expect(try await importer.value("select count(*) from \(table)") == "0", "\(table)")
      }
    }
  }
}

extension TrackerSimulator {
  /// Has Strava answer with one page of activities that have tracks, from id 1001 on.
  func setTracks(of count: Int) {
    let rides = (1...count).map { Self.ride($0).replacing("\"manual\":true,", with: "") }
    answer("/athlete/activities") { $0.query["page"] == "1" ? .json("[\(rides.joined(separator: ","))]") : .json("[]") }
    answer("/streams") { _ in .json("{}") }
  }
}

@Suite("addresses of providers", .ownThreads, .timeLimit(.minutes(5)))
struct PublicAddressTests {
  @Test("a name that leads to a private address is not connected to: no request is sent there")
  func connections() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let client = try OutboundClient(
        authorities: simulator.authority, timeout: .seconds(20), on: importer.runtime.loops.eventLoops,
        clock: importer.clock, peers: .public)
      try await withThrowingTaskGroup { group in
        group.addTask { try await client.run() }
        do {
          _ = try await client.send(OutboundRequest("\(simulator.origin)/strava", maxAnswerLength: 100))
          Issue.record("it was connected to")
        } catch {
          #expect("\(error)".contains("private network"), "\(error)")
        }
        group.cancelAll()
        try await group.waitForAll()
      }
      #expect(simulator.requests().isEmpty)
    }
  }

  @Test(
    "private addresses of either kind are known, however they are mapped",
    arguments: [
      "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
      "255.255.255.255",
      "::1", "::", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "ff02::1",
      "2001:db8::1", "localhost", "",
    ])
  func privateAddresses(text: String) { #expect(!PublicAddress.contains(text)) }

  @Test("public addresses of either kind are known", arguments: ["8.8.8.8", "172.32.0.1", "2a00:1450:4001:80b::200e"])
  func publicAddresses(text: String) { #expect(PublicAddress.contains(text)) }
}

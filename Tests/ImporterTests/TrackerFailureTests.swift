import Environment
import Events
import Identifiers
import ImporterStore
import Postgres
import Synchronization
import TTRPC
import TandemEvents
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@Suite("imports from trackers that fail, refuse or send what they should not", .ownThreads, .timeLimit(.minutes(5)))
struct TrackerFailureTests {
  @Test("[IM-5] a failing provider is asked three times more, then the import ends FAILED and keeps what was stored")
  func retries() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 3)
      simulator.answer("/athlete/activities") { $0.query["page"] == "2" ? .json("{}", status: 500) : nil }
      let failed = try await importer.imported(simulator)
      #expect(failed.state == .failed && failed.failure == .provider)
      #expect(failed.message == "The data import failed. Please try again later.")
      #expect(simulator.stravaPages == ["1", "2", "2", "2", "2"])
      #expect(try await importer.activityCount() == 2 && failed.activityCount == 2)
    }
  }

  @Test("[IM-5] a failed token request ends the import at once, with the rule's words")
  func tokenFailure() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1)
      try await importer.imported(simulator)
      importer.clock.advance(by: .seconds(3_600))
      simulator.answer("/token") { _ in .json(#"{"error":"server_error"}"#, status: 503) }
      let failed = try await importer.importAgain()
      #expect(failed.failure == .token && failed.message == "The data import failed. Please try again later.")
      #expect(simulator.refreshes.count == 1)
      #expect(try await importer.tracker().state == .connected)
    }
  }

  @Test("[IM-5] Retry-After is honoured, also for the imports of other users")
  func retryAfter() async throws {
    try await RunningImporter.withTrackers(["strava"]) { importer, simulator in
      simulator.setStrava(pages: 1)
      let isBusy = Mutex(true)
      simulator.answer("/athlete/activities") { _ in
        isBusy.withLock { $0 } ? .json("{}", status: 429, headers: ["retry-after": "120"]) : nil
      }
      let begun = try #require(try await importer.connect(simulator).lastImport)
      let waiting = try await eventually("the import waits") {
        let found = try await importer.trackers.getImport(
          GetImportRequest(importID: begun.importID), TestUser.ada.options)
        return found.retryTime == nil ? nil : found
      }
      #expect(waiting.state == .gathering && simulator.stravaPages.count == 1)
      let wait = (waiting.retryTime?.seconds ?? 0) - importer.clock.now.wholeSeconds
      #expect((120...126).contains(wait))
      let blocked = try await importer.value(
        "select extract(epoch from blocked_until)::bigint from tracker_providers where provider = 'strava'")
      #expect(blocked == "\(importer.clock.now.wholeSeconds + 120)")
      isBusy.withLock { $0 = false }
      let ended = try await importer.ended(begun.importID)
      #expect(ended.state == .succeeded && simulator.stravaPages.count == 3)
    }
  }

  @Test("[IM-9] partial consent imports what was granted, and says what was not")
  func partial() async throws {
    try await RunningImporter.withTrackers(["withings"]) { importer, simulator in
      simulator.answer("/measure") { request in
        guard request.form["action"] == "getmeas" else { return .json(#"{"status":2554}"#) }
        return .json(
          #"{"status":0,"body":{"measuregrps":[{"grpid":1,"category":1,"date":1700000000,"measures":[{"value":72500,"type":1,"unit":-3}]}]}}"#
        )
      }
      let ended = try await importer.imported(simulator, "withings", scope: "user.metrics")
      #expect(ended.state == .succeeded && ended.weightCount == 1)
      #expect(ended.missingKinds == [.activities, .steps, .sleep])
      #expect(ended.message == "The data import is complete. Some data was not allowed.")
      #expect(simulator.requests("/measure").map { $0.form["action"] } == ["getmeas"], "nothing else was asked for")
      #expect(try await importer.tracker("withings").missingKinds == [.activities, .steps, .sleep])
    }
  }

  @Test("[IM-9] a kind that the provider refuses is missing, and the others are imported")
  func refusedKind() async throws {
    try await RunningImporter.withTrackers(["withings"]) { importer, simulator in
      simulator.answer("/measure") { request in
        request.form["action"] == "getworkouts" ? .json(#"{"status":2554}"#) : .json(#"{"status":0,"body":{}}"#)
      }
      simulator.answer("/sleep") { _ in .json(#"{"status":0,"body":{"series":[]}}"#) }
      let ended = try await importer.imported(simulator, "withings")
      #expect(ended.state == .succeeded && ended.missingKinds == [.activities])
    }
  }

  @Test("[IM-9] tokens that are refused for the details of a page, new ones too, end in NEEDS_CONSENT")
  func refusedDetails() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let ride = TrackerSimulator.ride(1).replacing("\"manual\":true,", with: "")
      simulator.answer("/athlete/activities") { $0.query["page"] == "1" ? .json("[\(ride)]") : .json("[]") }
      simulator.answer("/streams") { _ in TrackerSimulator.invalidToken }
      let ended = try await importer.imported(simulator)
      #expect(ended.failure == .consent && simulator.requests("/streams").count == 2)
      #expect(try await importer.tracker().state == .needsConsent)
    }
  }

  @Test(
    "[IM-9] 29 B4: a bare 401 or 403, of a proxy or a suspended application, is a failure like any other: the tokens are kept",
    arguments: [401, 403], ["{}", "<html><body>Access denied</body></html>"])
  func bareRefusals(_ status: Int, _ body: String) async throws {
    let type = body == "{}" ? "application/json" : "text/html"
    let answer = TrackerSimulator.Answer(status, ["content-type": type], body: Array(body.utf8))
    for hasRefreshToken in [true, false] {
      try await RunningImporter.withTrackers { importer, simulator in
        if !hasRefreshToken { simulator.omitRefreshTokens() }
        simulator.setStrava(pages: 1)
        try await importer.imported(simulator)
        let tokens = "select token_version || encode(sealed_tokens, 'hex') from tracker_connections"
        let before = try await importer.value(tokens)
        let isRefusing = Mutex(true)
        simulator.answer("/athlete/activities") { _ in isRefusing.withLock { $0 } ? answer : nil }
        let failed = try await importer.importAgain()
        #expect(failed.state == .failed && failed.failure == .provider)
        #expect(failed.message == "The data import failed. Please try again later.")
        #expect(try await importer.tracker().state == .connected)
        #expect(simulator.refreshes.count == (status == 401 && hasRefreshToken ? 4 : 0))
        if simulator.refreshes.isEmpty { #expect(try await importer.value(tokens) == before) }
        isRefusing.withLock { $0 = false }
        let ended = try await importer.importAgain()
        #expect(ended.state == .succeeded)
      }
    }
  }

  @Test("[IM-9] 29 B4: a 403 from the token endpoint, without the provider's own word, keeps the tokens")
  func bareRefusalOfNewTokens() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1)
      try await importer.imported(simulator)
      let tokens = "select encode(sealed_tokens, 'hex') from tracker_connections"
      let before = try await importer.value(tokens)
      for (type, body) in [("text/html", "<html></html>"), ("application/json", "{}")] {
        importer.clock.advance(by: .seconds(3_600))
        let isRefusing = Mutex(true)
        simulator.answer("/token") { _ in
          guard isRefusing.withLock({ $0 }) else { return nil }
          return .init(403, ["content-type": type], body: Array(body.utf8))
        }
        let failed = try await importer.importAgain()
        #expect(failed.state == .failed && failed.failure == .token, "\(type)")
        #expect(try await importer.tracker().state == .connected, "\(type)")
        #expect(try await importer.value(tokens) == before, "\(type)")
        isRefusing.withLock { $0 = false }
      }
      let ended = try await importer.importAgain()
      #expect(ended.state == .succeeded && simulator.refreshes.count == 3)
    }
  }

  @Test("[IM-9] a token without another to refresh it ends with the provider's own word")
  func endedWithoutRefreshToken() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.omitRefreshTokens()
      simulator.setStrava(pages: 1)
      try await importer.imported(simulator)
      simulator.revokeAll()
      let failed = try await importer.importAgain()
      #expect(failed.failure == .consent && simulator.refreshes.isEmpty)
      #expect(try await importer.tracker().state == .needsConsent)
    }
  }

  @Test("[IM-9] revoked consent ends in NEEDS_CONSENT after one request for new tokens, without retries")
  func revoked() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1)
      try await importer.imported(simulator)
      simulator.revokeAll()
      let requests = simulator.stravaPages.count
      let failed = try await importer.importAgain()
      #expect(failed.failure == .consent && simulator.refreshes.count == 1)
      #expect(simulator.stravaPages.count == requests + 1)
      #expect(try await importer.tracker().state == .needsConsent)
      #expect(try await importer.value("select count(*) from jobs where kind like 'import_pages%'") == "0")
    }
  }

  @Test(
    "[IM-5] answers that no provider should give end the import, with bounded requests and without the token elsewhere")
  func hostile() async throws {
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    let cases: [(name: String, failure: TandemImporter.ImportFailure, answer: TrackerSimulator.Answer)] = [
      ("HTML", .answer, .init(200, ["content-type": "text/html"], body: Array("<html>".utf8))),
      ("JSON as HTML", .answer, .init(200, ["content-type": "text/html"], body: Array("[]".utf8))),
      ("gzip", .answer, .init(200, ["content-type": "application/json", "content-encoding": "gzip"], body: gzip)),
      ("nesting", .answer, .json(String(repeating: "[", count: 5_000_000))),
      ("length", .answer, .json("[" + String(repeating: " ", count: 9_000_000) + "]")),
      ("shape", .answer, .json(#"{"activities":[]}"#)), ("gone", .gone, .json("{}", status: 410)),
      ("bad request", .answer, .json("{}", status: 400)), ("failing", .provider, .json("{}", status: 503)),
    ]
    try await RunningImporter.withTrackers { importer, simulator in
      let present = Mutex(0)
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      simulator.answer("/athlete/activities") { _ in cases[present.withLock { $0 }].answer }
      for (place, one) in cases.enumerated() {
        present.withLock { $0 = place }
        let before = simulator.stravaPages.count
        let ended = try await importer.importAgain()
        #expect(ended.state == .failed && ended.failure == one.failure, "\(one.name): \(ended)")
        #expect(simulator.stravaPages.count - before == (one.failure == .gone ? 1 : 4), "\(one.name)")
      }
    }
  }

  @Test("[IM-3] a redirection to another host is not followed, and the token is not sent along")
  func redirected() async throws {
    try await TrackerSimulator.with { other in
      try await RunningImporter.withTrackers { importer, simulator in
        let target = "\(other.origin)/strava/api/v3/athlete/activities"
        simulator.answer("/athlete/activities") { _ in .init(302, ["location": target]) }
        let ended = try await importer.imported(simulator)
        #expect(ended.failure == .answer && other.requests().isEmpty)
      }
    }
  }

  @Test("[IM-5] pages without end are cut off")
  func endless() async throws {
    try await RunningImporter.withTrackers(["fitbit"]) { importer, simulator in
      simulator.answer("/dataPoints") { _ in .json(#"{"dataPoints":[],"nextPageToken":"again"}"#) }
      simulator.answer("/identity") { _ in .json(#"{"healthUserId":"9"}"#) }
      let ended = try await importer.imported(simulator, "fitbit")
      #expect(ended.failure == .answer && simulator.requests("/dataPoints").count == 5)
    }
  }

  @Test("[IM-5] pages that go on for ever, each with a new place, are cut off after 1,000 of a kind")
  func endlessPlaces() async throws {
    try await RunningImporter.withTrackers(["fitbit"]) { importer, simulator in
      simulator.answer("/dataPoints") { _ in
        .json(#"{"dataPoints":[],"nextPageToken":"n\#(simulator.requests("/dataPoints").count)"}"#)
      }
      simulator.answer("/identity") { _ in .json(#"{"healthUserId":"9"}"#) }
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "fitbit"), TestUser.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      try await importer.sql("insert into tracker_providers (provider, paused) values ('fitbit', true)")
      let tracker = try await importer.trackers.completeConnection(
        CompleteConnectionRequest(state: state, code: code), TestUser.ada.options)
      _ = try await eventually("the import waits") {
        try await importer.sql("select 1 from tracker_imports where retry_at is not null").first
      }
      // As if so many pages had come before.
      try await importer.sql("update tracker_imports set stream_pages = 999")
      try await importer.sql("delete from tracker_providers")
      let ended = try await importer.ended(try #require(tracker.lastImport).importID)
      #expect(ended.state == .failed && ended.failure == .answer)
      #expect(simulator.requests("/dataPoints").count == 5)
    }
  }
}

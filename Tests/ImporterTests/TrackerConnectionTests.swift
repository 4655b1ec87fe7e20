import Environment
import Identifiers
import ImporterDomain
import ImporterStore
import OAuth2
import Postgres
import ProviderAdapters
import Synchronization
import TTRPC
import TandemEvents
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@testable import ImporterHandlers
@testable import ImporterOperations
@testable import importer

@Suite("connections to trackers", .ownThreads, .timeLimit(.minutes(5)))
struct TrackerConnectionTests {
  @Test("[IM-1] every tracker has its state: available, connected, needing consent again, unavailable")
  func states() async throws {
    try await RunningImporter.withTrackers(["fitbit", "strava", "withings", "polar"]) { importer, simulator in
      simulator.setStrava(pages: 0)
      let first = try await importer.trackers.listTrackers(ListTrackersRequest(), TestUser.ada.options)
      #expect(first.trackers.map(\.provider) == ["fitbit", "strava", "withings", "polar", "file"])
      #expect(first.trackers.allSatisfy { $0.state == .available && $0.missingKinds.isEmpty })
      try await importer.imported(simulator)
      #expect(try await importer.tracker().state == .connected)
      #expect(try await importer.tracker(as: .grace).state == .available)
      simulator.revokeAll()
      _ = try await importer.importAgain()
      #expect(try await importer.tracker().state == .needsConsent)
      try await importer.imported(simulator)
      #expect(try await importer.tracker().state == .connected)
      _ = try await importer.trackerOperators.pauseProvider(
        PauseProviderRequest(provider: "strava", paused: true), .operators)
      #expect(try await importer.tracker().state == .unavailable)
    }
  }

  @Test(
    "[IM-2] users are sent to the provider with PKCE and a state, and what they bring back connects the tracker once")
  func connects() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1)
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      for part in ["code_challenge_method=S256", "code_challenge=", "response_type=code", "client_id=tandem"] {
        #expect(start.authorizationURL.contains(part))
      }
      let (state, code) = simulator.consent(to: start.authorizationURL)
      #expect(state.count == 43)
      let stored = try await importer.value("select encode(state_hash, 'hex') from authorization_attempts")
      #expect(stored?.count == 64, "its hash alone is stored")
      let call = CompleteConnectionRequest(state: state, code: code)
      let stolen = try await refusal { try await importer.trackers.completeConnection(call, TestUser.grace.options) }
      let tracker = try await importer.trackers.completeConnection(call, TestUser.ada.options)
      let again = try await refusal { try await importer.trackers.completeConnection(call, TestUser.ada.options) }
      #expect(tracker.state == .connected && tracker.lastImport?.state == .gathering)
      #expect(tracker.lastImport?.message == "Gathering information")
      #expect(stolen.reason == "ATTEMPT_INVALID" && again.reason == "ATTEMPT_INVALID")
      _ = try await importer.ended(try #require(tracker.lastImport).importID)
      #expect(try await importer.activityCount() == 2)
    }
  }

  @Test("[IM-2] a state that is forged, or over ten minutes old, is refused")
  func invalidStates() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      importer.clock.advance(by: .seconds(600))
      for text in ["", "x", String(repeating: "A", count: 43), state] {
        let call = CompleteConnectionRequest(state: text, code: code)
        let refused = try await refusal { try await importer.trackers.completeConnection(call, TestUser.ada.options) }
        #expect(refused.reason == "ATTEMPT_INVALID", "\(text)")
      }
      #expect(simulator.requests("/token").isEmpty)
    }
  }

  @Test(
    "[IM-2] 29 B10: an answer that names another issuer is refused, and its code is sent nowhere (RFC 9207)",
    arguments: ["https://other.example", "https://other.example/strava", "null"])
  func otherIssuer(_ issuer: String) async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      let call = CompleteConnectionRequest(state: state, code: code, issuer: issuer)
      _ = try await refusal { try await importer.trackers.completeConnection(call, TestUser.ada.options) }
      #expect(simulator.requests("/token").isEmpty)
      #expect(try await importer.value("select count(*) from tracker_connections") == "0")
    }
  }

  @Test("[IM-2] denied consent is CONSENT_DENIED, and nothing is stored")
  func denied() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      let (state, _) = simulator.consent(to: start.authorizationURL)
      let call = CompleteConnectionRequest(state: state, error: "access_denied")
      let refused = try await refusal { try await importer.trackers.completeConnection(call, TestUser.ada.options) }
      // A consent to nothing that is imported is a denial too, and its tokens are revoked.
      let useless = try await refusal { try await importer.connect(simulator, scope: "read") }
      #expect(refused.code == .permissionDenied && refused.reason == "CONSENT_DENIED")
      #expect(useless.reason == "CONSENT_DENIED" && simulator.requests("/revoke").count == 1)
      #expect(try await importer.value("select count(*) from tracker_connections") == "0")
      #expect(try await importer.value("select count(*) from authorization_attempts") == "0")
      #expect(try await importer.tracker().state == .available)
    }
  }

  @Test("[IM-5] a failed exchange of the code is told in the rule's words, with the reason, and connects nothing")
  func failedExchange() async throws {
    let html = ["content-type": "text/html"]
    let cases: [(answer: TrackerSimulator.Answer, reason: String, wait: Duration?)] = [
      (
        .json(#"{"error":"server_error"}"#, status: 503, headers: ["retry-after": "7"]), "TRACKER_UNAVAILABLE",
        .seconds(7)
      ),
      (.json("{}", status: 503), "TRACKER_UNAVAILABLE", .seconds(5)),
      (.json(#"{"error":"invalid_grant"}"#, status: 400), "PROVIDER_REFUSED", nil),
      (.init(403, html, body: Array("<html></html>".utf8)), "PROVIDER_REFUSED", nil),
      (.init(200, html, body: Array("<html></html>".utf8)), "PROVIDER_UNTRUSTED", nil),
    ]
    try await RunningImporter.withTrackers { importer, simulator in
      let present = Mutex(0)
      simulator.answer("/token") { _ in cases[present.withLock { $0 }].answer }
      for (place, one) in cases.enumerated() {
        present.withLock { $0 = place }
        let refused = try await refusal { try await importer.connect(simulator) }
        #expect(refused.message == "The data import failed. Please try again later.", "\(one.reason)")
        #expect(refused.reason == one.reason && refused.retryAfter == one.wait, "\(refused)")
        #expect(simulator.requests("/token").count == place + 1, "it is asked once")
      }
      #expect(try await importer.value("select count(*) from tracker_connections") == "0")
      #expect(try await importer.value("select count(*) from tracker_imports") == "0")
      #expect(try await importer.tracker().state == .available)
    }
  }

  @Test("[IM-3] tokens are sealed in the database, and in no answer")
  func sealed() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      let ended = try await importer.imported(simulator)
      let tracker = try await importer.tracker()
      let rows = try await importer.sql(
        "select row_to_json(c)::text, encode(sealed_tokens, 'escape') from tracker_connections as c")
      let jobs = try await importer.sql("select encode(payload, 'escape') from jobs")
      let texts = (rows + jobs).flatMap { $0.compactMap { $0 } } + ["\(tracker)", "\(ended)"]
      #expect(rows.count == 1)
      for text in texts { #expect(!text.contains("access-") && !text.contains("refresh-")) }
    }
  }

  @Test("[IM-3] of 64 that need a new token at once, in two replicas, one asks for it")
  func singleFlight() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      importer.clock.advance(by: .seconds(3_600))
      let id = try #require(
        ConnectionID(try await importer.value("select id from tracker_connections") ?? ""))
      let keepers = try importer.keepers(2)
      let grants = try await withThrowingTaskGroup(of: AccessGrant.self) { group in
        for place in 0..<64 { group.addTask { try await keepers.all[place % 2].token(of: id) } }
        return try await group.reduce(into: [AccessGrant]()) { $0.append($1) }
      }
      await keepers.stop()
      #expect(Set(grants.map(\.token)).count == 1 && Set(grants.map(\.version)) == [2])
      #expect(simulator.refreshes.count == 1)
    }
  }

  @Test("[IM-3] a rotated refresh token that a crash has lost ends in one request and NEEDS_CONSENT, not in a storm")
  func lostRotation() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      // The process has claimed the refresh and died with the answer: the provider has replaced the token.
      simulator.revokeAll()
      importer.clock.advance(by: .seconds(3_600))
      try await importer.sql(
        "update tracker_connections set refresh_begun_at = now(), refresh_until = now(), refresh_fence = 1")
      let failed = try await importer.importAgain()
      #expect(failed.state == .failed && failed.failure == .consent)
      #expect(simulator.refreshes.count == 1)
      let refused = try await refusal {
        try await importer.trackers.startImport(StartImportRequest(provider: "strava"), TestUser.ada.options)
      }
      #expect(refused.reason == "CONSENT_NEEDED" && simulator.refreshes.count == 1)
      #expect(try await importer.value("select sealed_tokens from tracker_connections") == nil)
    }
  }

  @Test("[IM-3] tokens that were sealed with a retired key are opened, and sealed anew with the present one")
  func keyRotation() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      let id = try #require(ConnectionID(try await importer.value("select id from tracker_connections") ?? ""))
      let keepers = try importer.keepers(1, key: "new")
      let before = try await importer.value(
        "select encode(substr(sealed_tokens, 3, 4), 'escape') from tracker_connections")
      let grant = try await keepers.all[0].token(of: id)
      let after = try await importer.value(
        "select encode(substr(sealed_tokens, 3, 3), 'escape') from tracker_connections")
      await keepers.stop()
      #expect(before == "test" && after == "new" && grant.version == 1)
    }
  }

  @Test("[IM-11] disconnecting revokes the tokens at the provider, again if it fails, and keeps what was imported")
  func disconnects() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1)
      try await importer.imported(simulator)
      simulator.answer("/revoke") { _ in simulator.requests("/revoke").count == 1 ? .json("{}", status: 503) : nil }
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      #expect(try await importer.tracker().state == .available)
      let isGone = try await eventually {
        importer.clock.advance(by: .seconds(60))
        return try await importer.value("select count(*) from tracker_connections") == "0"
      }
      #expect(isGone && simulator.requests("/revoke").count == 2)
      #expect(simulator.requests("/revoke").allSatisfy { $0.form["access_token"]?.hasPrefix("access-") == true })
      let again = try await refusal {
        try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      }
      #expect(again.reason == "TRACKER_NOT_CONNECTED")
      #expect(try await importer.activityCount() == 2)
    }
  }

  @Test("[IM-11] an access token that is not accepted any more is renewed for the revocation of the user's consent")
  func renewsToRevoke() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      simulator.answer("/revoke") { _ in simulator.requests("/revoke").count == 1 ? .json("{}", status: 401) : nil }
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      let isGone = try await eventually {
        importer.clock.advance(by: .seconds(60))
        return try await importer.value("select count(*) from tracker_connections") == "0"
      }
      let revoked = simulator.requests("/revoke").compactMap { $0.form["access_token"] }
      #expect(isGone && revoked.count == 2 && Set(revoked).count == 2 && simulator.refreshes.count == 1)
    }
  }

  @Test("[C-9] the deletion of an account ends its connections, revokes their tokens and removes its imports")
  func deletion() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      try await importer.own.transaction { tx in
        for statement in ImporterSchema.removals { try await tx.execute(statement.init(userID: TestUser.ada.id)) }
      }
      #expect(try await eventually { simulator.requests("/revoke").count == 1 })
      #expect(try await eventually { try await importer.value("select count(*) from tracker_connections") == "0" })
      #expect(try await importer.value("select count(*) from tracker_imports") == "0")
    }
  }

  @Test("an account at a provider is connected by one user only")
  func another() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      let refused = try await refusal { try await importer.connect(simulator, as: .grace) }
      #expect(refused.code == .alreadyExists && refused.reason == "TRACKER_OF_ANOTHER")
    }
  }

  @Test(
    "a private address is no endpoint of a provider, however it is written",
    arguments: [
      "https://127.0.0.1", "https://localhost:443/x", "https://10.1.2.3", "https://192.168.0.1", "https://172.31.0.1",
      "https://169.254.169.254", "https://[::1]:80", "https://[fd00::1]", "https://0x7f000001", "https://2130706433",
      "https://[0:0:0:0:0:0:0:1]", "https://[::127.0.0.1]", "https://[64:ff9b::7f00:1]",
      "https://127.1", "https://metadata.internal", "https://0177.0.0.1", "https://intranet", "https://100.64.0.1",
      "http://www.strava.com", "https://www.strava.com/", "https://www.strava.com?x", "https://a@www.strava.com", "",
    ])
  func privateAddresses(url: String) {
    #expect(AllowedHosts.public.complaint(url) != nil)
  }

  @Test("the endpoints of every provider are public addresses")
  func publicAddresses() {
    for adapter in Providers.all {
      let urls = adapter.endpoints
      for url in [urls.authorization, urls.token, urls.data, urls.revocation].compactMap({ $0 }) {
        #expect(AllowedHosts.public.complaint(url) == nil, "\(url)")
      }
    }
  }
}

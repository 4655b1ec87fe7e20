import Cryptography
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@Suite("calls of webhooks that come again", .ownThreads, .timeLimit(.minutes(5)))
struct WebhookReplayTests {
  /// How many imports calls of webhooks have begun, once none runs.
  private static func begun(_ importer: RunningImporter) async throws -> String? {
    #expect(
      try await eventually {
        try await importer.value("select count(*) from tracker_imports where finished_at is null") == "0"
      })
    return try await importer.value("select count(*) from tracker_imports where cause = 'WEBHOOK'")
  }

  @Test("[IM-6] a signed call that is repeated with another query is a replay")
  func query() async throws {
    try await RunningImporter.withTrackers(["polar"]) { importer, simulator in
      simulator.answer("/v3/users") { _ in .json(#"{"polar-user-id":7001}"#) }
      for path in ["/v3/exercises", "/users/activities", "/users/sleep"] { simulator.answer(path) { _ in .json("[]") } }
      try await importer.imported(simulator, "polar")
      let body = Array(#"{"event":"EXERCISE","user_id":7001,"timestamp":"\#(importer.clock.now)"}"#.utf8)
      let signature = Digest.hmacSHA256(body, key: Array("webhook-secret".utf8)).map {
        ($0 < 16 ? "0" : "") + String($0, radix: 16)
      }.joined()
      for number in 0..<3 {
        let call = ReceiveWebhookRequest(
          provider: "polar", method: "POST", query: number == 0 ? [] : [.init(name: "x", value: "\(number)")],
          headers: [.init(name: "Polar-Webhook-Signature", value: signature)], body: body)
        #expect(try await importer.trackers.receiveWebhook(call).status == 200)
        #expect(try await Self.begun(importer) == "1", "\(number)")
      }
    }
  }

  @Test("[IM-6] a call that tells no time and says the same as one an hour ago is a new one")
  func timeless() async throws {
    try await RunningImporter.withTrackers(["withings"]) { importer, simulator in
      for path in ["/measure", "/sleep"] { simulator.answer(path) { _ in .json(#"{"status":0,"body":{}}"#) } }
      try await importer.imported(simulator, "withings")
      let call = ReceiveWebhookRequest(
        provider: "withings", method: "POST", query: [.init(name: "token", value: "webhook-secret")],
        body: Array("userid=7001&appli=16&date=2026-01-15".utf8))
      for expected in ["1", "1", "2"] {
        if expected == "2" { importer.clock.advance(by: .seconds(3_600)) }
        #expect(try await importer.trackers.receiveWebhook(call).status == 200)
        #expect(try await Self.begun(importer) == expected)
      }
    }
  }

  @Test("[IM-6] 29 B10: a call that came before its user had connected is no replay when it comes again")
  func early() async throws {
    try await RunningImporter.withTrackers(["withings"]) { importer, simulator in
      for path in ["/measure", "/sleep"] { simulator.answer(path) { _ in .json(#"{"status":0,"body":{}}"#) } }
      let call = ReceiveWebhookRequest(
        provider: "withings", method: "POST", query: [.init(name: "token", value: "webhook-secret")],
        body: Array("userid=7001&appli=16&date=2026-01-15".utf8))
      #expect(try await importer.trackers.receiveWebhook(call).status == 200)
      #expect(try await importer.value("select count(*) from tracker_webhook_calls") == "0")
      try await importer.imported(simulator, "withings")
      for _ in 0..<2 {
        #expect(try await importer.trackers.receiveWebhook(call).status == 200)
        #expect(try await Self.begun(importer) == "1")
      }
    }
  }

  @Test("[IM-6] a call for a user who has disconnected has no effect")
  func disconnected() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      let call = ReceiveWebhookRequest(
        provider: "strava", method: "POST", query: [.init(name: "token", value: "webhook-secret")],
        body: Array(
          #"{"aspect_type":"create","event_time":\#(importer.clock.now.wholeSeconds),"object_type":"activity","owner_id":7001}"#
            .utf8))
      #expect(try await importer.trackers.receiveWebhook(call).status == 200)
      #expect(try await Self.begun(importer) == "0")
    }
  }
}

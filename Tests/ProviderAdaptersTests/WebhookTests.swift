import Cryptography
import Identifiers
import Testing

@testable import ProviderAdapters

@Suite("webhooks of providers")
struct WebhookTests {
  private static func call(
    _ body: String = "", method: String = "POST", query: [String: String] = [:], headers: [String: String] = [:]
  ) -> WebhookCall { WebhookCall(method: method, query: query, headers: headers, body: Array(body.utf8)) }

  @Test("[IM-6] Strava's verification is answered with its challenge, to who knows the token")
  func stravaChallenge() throws {
    let query = [
      "hub.mode": "subscribe", "hub.challenge": "15f7\"d1a91c1f40f8a748fd134752feb3", "hub.verify_token": "s",
    ]
    let notice = try StravaWebhook().read(Self.call(method: "GET", query: query), secret: "s")
    #expect(
      notice == .challenge(WebhookReply(json: #"{"hub.challenge":"15f7\"d1a91c1f40f8a748fd134752feb3"}"#)))
    #expect(throws: WebhookRefusal.untrusted) {
      try StravaWebhook().read(Self.call(method: "GET", query: query), secret: "other")
    }
  }

  @Test("[IM-9] Strava's events say whose activities changed, and who has revoked the consent")
  func stravaEvents() throws {
    let body =
      #"{"aspect_type":"update","event_time":1516126040,"object_id":1360128428,"object_type":"activity","owner_id":134815}"#
    let revoked =
      #"{"aspect_type":"update","event_time":1516126040,"object_id":134815,"object_type":"athlete","owner_id":134815,"updates":{"authorized":"false"}}"#
    let time = Instant(microseconds: 1_516_126_040_000_000)
    #expect(
      try StravaWebhook().read(Self.call(body, query: ["token": "s"]), secret: "s")
        == .change(subject: "134815", activity: "1360128428", at: time))
    #expect(
      try StravaWebhook().read(Self.call(revoked, query: ["token": "s"]), secret: "s")
        == .revocation(subject: "134815", at: time))
    #expect(throws: WebhookRefusal.untrusted) { try StravaWebhook().read(Self.call(body), secret: "s") }
    #expect(throws: WebhookRefusal.malformed) {
      try StravaWebhook().read(Self.call("<", query: ["token": "s"]), secret: "s")
    }
  }

  @Test("[IM-6] Polar's signature is checked over the body as it came")
  func polar() throws {
    let body = #"{"event":"EXERCISE","user_id":475,"entity_id":"aQlC83","timestamp":"2018-05-15T14:22:24Z"}"#
    let signature = Digest.hmacSHA256(body.utf8, key: Array("s".utf8)).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    .joined()
    let headers = ["polar-webhook-event": "EXERCISE", "polar-webhook-signature": signature]
    guard case .change("475", nil, _?) = try PolarWebhook().read(Self.call(body, headers: headers), secret: "s") else {
      Issue.record("no change")
      return
    }
    #expect(throws: WebhookRefusal.untrusted) {
      try PolarWebhook().read(Self.call(body + " ", headers: headers), secret: "s")
    }
    #expect(throws: WebhookRefusal.untrusted) {
      try PolarWebhook().read(Self.call(body, headers: headers), secret: "t")
    }
  }

  @Test("[IM-6] Google's and Withings' calls are believed with the secret alone")
  func others() throws {
    let google = #"{"data":{"healthUserId":"9","operation":"UPSERT","dataType":"steps"}}"#
    #expect(
      try GoogleHealthWebhook().read(Self.call(google, headers: ["authorization": "s"]), secret: "s")
        == .change(subject: "9", at: nil))
    #expect(throws: WebhookRefusal.untrusted) {
      try GoogleHealthWebhook().read(Self.call(#"{"type":"verification"}"#), secret: "s")
    }
    let form = Self.call("userid=7001&appli=16&startdate=1&enddate=2", query: ["token": "s"])
    #expect(try WithingsWebhook().read(form, secret: "s") == .change(subject: "7001", at: nil))
    #expect(throws: WebhookRefusal.untrusted) { try WithingsWebhook().read(form, secret: "t") }
  }
}

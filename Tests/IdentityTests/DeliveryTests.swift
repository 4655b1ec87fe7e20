import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// What becomes of mail when mail servers do what mail servers do. The verification mail stands for all of it: there is one way for mail.
@Suite("mail that arrives")
struct DeliveryTests {
  /// The only delivery: its state, attempts, possible sends, seconds until it is due, and last failure.
  private struct Delivery: Equatable {
    var state: String
    var attempts: Int
    var possibleSends: Int
    var wait: Int

    init(_ identity: RunningIdentity) async throws {
      let now = "to_timestamp(\(identity.clock.now.wholeSeconds))"
      let row = try #require(
        try await identity.sql(
          "select state, attempts, possible_sends, extract(epoch from due_at - \(now))::integer from deliveries"
        ).first)
      state = row[0] ?? ""
      attempts = Int(row[1] ?? "") ?? -1
      possibleSends = Int(row[2] ?? "") ?? -1
      wait = Int(row[3] ?? "") ?? -1
    }
  }

  private static func registered(_ local: String, _ identity: RunningIdentity) async throws {
    _ = try await identity.accounts.register(Person(email: "\(local)@example.com", username: local).registration)
  }

  /// The delivery after its first attempt was noted.
  private static func afterFirstAttempt(_ identity: RunningIdentity) async throws -> Delivery {
    try await eventually("the first attempt has been noted") {
      let isNoted = try await identity.value("select 1 from deliveries where attempts = 1 and last_failure is not null")
      return isNoted == nil ? nil : try await Delivery(identity)
    }
  }

  @Test("[ID-61] greylisted mail is sent a minute later, and once")
  func greylisted() async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments) { identity in
        try await Self.registered("grey", identity)
        let first = try await Self.afterFirstAttempt(identity)
        let reason = try await identity.value("select last_failure from deliveries")
        identity.clock.advance(by: .seconds(60))
        let second = try await eventually("the mail was sent") {
          let delivery = try await Delivery(identity)
          return delivery.state == "SENT" ? delivery : nil
        }

        #expect(first.state == "DUE" && first.possibleSends == 0 && first.wait == 60)
        #expect(reason?.contains("450") == true)
        #expect(second.attempts == 2)
        #expect(try server.mails().count == 1)
      }
    }
  }

  @Test("[ID-61] a permanent refusal is recorded and not retried", arguments: ["never", "spam"])
  func refused(recipient: String) async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments) { identity in
        try await Self.registered(recipient, identity)
        let delivery = try await Self.afterFirstAttempt(identity)
        identity.clock.advance(by: .seconds(2 * 3_600))
        // Whoever registers later is served in the same round, or a later one.
        try await Self.registered("other", identity)
        _ = try await eventually("another mail was sent") { try server.mails().first }

        #expect(delivery.state == "REFUSED")
        #expect(
          try await identity.sql("select attempts, last_failure ~ '55[04]' from deliveries where state = 'REFUSED'")
            == [["1", "t"]])
        #expect(try server.mails().count == 1)
      }
    }
  }

  @Test("[ID-61] a server that hangs costs its own mail the attempt, and nobody else's")
  func hanging() async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments) { identity in
        try await Self.registered("hang", identity)
        let delivery = try await Self.afterFirstAttempt(identity)
        try await Self.registered("other", identity)
        _ = try await eventually("another mail was sent") { try server.mails().first }

        #expect(delivery.state == "DUE" && delivery.possibleSends == 0)
      }
    }
  }

  @Test("[ID-61] mail whose server dies after taking it is sent once more under the same Message-ID, and no more")
  func dead() async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments) { identity in
        try await Self.registered("dead", identity)
        let first = try await Self.afterFirstAttempt(identity)
        identity.clock.advance(by: .seconds(60))
        _ = try await eventually("it was sent again") { try server.mails().count == 2 ? true : nil }
        _ = try await eventually("it is given up") {
          identity.clock.advance(by: .seconds(120))
          return try await Delivery(identity).state == "UNSURE" ? true : nil
        }

        let ids = try server.mails().compactMap { mail in
          mail.split(separator: "\r\n").first { $0.hasPrefix("Message-ID: ") }
        }
        #expect(first.state == "DUE" && first.possibleSends == 1)
        #expect(ids.count == 2 && Set(ids).count == 1)
        #expect(try await Delivery(identity).attempts == 2)
      }
    }
  }

  @Test("[ID-61] mail whose server died after taking it is settled by the second attempt")
  func dying() async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments) { identity in
        try await Self.registered("dying", identity)
        _ = try await Self.afterFirstAttempt(identity)
        identity.clock.advance(by: .seconds(60))
        _ = try await eventually("it was sent") { try await Delivery(identity).state == "SENT" ? true : nil }

        let ids = try server.mails().compactMap { mail in
          mail.split(separator: "\r\n").first { $0.hasPrefix("Message-ID: ") }
        }
        #expect(ids.count == 2 && Set(ids).count == 1)
      }
    }
  }

  @Test("[ID-61] while the server is down mail is tried with doubling waits, and given up after 24 hours")
  func down() async throws {
    let arguments = ["--mail", "smtp://127.0.0.1:1", "--mail-starttls", "off"]
    try await RunningIdentity.with(CheapIdentity.self, arguments) { identity in
      try await Self.registered("ada", identity)
      var waits: [Int] = []
      for attempt in 1...3 {
        let delivery = try await Self.settledWait(attempt, identity)
        waits.append(delivery.wait)
        #expect(delivery.state == "DUE" && delivery.possibleSends == 0)
        identity.clock.advance(by: .seconds(delivery.wait))
      }
      let fourth = try await Self.settledWait(4, identity)
      identity.clock.advance(by: .seconds(24 * 3_600))
      _ = try await eventually("it is given up") { try await Delivery(identity).state == "EXPIRED" ? true : nil }

      #expect(waits == [60, 120, 240] && fourth.wait == 480)
      #expect(try await Delivery(identity).attempts == 4)
      #expect(try await identity.value("select last_failure like 'not sent for now: %' from deliveries") == "t")
    }
  }

  /// The delivery once its attempt of that number has surely failed without sending anything.
  private static func settledWait(_ attempt: Int, _ identity: RunningIdentity) async throws -> Delivery {
    try await eventually("attempt \(attempt) has failed") {
      let delivery = try await Delivery(identity)
      return delivery.attempts == attempt && delivery.possibleSends == 0 ? delivery : nil
    }
  }
}

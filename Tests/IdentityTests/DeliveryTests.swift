import IdentityHandlers
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// Mail delivery with failing mail servers. The verification mail stands for all mail, as there is one path for it.
@Suite("mail that arrives", .timeLimit(.minutes(5)))
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
    _ = try await identity.accounts.register(User(email: "\(local)@example.com", username: local).registration)
  }

  /// The delivery after its first attempt was noted.
  private static func afterFirstAttempt(_ identity: RunningIdentity) async throws -> Delivery {
    try await eventually("the first attempt has been noted") {
      let isNoted = try await identity.value("select 1 from deliveries where attempts = 1 and last_failure is not null")
      return isNoted == nil ? nil : try await Delivery(identity)
    }
  }

  /// Waits until `look` returns a value, and moves the clock to the next attempt whenever that is in the future.
  private static func eventuallyTryingAgain<Found>(
    _ what: String, _ identity: RunningIdentity, _ look: () async throws -> Found?
  ) async throws -> Found {
    try await eventually(what) {
      if let found = try await look() { return found }
      let delivery = try await Delivery(identity)
      if delivery.state == "DUE", delivery.wait > 0 { identity.clock.advance(by: .seconds(delivery.wait)) }
      return nil
    }
  }

  @Test("[ID-61] greylisted mail is sent a minute later, and once")
  func greylisted() async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments()) { identity in
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
      try await RunningIdentity.with(CheapIdentity.self, server.arguments()) { identity in
        try await Self.registered(recipient, identity)
        let delivery = try await Self.afterFirstAttempt(identity)
        identity.clock.advance(by: .seconds(2 * 3_600))
        // A user who registers later is served in the same round, or a later one.
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
      try await RunningIdentity.with(CheapIdentity.self, server.arguments(timeout: "3s")) { identity in
        try await Self.registered("hang", identity)
        let delivery = try await Self.afterFirstAttempt(identity)
        try await Self.registered("other", identity)
        _ = try await identity.eventuallyMailed("other") { try server.mails().first }

        #expect(delivery.state == "DUE" && delivery.possibleSends == 0)
      }
    }
  }

  @Test(
    "[ID-61] mail whose server dies or falls silent after taking it is sent once more under the same Message-ID, and no more",
    arguments: [("dead", "20s"), ("mute", "5s")])
  func dead(recipient: String, timeout: String) async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments(timeout: timeout)) { identity in
        try await Self.registered(recipient, identity)
        _ = try await Self.eventuallyTryingAgain("it is given up", identity) {
          try await Delivery(identity).state == "UNSURE" ? true : nil
        }

        let ids = try server.mails().compactMap(Self.messageID)
        #expect(ids.count == 2 && Set(ids).count == 1)
        #expect(try await Delivery(identity).possibleSends == 2)
      }
    }
  }

  @Test("[ID-61] mail whose server died after taking it is settled by the second attempt")
  func dying() async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments()) { identity in
        try await Self.registered("dying", identity)
        _ = try await Self.eventuallyTryingAgain("it was sent", identity) {
          try await Delivery(identity).state == "SENT" ? true : nil
        }

        let ids = try server.mails().compactMap(Self.messageID)
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

  @Test("[ID-61] several replicas that send at once send every mail once")
  func replicas() async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments()) { identity in
        let ada = try await identity.accounts.register(User.ada.registration).userID
        try await identity.sql("update accounts set verified_at = registered_at")
        try await RunningIdentity.with(on: identity.database, clock: identity.clock, server.arguments()) { _ in
          try await Replica.with(identity) { replica in
            for number in 1...40 { try await replica.tell(try .urgent(number, to: ada)) }
          }
          _ = try await eventually("all has been sent") {
            try await identity.value("select 1 where not exists (select from deliveries where state = 'DUE')")
          }
        }

        let ids = try server.mails().compactMap(Self.messageID).sorted()
        let sent = try await identity.sql("select id from deliveries where state = 'SENT'").compactMap { $0[0] }
        #expect(sent.count >= 40)
        #expect(ids == sent.map { "Message-ID: <\($0)@tandem.example>" }.sorted())
      }
    }
  }

  private static func messageID(_ mail: String) -> String? {
    mail.split(separator: "\r\n").first { $0.hasPrefix("Message-ID: ") }.map(String.init)
  }

  @Test("[ID-1] mail that was waiting when the way of mail changed is sent")
  func upgraded() async throws {
    let before = TestSchema(IdentitySchema.name, Array(IdentitySchema.migrations.prefix(3)))
    try await TestDatabase.with([before]) { database in
      let clock = ManualClock()
      try await Administration.session(database.url) { session in
        let now = "to_timestamp(\(clock.now.wholeSeconds))"
        _ = try session.run(
          """
          insert into identity.accounts (id, email, email_key, username, password_hash, registered_at)
          values (gen_random_uuid(), 'ada@example.com', 'ada@example.com', 'ada', '$scrypt$', \(now));
          """)
        _ = try session.run(
          """
          insert into identity.outgoing_mail (id, account_id, kind, due_at)
          select gen_random_uuid(), id, 'EMAIL_VERIFICATION', \(now) from identity.accounts
          """)
      }
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        let token = try await identity.mailedToken(to: "ada@example.com")
        _ = try await identity.accounts.verifyEmail(VerifyEmailRequest(token: token, password: User.ada.password))
      }
    }
  }
}

extension RunningIdentity {
  /// Waits until `look` finds a mail to a user. An attempt that took a busy machine longer than it may is made again at once: the clock, which
  /// stands still, never comes to the next one.
  func eventuallyMailed<Found>(_ username: String, _ look: () async throws -> Found?) async throws -> Found {
    try await eventually("the mail to \(username) is there", every: .milliseconds(20)) {
      if let found = try await look() { return found }
      let now = "to_timestamp(\(clock.now.microseconds) / 1000000.0)"
      // One that is under way counts as possibly sent.
      try await sql(
        """
        update deliveries set due_at = \(now)
        where account_id = (select id from accounts where username = '\(username)')
          and state = 'DUE' and attempts > 0 and possible_sends = 0 and due_at > \(now)
        """)
      return nil
    }
  }
}

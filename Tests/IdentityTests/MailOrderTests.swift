import Environment
import Foundation
import IdentityDomain
import IdentityHandlers
import IdentityOperations
import Identifiers
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

/// The order in which mail goes out, and how mails gather notices.
@Suite("mail in order", .timeLimit(.minutes(5)))
struct MailOrderTests {
  /// Queues mails about notices to ada in the database, each caused by another user, as a replica that stopped before
  /// sending them left them.
  private static func queue(_ count: Int, to login: LoginResponse, _ identity: RunningIdentity) async throws {
    let now = "to_timestamp(\(identity.clock.now.wholeSeconds))"
    try await identity.sql(
      """
      insert into inboxes (account_id, last_sequence) values ('\(login.userID)', \(count))
      on conflict (account_id) do update set last_sequence = \(count);
      insert into notifications (id, account_id, sequence, source_key, kind, title, body, subject, created_at)
      select gen_random_uuid(), '\(login.userID)', n, 'flood/' || n, 'BOOK_REQUESTED', 'x', 'x', '', \(now)
      from generate_series(1, \(count)) as n;
      insert into deliveries
        (id, account_id, channel, content, notification_id, urgency, share, turn, gathering, created_at, due_at)
      select gen_random_uuid(), account_id, 'MAIL', 'NOTIFICATION', id, 2, 1, sequence, sequence, \(now), \(now)
      from notifications where source_key like 'flood/%'
      """)
  }

  /// How many of the queued mails were sent.
  private static func sent(_ identity: RunningIdentity) async throws -> Int {
    Int(
      try await identity.value("select count(*) from deliveries where content = 'NOTIFICATION' and state = 'SENT'")
        ?? "") ?? 0
  }

  @Test("[ID-61] D-1: a verification mail goes before 10,000 notices that wait: a few of them go meanwhile at most")
  func verificationFirst() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await Self.queue(10_000, to: ada, identity)
      // Any mail wakes the senders.
      try await identity.verified(.grace)
      _ = try await eventually("the flood is being sent") { try await Self.sent(identity) > 20 ? true : nil }

      let before = try await Self.sent(identity)
      let clock = ContinuousClock()
      let begin = clock.now
      _ = try await identity.accounts.register(User.eve.registration)
      _ = try await identity.mailedToken(to: User.eve.email)
      let wait = clock.now - begin
      let after = try await Self.sent(identity)

      print("a verification waited \(wait) behind \(10_000 - before) notices; \(after - before) were sent meanwhile")
      #expect(before < 7_000 && after - before < 2_000, "\(before) before, \(after) after")
    }
  }

  @Test("[ID-61] D-1: mail servers that hang for notices hold no verification up")
  func hangingNotices() async throws {
    try await MailServer.with([]) { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments(timeout: "5s")) { identity in
        let account = try await identity.accounts.register(User(email: "ada@example.com", username: "ada").registration)
        _ = try await identity.eventuallyMailed("ada") { try server.mails().first }
        try await identity.sql("update accounts set verified_at = registered_at, email = 'hang@example.com'")
        try await Replica.with(identity) { replica in
          for number in 1...12 { try await replica.tell(try .urgent(number, to: account.userID)) }
        }
        _ = try await identity.accounts.register(User.grace.registration)
        _ = try await eventually("notices hang") {
          try await identity.value("select 1 from deliveries where content = 'NOTIFICATION' and attempts = 1")
        }
        _ = try await identity.accounts.register(User.eve.registration)

        _ = try await identity.eventuallyMailed(User.eve.username) {
          try server.mails().first { $0.contains("recipients eve@example.com") }
        }
        #expect(
          try await identity.value("select count(*) from deliveries where content = 'NOTIFICATION' and state = 'SENT'")
            == "0")
      }
    }
  }

  @Test("[ID-61] D-1: each user who causes notices has a turn: one of a quiet user goes before the rest of a flood")
  func turns() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let grace = try await identity.loggedIn(.grace)
      try await Self.queue(2_000, to: ada, identity)
      try await Replica.with(identity) { replica in
        try await replica.tell(try .request(to: grace, by: ada, because: "quiet"))
      }
      // Any mail wakes the senders.
      _ = try await identity.accounts.register(User.eve.registration)

      _ = try await eventually("the quiet user's is there") {
        try identity.mails(to: User.grace.email).first { $0.contains("Subject: One of your books is asked for") }
      }
      #expect(try await Self.sent(identity) < 1_500)
    }
  }

  @Test("[LE-1] D-1: 400 requests of one user for books are two mails to their owner, and the second tells of them all")
  func gathered() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let subject = "One of your books is asked for"
      try await Replica.with(identity) { replica in
        try await replica.tell(try .request("Dune", to: ada, by: grace, because: "1"))
        try await identity.wakeSenders()
        _ = try await identity.mails(to: User.ada.email, about: subject)
        for number in 2...400 {
          try await replica.tell(try .request("Book \(number)", to: ada, by: grace, because: "\(number)"))
        }
      }
      let queued = try await identity.value("select count(*) from deliveries where content = 'NOTIFICATION'")
      identity.clock.advance(by: .seconds(900))
      try await identity.wakeSenders()
      let mails = try await identity.mails(to: User.ada.email, about: subject, count: 2)
      try await identity.mailIsSent()

      #expect(queued == "2" && mails.count == 2)
      #expect(mails[1].unspacedMail.contains("borrow Book 2 from you"))
      #expect(mails[1].unspacedMail.contains("379 more are in the app"))
      #expect(try await identity.value("select count(*) from notifications") == "400")
      #expect(try identity.mails(to: User.ada.email).filter { $0.contains(subject) }.count == 2)
    }
  }

  @Test("[ID-61] D-1: a recipient gets 20 mails about ordinary notices in an hour, and then one for all of them")
  func capped() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let user = try #require(UserID(ada.userID))
      try await Replica.with(identity) { replica in
        for number in 1...60 {
          let cause = UserID(UUID7(high: 0, low: UInt64(number)))
          let news: News =
            number.isMultiple(of: 2)
            ? .bookRequested(title: "Dune", by: cause) : .loanCancelled(title: "Emma", by: cause)
          try await replica.tell(Notice(news, to: user, because: try #require(SourceKey("\(number)"))))
        }
        // What cannot wait is not capped.
        for number in 1...3 { try await replica.tell(try .urgent(number, to: ada.userID)) }
      }
      try await identity.wakeSenders()
      try await identity.mailIsSent()

      let ordinary = try await identity.value(
        "select count(*) from deliveries where content = 'NOTIFICATION' and urgency = 2")
      #expect(ordinary == "21")
      #expect(try await identity.value("select count(*) from gathered_notices") == "39")
      #expect(
        try await identity.value("select count(*) from deliveries where urgency = 1 and state = 'SENT'") == "3")
      let digest = try identity.mails(to: User.ada.email).filter { $0.contains("Subject: News for you") }
      #expect(digest.count == 1)
    }
  }
}

extension RunningIdentity {
  /// Has the service look for due mail, as every mail of its own does.
  func wakeSenders() async throws {
    let name = "waker\(try await value("select count(*) from accounts") ?? "")"
    _ = try await accounts.register(User(email: "\(name)@example.net", username: name).registration)
  }
}

import IdentityDomain
import IdentityStore
import TTRPC
import TandemEvents
import TandemIdentity
import TandemNotification
import TestServices
import TestSupport
import Testing

@Suite("users whom notifications name", .timeLimit(.minutes(5)))
struct NotifiedNamesTests {
  /// A user, and another whom they have added to a group.
  private struct Pair {
    let ada: LoginResponse
    let grace: LoginResponse
    let group: String

    init(_ identity: RunningIdentity) async throws {
      (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      group = try await identity.group(of: ada)
      try await identity.add(.grace, to: group, by: ada)
    }
  }

  private static func delete(_ login: LoginResponse, _ identity: RunningIdentity) async throws {
    _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(login))
  }

  private static func rename(_ login: LoginResponse, to name: String, _ identity: RunningIdentity) async throws {
    _ = try await identity.accounts.changeUsername(ChangeUsernameRequest(username: name), .user(login))
  }

  /// The inbox of a user, the newest first.
  private static func bodies(_ login: LoginResponse, _ identity: RunningIdentity) async throws -> [String] {
    try await identity.notifications.listNotifications(ListNotificationsRequest(), .user(login)).notifications
      .map(\.body)
  }

  @Test("[C-9] what others were notified of does not name a user who deleted the account, nor who takes the name then")
  func deleted() async throws {
    try await RunningIdentity.with { identity in
      let pair = try await Pair(identity)
      try await Self.delete(pair.ada, identity)
      try await identity.verified(User(email: "other@example.com", username: "ada"))

      let listed = try await Self.bodies(pair.grace, identity)
      let streamed = try await identity.notifications.streamNotifications(
        StreamNotificationsRequest(after: 0), .user(pair.grace)
      ) { stream in
        for try await message in stream {
          if let told = message.notification, told.kind == .groupJoined { return told.body }
        }
        return ""
      }

      #expect(listed.contains("You joined the group Runners by the invitation of a deleted user."))
      #expect(streamed == "You joined the group Runners by the invitation of a deleted user.")
      let stored = "select count(*) from notifications where title like '%ada%' or body like '%ada%'"
      #expect(try await identity.value(stored) == "0")
    }
  }

  @Test("[ID-22] what others were notified of names a user as they are called now")
  func renamed() async throws {
    try await RunningIdentity.with { identity in
      let pair = try await Pair(identity)
      try await Self.rename(pair.ada, to: "lovelace", identity)
      try await Self.rename(pair.grace, to: "hopper", identity)

      let (graces, adas) = (try await Self.bodies(pair.grace, identity), try await Self.bodies(pair.ada, identity))
      #expect(graces.contains("You joined the group Runners by the invitation of lovelace."))
      #expect(adas == ["hopper joined the group Runners by your invitation."])
    }
  }

  @Test("[C-10] after a block a notification does not tell the other's name, unless both are in a group")
  func blocked() async throws {
    try await RunningIdentity.with { identity in
      let pair = try await Pair(identity)
      _ = try await identity.safety.blockUser(BlockUserRequest(userID: pair.grace.userID), .user(pair.ada))
      try await Self.rename(pair.ada, to: "lovelace", identity)
      let inGroup = try await Self.bodies(pair.grace, identity)
      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: pair.group), .user(pair.ada))

      let (graces, adas) = (try await Self.bodies(pair.grace, identity), try await Self.bodies(pair.ada, identity))
      #expect(inGroup.contains("You joined the group Runners by the invitation of lovelace."))
      #expect(graces.contains("You joined the group Runners by the invitation of a deleted user."))
      #expect(adas == ["A deleted user joined the group Runners by your invitation."])
    }
  }

  @Test("[C-9] what another service had users notified of does not name a user who deleted the account")
  func requested() async throws {
    try await FollowedServices.with([LendingName.self]) { services in
      try await services.withIdentity { identity in
        let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
        try await services.lending.tell(
          .chatMessage(.init(senderID: ada.userID, conversation: "Readers")), to: [grace.userID], because: "chats/1")
        let before = try await eventually("it is there") {
          try await identity.notifications.listNotifications(ListNotificationsRequest(), .user(grace))
            .notifications.first
        }
        try await Self.delete(ada, identity)
        let after = try await identity.notifications.listNotifications(ListNotificationsRequest(), .user(grace))

        #expect(before.title == "New message from ada" && before.body == "ada wrote to you in Readers.")
        #expect(after.notifications.map(\.title) == ["New message from a deleted user"])
        #expect(after.notifications.map(\.body) == ["A deleted user wrote to you in Readers."])
      }
    }
  }

  /// Has a user notified of groups that they joined, by mail and push, and not of invitations.
  private static func wantsOnlyJoins(_ user: LoginResponse, _ identity: RunningIdentity) async throws {
    let wishes = Preferences(kinds: [
      KindPreference(kind: .groupJoined, mail: true, push: true),
      KindPreference(kind: .groupInvited, mail: false, push: false),
    ])
    _ = try await identity.notifications.updatePreferences(UpdatePreferencesRequest(preferences: wishes), .user(user))
  }

  @Test("[C-9] a mail that is sent after a user's deletion does not name them")
  func mailed() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      let logins = Gathered<(ada: LoginResponse, grace: LoginResponse)>()
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        logins.add((try await identity.loggedIn(), try await identity.loggedIn(.grace)))
      }
      let users = try #require(logins.all.first)
      let isDown = ["--mail", "smtp://127.0.0.1:1", "--mail-starttls", "off"]
      try await RunningIdentity.with(on: database, clock: clock, isDown) { identity in
        try await Self.wantsOnlyJoins(users.grace, identity)
        try await identity.add(.grace, to: try await identity.group(of: users.ada), by: users.ada)
        _ = try await eventually("the first attempt has failed") {
          try await identity.value("select 1 from deliveries where state = 'DUE' and last_failure is not null")
        }
        try await Self.delete(users.ada, identity)
      }
      clock.advance(by: .seconds(60))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        let mail = try await eventually("the mail is there") { try identity.mails(to: User.grace.email).first }

        #expect(mail.contains("\r\nYou joined the group Runners by the invitation of a deleted user.\r\n"))
        #expect(mail.contains("<p>You joined the group Runners by the invitation of a deleted user.</p>"))
      }
    }
  }

  @Test("[C-9] a push that is sent after a user's deletion does not name them")
  func pushed() async throws {
    try await PushServer.with { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments()) { identity in
        let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
        let device = RegisterDeviceRequest(token: "busy-1", platform: .apple)
        _ = try await identity.notifications.registerDevice(device, .user(grace))
        try await Self.wantsOnlyJoins(grace, identity)
        try await identity.add(.grace, to: try await identity.group(of: ada), by: ada)
        _ = try await eventually("the gateway was busy") {
          try await identity.value(
            "select 1 from deliveries where channel = 'PUSH' and state = 'DUE' and last_failure is not null")
        }
        try await Self.delete(ada, identity)
        identity.clock.advance(by: .seconds(600))
        _ = try await eventually("it was sent") {
          try await identity.value("select 1 from deliveries where channel = 'PUSH' and state = 'SENT'")
        }

        let body = try server.pushes().last?.body["body"]
        #expect(body == "You joined the group Runners by the invitation of a deleted user.")
      }
    }
  }
}

/// What was stored before notifications named users by id.
extension NotifiedNamesTests {
  /// Ada is there, Grace calls herself hopper since, Eve has deleted her account.
  private static let before = """
    insert into accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
    select id::uuid, name || '@x.org', name || '@x.org', name, '$x$y', '2026-01-01', '2026-01-01'
    from (values ('\(someID(1))', 'Ada'), ('\(someID(2))', 'hopper'), ('\(someID(3))', 'joan')) as users (id, name);
    insert into username_reservations (username_key, account_id, expires_at)
    values ('grace.h', '\(someID(2))', '2026-02-10');
    insert into security_events (id, account_id, kind, address, occurred_at)
    values (gen_random_uuid(), '\(someID(2))', 'USERNAME_CHANGED', '', '2026-01-11');
    insert into inboxes (account_id, last_sequence) values ('\(someID(1))', 1), ('\(someID(2))', 1), ('\(someID(3))', 20);
    insert into notifications (id, account_id, sequence, source_key, kind, title, body, subject, created_at)
    values
      (gen_random_uuid(), '\(someID(1))', 1, 'memberships/1', 'GROUP_MEMBER_ADDED', 'X has a new member',
        'You added grace.h to the group X.', '', '2026-01-05'),
      (gen_random_uuid(), '\(someID(2))', 1, 'memberships/1', 'GROUP_JOINED', 'You are now a member of X',
        'Ada added you to the group X.', '', '2026-01-05');
    insert into notifications (id, account_id, sequence, source_key, kind, title, body, subject, created_at)
    select gen_random_uuid(), '\(someID(3))', n, n, kind, title, body, '', created_at::timestamptz
    from (values
      (1, 'GROUP_JOINED', 'You are now a member of X', 'eve added you to the group X.', '2026-01-05'),
      (2, 'BOOK_REQUESTED', 'Somebody wants to borrow X', 'Ada would like to borrow X from you.', '2026-01-05'),
      (3, 'BOOK_REQUESTED', 'Somebody wants to borrow X', 'grace.h would like to borrow X from you.', '2026-01-05'),
      (4, 'BOOK_REQUESTED', 'Somebody wants to borrow X', 'hopper would like to borrow X from you.', '2026-01-05'),
      (5, 'BOOK_REQUESTED', 'Somebody wants to borrow X', 'hopper would like to borrow X from you.', '2026-01-12'),
      (6, 'LOAN_CANCELLED', 'The loan of X was cancelled', 'eve cancelled the loan of X. It is not handed over.',
        '2026-01-05'),
      (7, 'SESSION_STARTED', 'Your session starts', 'You and eve have both checked in at X. Have fun!', '2026-01-05'),
      (8, 'SESSION_STARTED', 'Your session starts', 'You and ada have both checked in at X. Have fun!', '2026-01-05'),
      (9, 'CHAT_MESSAGE', 'New message from eve', 'eve wrote to you in X.', '2026-01-05'),
      (10, 'PARTNER_CHECKED_IN', 'Ada has checked in', 'Ada has checked in at X and waits for you.', '2026-01-05'),
      (11, 'BOOK_REQUESTED', 'Somebody wants to borrow X', 'Ada would like to borrow X from you.', '2025-12-31'),
      (12, 'REQUEST_DECLINED', 'Your request for X was declined', 'The owner of X declined your request.', '2026-01-05')
    ) as told (n, kind, title, body, created_at);
    """

  @Test("[C-9] what was stored by name names users by id after the migration, and those that are not known not at all")
  func upgraded() async throws {
    let old = TestSchema(
      IdentitySchema.name, Array(IdentitySchema.migrations.prefix { $0.name != "named_users" }))
    try await TestDatabase.with([old]) { database in
      try await database.sql(Self.before, in: "identity")
      try await RunningIdentity.with(on: database, clock: ManualClock()) { identity in
        try await identity.sql("update accounts set username = 'lovelace' where username = 'Ada'")
        func told(_ user: Int) async throws -> [[String?]] {
          try await identity.sql(
            """
            select title, body, coalesce(right(named_user_id::text, 1), '') from notifications
            where account_id = '\(someID(user))' order by sequence
            """)
        }
        let name = "\u{FFFC}"

        #expect(try await told(1) == [["X has a new member", "You added \(name) to the group X.", "2"]])
        #expect(try await told(2) == [["You are now a member of X", "\(name) added you to the group X.", "1"]])
        let request = "Somebody wants to borrow X"
        let wish = "would like to borrow X from you."
        #expect(
          try await told(3) == [
            ["You are now a member of X", "\(name) added you to the group X.", ""],
            [request, "\(name) \(wish)", "1"], [request, "\(name) \(wish)", "2"],
            [request, "Another user \(wish)", ""], [request, "\(name) \(wish)", "2"],
            ["The loan of X was cancelled", "Another user cancelled the loan of X. It is not handed over.", ""],
            ["Your session starts", "You and another user have both checked in at X. Have fun!", ""],
            ["Your session starts", "You and \(name) have both checked in at X. Have fun!", "1"],
            ["New message from another user", "Another user wrote to you in X.", ""],
            ["\(name) has checked in", "\(name) has checked in at X and waits for you.", "1"],
            [request, "Another user \(wish)", ""],
            ["Your request for X was declined", "The owner of X declined your request.", ""],
          ])
      }
    }
  }
}

import IdentityDomain
import IdentityHandlers
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

/// What an account keeps at most, whatever its user does.
@Suite("quotas of an account", .timeLimit(.minutes(5)))
struct QuotaTests {
  @Test("[ID-60] an inbox keeps its newest 5,000 notifications, and numbers them on")
  func inbox() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.sql(
        """
        insert into inboxes (account_id, last_sequence) values ('\(ada.userID)', 5000);
        insert into notifications (id, account_id, sequence, source_key, kind, title, body, subject, created_at)
        select gen_random_uuid(), '\(ada.userID)', n, 'old/' || n, 'LOAN_DUE', 'x', 'x', '', now()
        from generate_series(1, 5000) as n
        """)
      try await Replica.with(identity) { replica in
        for number in 1...2 { try await replica.tell(try .request(to: ada, because: "\(number)")) }
      }

      let newest = try await identity.notifications.listNotifications(
        ListNotificationsRequest(pageSize: 1), .user(ada))
      #expect(newest.notifications.map(\.sequence) == [5_002])
      #expect(try await identity.sql("select count(*), min(sequence) from notifications") == [["5000", "3"]])
    }
  }

  @Test("[ID-5] an account has 100 sessions: the next login ends the one used least recently, which is refused at once")
  func sessions() async throws {
    try await RunningIdentity.with { identity in
      let first = try await identity.loggedIn()
      identity.clock.advance(by: .seconds(1))
      let second = try await identity.accounts.login(User.ada.login)
      identity.clock.advance(by: .seconds(1))
      let used = try await identity.accounts.refresh(RefreshRequest(refreshToken: first.refreshToken))
      try await identity.sql(
        """
        insert into sessions
          (id, account_id, family_hash, refresh_hash, device_label, address, created_at, last_used_at, expires_at)
        select gen_random_uuid(), account_id, sha256(n::text::bytea), sha256(('x' || n)::bytea), '', '', created_at,
          last_used_at + interval '1 hour', expires_at
        from sessions cross join generate_series(1, 98) as n where id = '\(second.sessionID)'
        """)

      let newest = try await identity.accounts.login(User.ada.login)

      let ended = try await refusal { try await identity.ownAccount(second) }
      #expect(ended.reason == "TOKEN_REVOKED")
      _ = try await identity.accounts.getOwnAccount(GetOwnAccountRequest(), .token(used.accessToken))
      _ = try await identity.ownAccount(newest)
      #expect(try await identity.value("select count(*) from sessions where revoked_at is null") == "100")
    }
  }

  @Test("[C-9] an account with a full inbox and its pushes of a month is deleted within the time of a statement")
  func deletion() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.sql(
        """
        insert into inboxes (account_id, last_sequence) values ('\(ada.userID)', 5000);
        insert into notifications (id, account_id, sequence, source_key, kind, title, body, subject, created_at)
        select gen_random_uuid(), '\(ada.userID)', n, 'old/' || n, 'LOAN_DUE', 'x', 'x', '', now()
        from generate_series(1, 5000) as n;
        insert into devices (id, account_id, platform, token_hash, sealed_token, registered_at)
        select gen_random_uuid(), '\(ada.userID)', 'WEB', sha256(n::text::bytea), 'x', now()
        from generate_series(1, 20) as n;
        insert into deliveries
          (id, account_id, channel, content, notification_id, device_id, state, created_at, due_at, settled_at)
        select gen_random_uuid(), '\(ada.userID)', 'PUSH', 'NOTIFICATION', n.id, d.id, 'SENT', now(), now(), now()
        from notifications as n cross join devices as d
        """)

      _ = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: User.ada.password), .user(ada))

      #expect(try await identity.value("select count(*) from deliveries") == "0")
    }
  }
}

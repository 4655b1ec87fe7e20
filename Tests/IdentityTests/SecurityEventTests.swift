import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("what is noted of accounts", .ownThreads)
struct SecurityEventTests {
  private struct Trail: Sendable {
    let identity: RunningIdentity
    let certificates: SuiteCertificates

    func listed(_ call: ListSecurityEventsRequest, as caller: String = "operator") async throws
      -> ListSecurityEventsResponse
    {
      let client = identity.connected(by: try certificates.client(of: "identity", as: caller))
      do {
        let answer = try await OperatorsClient(client).listSecurityEvents(call)
        await client.close()
        return answer
      } catch {
        await client.close()
        throw error
      }
    }

    /// The security events of an account, the oldest first.
    func kinds(of userID: String) async throws -> [SecurityEventKind] {
      try await listed(.init(userID: userID)).events.map(\.kind).reversed()
    }
  }

  private func with(_ body: @escaping @Sendable (RunningIdentity, Trail) async throws -> Void) async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        try await body(identity, Trail(identity: identity, certificates: certificates))
      }
    }
  }

  @Test("[ID-10] wrong passwords, the lock that they bring and logins are noted with the address and the time")
  func logins() async throws {
    try await with { identity, trail in
      let ada = try await identity.loggedIn()
      identity.clock.advance(by: .seconds(60))
      let beginning = identity.clock.now
      for _ in 0..<6 {
        identity.clock.advance(by: .seconds(1))
        _ = try await refusal {
          try await identity.accounts.login(LoginRequest(emailOrUsername: "ada", password: "wrong"))
        }
      }

      let all = try await trail.listed(.init(userID: ada.userID)).events
      #expect(
        try await trail.kinds(of: ada.userID).map { "\($0)" }.sorted()
          == ([.loggedIn, .locked] + Array(repeating: SecurityEventKind.passwordWrong, count: 5)).map { "\($0)" }
          .sorted())
      #expect(all.last?.kind == .loggedIn && all.last?.sessionID == ada.sessionID)
      #expect(all.allSatisfy { $0.address == "127.0.0.1" && $0.userID == ada.userID })
      let third = Int64(beginning.wholeSeconds + 3)
      let within = try await trail.listed(
        .init(userID: ada.userID, startTime: .init(seconds: third - 1), endTime: .init(seconds: third + 1))
      ).events
      #expect(within.map { $0.occurTime?.seconds } == [third, third - 1])
    }
  }

  @Test("[ID-10] a login by a name that nobody has is noted as nobody's, with the same work")
  func nobody() async throws {
    try await with { identity, trail in
      _ = try await refusal {
        try await identity.accounts.login(LoginRequest(emailOrUsername: "nobody", password: "wrong"))
      }

      let events = try await trail.listed(.init()).events
      #expect(events.filter { $0.kind == .passwordWrong }.map(\.userID) == [""])
      #expect(events.contains { $0.kind == .keyMade })
    }
  }

  @Test("[ID-8] [ID-9] [ID-7] new passwords and ended sessions are noted")
  func passwords() async throws {
    try await with { identity, trail in
      let (ada, other) = (try await identity.loggedIn(), try await identity.accounts.login(User.ada.login))
      identity.clock.advance(by: .seconds(1))
      let change = ChangePasswordRequest(
        oldPassword: User.ada.password, newPassword: "another-Saddle 7 paperclip")

      _ = try await identity.accounts.changePassword(change, .user(ada))

      let events = try await trail.listed(.init(userID: ada.userID)).events
      #expect(Set(events.prefix(2).map { "\($0.kind)" }) == ["passwordChanged", "sessionEnded"])
      #expect(events.first { $0.kind == .sessionEnded }?.sessionID == other.sessionID)
      _ = try await identity.accounts.requestPasswordReset(RequestPasswordResetRequest(email: User.ada.email))
      _ = try await eventually("the wish is noted") {
        try await trail.kinds(of: ada.userID).contains(.resetRequested) ? true : nil
      }
    }
  }

  @Test("[ID-11] passkeys that come and go, logins by them, and a counter that stands still are noted")
  func passkeys() async throws {
    try await with { identity, trail in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      let login = try await identity.logIn(device, of: ada, count: 3)
      _ = try await refusal { try await identity.logIn(device, of: ada, count: 3) }
      let passkey = try #require(try await identity.passkeys.listPasskeys(.init(), .user(ada)).passkeys.first)
      _ = try await identity.passkeys.deletePasskey(DeletePasskeyRequest(id: passkey.id), .user(ada))

      let events = try await trail.listed(.init(userID: ada.userID)).events
      #expect(
        Set(events.map { "\($0.kind)" })
          == ["loggedIn", "passkeyAdded", "passkeyCounterRefused", "passkeyRemoved"])
      #expect(Set(events.filter { $0.kind == .loggedIn }.map(\.sessionID)) == [ada.sessionID, login.sessionID])
    }
  }

  @Test("[C-5] [C-2] events are listed page by page, for operators alone")
  func pages() async throws {
    try await with { identity, trail in
      let ada = try await identity.loggedIn()
      for _ in 0..<3 { _ = try await identity.accounts.login(User.ada.login) }

      var (call, seen) = (ListSecurityEventsRequest(userID: ada.userID, pageSize: 3), [String]())
      repeat {
        let page = try await trail.listed(call)
        seen += page.events.map(\.eventID)
        call.pageToken = page.nextPageToken
      } while !call.pageToken.isEmpty

      #expect(seen.count == 4 && Set(seen).count == 4)
      let service = try await refusal { try await trail.listed(.init(), as: "lending") }
      #expect(service.code == .permissionDenied && service.reason == "CALLER_NOT_ALLOWED")
      let bad = try await refusal {
        try await trail.listed(.init(userID: "x", startTime: .init(seconds: .max), pageSize: -1))
      }
      #expect(bad.fields == ["page_size", "user_id", "start_time"])
    }
  }

  @Test("[C-9] what was noted of an account goes with it, and what is 180 days old goes anyway")
  func forgets() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        let ada = try await identity.loggedIn()
        try await identity.verified(.grace)
        _ = try await identity.accounts.login(User.grace.login)
        _ = try await identity.accounts.deleteAccount(
          DeleteAccountRequest(password: User.ada.password), .user(ada))
        #expect(
          try await identity.value("select count(*) from security_events where kind = 'LOGGED_IN'") == "1")
      }
      clock.advance(by: .seconds(180 * 86_400))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("it is gone") {
          try await identity.value("select 1 where not exists (select from security_events where kind = 'LOGGED_IN')")
        }
      }
    }
  }
}

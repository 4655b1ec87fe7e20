import TTRPC
import TandemIdentity
import TestSupport
import Testing

extension RunningIdentity {
  /// The caller's sessions as they are listed.
  func sessions(_ login: LoginResponse) async throws -> [Session] {
    try await accounts.listSessions(ListSessionsRequest(), .user(login)).sessions
  }

  /// Logs in once more.
  func login(_ user: User = .ada, on device: String) async throws -> LoginResponse {
    try await accounts.login(
      LoginRequest(emailOrUsername: user.email, password: user.password, deviceLabel: device))
  }

  /// Ends a session.
  func revoke(_ session: LoginResponse, by caller: LoginResponse) async throws {
    _ = try await accounts.revokeSession(RevokeSessionRequest(sessionID: session.sessionID), .user(caller))
  }

  /// The refusal of the next refresh of a session.
  func refusedRefresh(of login: LoginResponse) async throws -> Status {
    try await refusal { try await accounts.refresh(RefreshRequest(refreshToken: login.refreshToken)) }
  }

  /// The ended sessions that were reported to the other services.
  func toldEnds() async throws -> [String] {
    try await sql("select key from events where topic = 'identity.sessions' order by transaction_id, id")
      .compactMap { $0.first ?? nil }
  }
}

@Suite("the list of sessions", .timeLimit(.minutes(5)))
struct SessionListTests {
  @Test("[ID-7] sessions are listed with device, times and address, the latest login first, each to its owner alone")
  func lists() async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        try await identity.verified()
        let began = identity.clock.now.wholeSeconds
        let phone = try await identity.login(on: "Ada's phone")
        identity.clock.advance(by: .seconds(60))
        let laptop = try await identity.login(on: "")
        identity.clock.advance(by: .seconds(60))
        let grace = try await identity.loggedIn(.grace)
        let gateway = identity.connected(by: try certificates.client(of: "identity", as: "gateway"))
        _ = try await AccountsClient(gateway).refresh(
          RefreshRequest(refreshToken: phone.refreshToken),
          CallOptions(metadata: ["x-forwarded-for": "2001:db8::7"]))
        await gateway.close()

        let listed = try await identity.sessions(laptop)

        #expect(listed.map(\.sessionID) == [laptop.sessionID, phone.sessionID])
        #expect(listed.map(\.deviceLabel) == ["", "Ada's phone"])
        #expect(listed.map(\.current) == [true, false])
        #expect(listed.map(\.address) == ["127.0.0.1", "2001:db8::7"])
        #expect(listed.map { $0.createTime?.seconds } == [began + 60, began])
        #expect(listed.map { $0.lastUseTime?.seconds } == [began + 60, began + 120])
        #expect(listed.map { $0.expireTime?.seconds } == [began + 60, began + 120].map { $0 + 30 * 86_400 })
        #expect(try await identity.sessions(phone).map(\.current) == [false, true])
        #expect(try await identity.sessions(grace).map(\.sessionID) == [grace.sessionID])
      }
    }
  }

  @Test("[ID-7] what has ended or expired is not listed")
  func leavesOut() async throws {
    try await RunningIdentity.with { identity in
      let first = try await identity.loggedIn()
      let loggedOut = try await identity.login(on: "tablet")
      _ = try await identity.accounts.logout(LogoutRequest(), .user(loggedOut))
      let before = try await identity.sessions(first).map(\.sessionID)
      identity.clock.advance(by: .seconds(30 * 86_400))
      let later = try await identity.login(on: "phone")

      let after = try await identity.sessions(later).map(\.sessionID)

      #expect(before == [first.sessionID] && after == [later.sessionID])
    }
  }

  @Test("[C-5] sessions are listed page by page while others begin, are used and end; a foreign token is refused")
  func pages() async throws {
    try await RunningIdentity.with { identity in
      var logins = [try await identity.loggedIn()]
      for number in 1..<7 {
        // Two at the same moment are distinguished by their ids.
        if number.isMultiple(of: 2) { identity.clock.advance(by: .seconds(1)) }
        logins.append(try await identity.login(on: "\(number)"))
      }
      let caller = CallOptions.user(logins[6])

      let first = try await identity.accounts.listSessions(ListSessionsRequest(pageSize: 3), caller)
      _ = try await identity.accounts.refresh(RefreshRequest(refreshToken: logins[0].refreshToken))
      _ = try await identity.login(on: "new")
      try await identity.revoke(logins[6], by: logins[0])
      let rest = try await identity.accounts.listSessions(
        ListSessionsRequest(pageSize: 3, pageToken: first.nextPageToken), .user(logins[5]))
      let last = try await identity.accounts.listSessions(
        ListSessionsRequest(pageSize: 3, pageToken: rest.nextPageToken), .user(logins[5]))

      let shown = (first.sessions + rest.sessions + last.sessions).map(\.sessionID)
      #expect(shown.count == 7 && Set(shown) == Set(logins.map(\.sessionID)) && last.nextPageToken.isEmpty)
      let grace = try await identity.loggedIn(.grace)
      let foreign = try await refusal {
        try await identity.accounts.listSessions(
          ListSessionsRequest(pageSize: 3, pageToken: first.nextPageToken), .user(grace))
      }
      #expect(foreign.code == .invalidArgument && foreign.fieldReasons == ["PAGE_TOKEN_INVALID"])
    }
  }

  @Test("[ID-7] an ended session has neither a refresh nor an access token, is told of once, and the caller's goes on")
  func revokes() async throws {
    try await RunningIdentity.with { identity in
      let (here, lost) = (try await identity.loggedIn(), try await identity.login(on: "lost phone"))

      try await identity.revoke(lost, by: here)

      #expect(try await identity.refusedRefresh(of: lost).reason == "SESSION_REVOKED")
      let access = try await refusal { try await identity.sessions(lost) }
      #expect(access.code == .unauthenticated && access.reason == "TOKEN_REVOKED")
      #expect(try await identity.sessions(here).map(\.sessionID) == [here.sessionID])
      #expect(try await identity.toldEnds() == [lost.sessionID])
      let noted = try await identity.sql(
        "select account_id, session_id from security_events where kind = 'SESSION_ENDED'")
      #expect(noted == [[here.userID, lost.sessionID]])
      let again = try await refusal { try await identity.revoke(lost, by: here) }
      #expect(again.code == .notFound && again.reason == "SESSION_NOT_FOUND")
    }
  }

  @Test("[ID-7] the session of the call itself can be ended")
  func revokesCurrent() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()

      try await identity.revoke(login, by: login)

      #expect(try await refusal { try await identity.sessions(login) }.reason == "TOKEN_REVOKED")
      #expect(try await identity.refusedRefresh(of: login).reason == "SESSION_REVOKED")
    }
  }

  @Test("[ID-7] [C-2] nobody ends another's session, one that never was, or what is no session")
  func revokesNothing() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))

      let foreign = try await refusal { try await identity.revoke(ada, by: grace) }
      var invented = ada
      invented.sessionID = "0197a5a0-1111-7000-8000-00000000000a"
      let unknown = try await refusal { try await identity.revoke(invented, by: ada) }
      let bad = try await refusal {
        try await identity.accounts.revokeSession(
          RevokeSessionRequest(sessionID: "' or true --", requestID: "x"), .user(ada))
      }

      #expect(foreign.code == .notFound && foreign == unknown && foreign.reason == "SESSION_NOT_FOUND")
      #expect(bad.code == .invalidArgument && bad.fields == ["request_id", "session_id"])
      #expect(try await identity.toldEnds().isEmpty)
      #expect(try await identity.sessions(ada).count == 1)
    }
  }

  @Test("[C-4] a repeated revocation gets its first answer")
  func repeatsRevocation() async throws {
    try await RunningIdentity.with { identity in
      let (here, lost) = (try await identity.loggedIn(), try await identity.login(on: "lost phone"))
      let call = RevokeSessionRequest(
        sessionID: lost.sessionID, requestID: "0197a5a0-1111-7000-8000-00000000000b")

      let results = await identity.race(32) { client, _ in
        try await AccountsClient(client).revokeSession(call, .user(here))
      }

      #expect(results.successes().count == 32, "\(results.refusals())")
      #expect(try await identity.toldEnds() == [lost.sessionID])
    }
  }

  @Test("[ID-7] of 32 callers who end one session at once one does, and it is told of once")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let (here, lost) = (try await identity.loggedIn(), try await identity.login(on: "lost phone"))

      let results = await identity.race(32) { client, _ in
        try await AccountsClient(client).revokeSession(RevokeSessionRequest(sessionID: lost.sessionID), .user(here))
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.reason) == Array(repeating: "SESSION_NOT_FOUND", count: 31))
      #expect(try await identity.toldEnds() == [lost.sessionID])
    }
  }
}

@Suite("logging out everywhere", .timeLimit(.minutes(5)))
struct LogoutEverywhereTests {
  private func sessions(_ identity: RunningIdentity, _ count: Int) async throws -> [LoginResponse] {
    var logins = [try await identity.loggedIn()]
    for number in 1..<count { logins.append(try await identity.login(on: "\(number)")) }
    return logins
  }

  @Test(
    "[ID-7] logging out everywhere ends every session, this one included",
    arguments: [LogoutScope.allSessions, .unspecified])
  func everySession(scope: LogoutScope) async throws {
    try await RunningIdentity.with { identity in
      let logins = try await sessions(identity, 3)
      let grace = try await identity.loggedIn(.grace)

      let answer = try await identity.accounts.logoutEverywhere(
        LogoutEverywhereRequest(scope: scope), .user(logins[1]))

      #expect(answer.endedSessionCount == 3)
      for login in logins {
        #expect(try await identity.refusedRefresh(of: login).reason == "SESSION_REVOKED")
        #expect(try await refusal { try await identity.sessions(login) }.reason == "TOKEN_REVOKED")
      }
      #expect(Set(try await identity.toldEnds()) == Set(logins.map(\.sessionID)))
      #expect(try await identity.sessions(grace).count == 1)
      _ = try await identity.accounts.login(User.ada.login)
    }
  }

  @Test("[ID-7] logging out everywhere else keeps the session of the call")
  func otherSessions() async throws {
    try await RunningIdentity.with { identity in
      let logins = try await sessions(identity, 3)
      let call = LogoutEverywhereRequest(scope: .otherSessions)

      let answer = try await identity.accounts.logoutEverywhere(call, .user(logins[1]))
      let again = try await identity.accounts.logoutEverywhere(call, .user(logins[1]))

      #expect(answer.endedSessionCount == 2 && again.endedSessionCount == 0)
      #expect(try await identity.sessions(logins[1]).map(\.sessionID) == [logins[1].sessionID])
      _ = try await identity.accounts.refresh(RefreshRequest(refreshToken: logins[1].refreshToken))
      #expect(try await identity.refusedRefresh(of: logins[0]).reason == "SESSION_REVOKED")
      #expect(Set(try await identity.toldEnds()) == [logins[0].sessionID, logins[2].sessionID])
    }
  }

  @Test("[C-2] a scope that there is not ends nothing")
  func unknownScope() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()

      let status = try await refusal {
        try await identity.accounts.logoutEverywhere(
          LogoutEverywhereRequest(scope: .unrecognized(7), requestID: "x"), .user(login))
      }

      #expect(status.code == .invalidArgument && status.fieldReasons == ["ENUM_VALUE_UNKNOWN", "REQUEST_ID_INVALID"])
      #expect(try await identity.sessions(login).count == 1)
    }
  }

  @Test(
    "[ID-7] 32 callers from 8 sessions who log out the others at once leave one session, and each end is told of once")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let logins = try await sessions(identity, 8)
      let call = LogoutEverywhereRequest(scope: .otherSessions)

      let results = await identity.race(32) { client, caller in
        try await AccountsClient(client).logoutEverywhere(call, .user(logins[caller % 8]))
      }

      #expect(results.refusals().allSatisfy { $0.reason == "TOKEN_REVOKED" }, "\(results.refusals())")
      #expect(Set(results.successes().map(\.endedSessionCount)).isSubset(of: [0, 7]) && results.successes().count <= 4)
      let ended = try await identity.toldEnds()
      #expect(Set(ended).count == 7 && ended.count == 7)
      #expect(try await identity.value("select count(*) from sessions where revoked_at is null") == "1")
    }
  }

  @Test("[ID-7] a session that begins meanwhile ends and is told of, or works")
  func raceWithLogins() async throws {
    try await RunningIdentity.with { identity in
      let here = try await identity.loggedIn()
      let call = LogoutEverywhereRequest(scope: .otherSessions)
      let begun = Gathered<LoginResponse>()

      let results = await identity.race(32) { client, caller in
        let accounts = AccountsClient(client)
        guard caller.isMultiple(of: 4) else { return begun.add(try await accounts.login(User.ada.login)) }
        _ = try await accounts.logoutEverywhere(call, .user(here))
      }

      #expect(results.refusals().isEmpty, "\(results.refusals())")
      let ended = Set(try await identity.toldEnds())
      for login in begun.all {
        if ended.contains(login.sessionID) {
          #expect(try await identity.refusedRefresh(of: login).reason == "SESSION_REVOKED")
        } else {
          _ = try await identity.accounts.refresh(RefreshRequest(refreshToken: login.refreshToken))
        }
      }
      #expect(begun.all.count == 24)
    }
  }
}

@Suite("sessions of every kind of login", .ownThreads, .timeLimit(.minutes(5)))
struct SessionKindTests {
  @Test("[ID-7] [ID-11] a session that a passkey began is listed, and ended, like any other")
  func passkey() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      let byPasskey = try await identity.logIn(device, of: ada, label: "Ada's key")

      let listed = try await identity.sessions(ada)
      _ = try await identity.accounts.logoutEverywhere(
        LogoutEverywhereRequest(scope: .otherSessions), .user(ada))

      #expect(Set(listed.map(\.deviceLabel)) == ["", "Ada's key"])
      #expect(try await identity.refusedRefresh(of: byPasskey).reason == "SESSION_REVOKED")
    }
  }

  @Test(
    "[ID-7] a device label is 100 characters at most and has none that is not shown",
    arguments: [
      "a\u{0}b", "line\nbreak", "\u{7F}", "\u{85}", "\u{1B}[31m", String(repeating: "é", count: 101),
      String(repeating: "x", count: 60_000),
    ])
  func labels(label: String) async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()

      let status = try await refusal { try await identity.login(on: label) }
      let longest = try await identity.login(on: String(repeating: "é", count: 100))

      #expect(status.code == .invalidArgument && status.fieldReasons == ["DEVICE_LABEL_INVALID"])
      #expect(try await identity.sessions(longest).map(\.deviceLabel.count) == [100])
    }
  }
}

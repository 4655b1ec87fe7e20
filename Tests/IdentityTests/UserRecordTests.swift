import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("operators and accounts", .ownThreads)
struct UserRecordTests {
  private func with(
    _ body: @escaping @Sendable (RunningIdentity, OperatorsClient) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let client = identity.connected(by: try certificates.client(of: "identity", as: "operator"))
        let result: Result<Void, any Error>
        do { result = .success(try await body(identity, OperatorsClient(client))) } catch { result = .failure(error) }
        await client.close()
        try result.get()
      }
    }
  }

  @Test("[ID-10] operators find accounts by address or the beginning of the username, and nobody else does")
  func finds() async throws {
    try await with { identity, operators in
      let ada = try await identity.loggedIn()
      _ = try await identity.accounts.register(User.grace.registration)

      let byName = try await operators.findUsers(.init(query: "AD")).users
      let byEmail = try await operators.findUsers(.init(query: "GRACE@example.org")).users
      let shown = try await operators.getUser(.init(userID: ada.userID))

      #expect(byName == [shown] && shown.username == "ada" && shown.sessionCount == 1)
      #expect(shown.verifyTime != nil && shown.lockTime == nil && shown.lastUseTime != nil)
      #expect(byEmail.map(\.username) == ["grace.h"] && byEmail[0].verifyTime == nil)
      let bad = try await refusal { try await operators.findUsers(.init(query: "%")) }
      #expect(bad.code == .invalidArgument && bad.reason == "QUERY_INVALID")
      let user = try await refusal {
        try await OperatorsClient(identity.client).findUsers(.init(query: "a"), .user(ada))
      }
      #expect(user.code == .permissionDenied)
    }
  }

  @Test(
    "[ID-10] an account that operators locked is closed: sessions end, the right password is refused, a reset opens nothing"
  )
  func locks() async throws {
    try await with { identity, operators in
      let ada = try await identity.loggedIn()

      let locked = try await operators.lockUser(.init(userID: ada.userID))
      let again = try await operators.lockUser(.init(userID: ada.userID))

      #expect(
        locked.lockTime?.seconds == identity.clock.now.wholeSeconds && locked.sessionCount == 0 && again == locked)
      let access = try await refusal { try await identity.accounts.logout(LogoutRequest(), .user(ada)) }
      let right = try await refusal { try await identity.accounts.login(User.ada.login) }
      let wrong = try await refusal {
        try await identity.accounts.login(LoginRequest(emailOrUsername: "ada", password: "wrong"))
      }
      #expect(access.reason == "TOKEN_REVOKED" && wrong.reason == "CREDENTIALS_INCORRECT")
      #expect(right.code == .permissionDenied && right.reason == "ACCOUNT_LOCKED")
      _ = try await operators.unlockUser(.init(userID: ada.userID))
      _ = try await identity.accounts.login(User.ada.login)
      let kinds = try await operators.listSecurityEvents(.init(userID: ada.userID)).events.map { "\($0.kind)" }
      #expect(kinds.filter { $0 == "lockedByOperator" }.count == 1 && kinds.contains("unlockedByOperator"))
    }
  }

  @Test("[ID-7] [C-5] operators see an account's sessions page by page, and users do not")
  func sessions() async throws {
    try await with { identity, operators in
      let first = try await identity.loggedIn()
      identity.clock.advance(by: .seconds(1))
      let second = try await identity.login(on: "phone")
      let page = try await operators.listUserSessions(.init(userID: first.userID, pageSize: 1))
      let rest = try await operators.listUserSessions(
        .init(userID: first.userID, pageSize: 1, pageToken: page.nextPageToken))

      #expect(page.sessions.map(\.sessionID) == [second.sessionID] && page.sessions[0].deviceLabel == "phone")
      #expect(rest.sessions.map(\.sessionID) == [first.sessionID] && rest.nextPageToken.isEmpty)
      #expect(!(page.sessions + rest.sessions).contains { $0.current || $0.lastUseTime == nil })
      _ = try await operators.lockUser(.init(userID: first.userID))
      #expect(try await operators.listUserSessions(.init(userID: first.userID)).sessions.isEmpty)
      let missing = try await refusal { try await operators.listUserSessions(.init(userID: second.sessionID)) }
      #expect(missing.code == .notFound && missing.reason == "USER_NOT_FOUND")
      let unnamed = try await refusal { try await operators.listUserSessions(.init()) }
      #expect(unnamed.fieldReasons == ["USER_ID_INVALID"])
      let user = try await refusal {
        try await OperatorsClient(identity.client).listUserSessions(.init(userID: first.userID), .user(first))
      }
      #expect(user.code == .permissionDenied)
    }
  }

  @Test("[ID-10] an unlock lifts the lock that wrong passwords brought")
  func unlocks() async throws {
    try await with { identity, operators in
      let userID = try await identity.verified()
      for _ in 0..<5 {
        _ = try await refusal {
          try await identity.accounts.login(LoginRequest(emailOrUsername: "ada", password: "wrong"))
        }
      }
      let locked = try await refusal { try await identity.accounts.login(User.ada.login) }

      _ = try await operators.unlockUser(.init(userID: userID))

      #expect(locked.reason == "LOGIN_LOCKED")
      _ = try await identity.accounts.login(User.ada.login)
    }
  }

  @Test("[ID-10] no session outlives a lock that races with 16 logins")
  func lockRace() async throws {
    try await with { identity, operators in
      let userID = try await identity.verified()

      await withTaskGroup { group in
        for caller in 0..<17 {
          group.addTask {
            // Which call wins does not matter here, only the final state.
            do {
              if caller == 8 {
                _ = try await operators.lockUser(.init(userID: userID))
              } else {
                _ = try await identity.accounts.login(User.ada.login)
              }
            } catch is Status {} catch { Issue.record(error) }
          }
        }
      }

      #expect(try await operators.getUser(.init(userID: userID)).sessionCount == 0)
    }
  }

  @Test("[ID-11] a locked account is closed to its passkeys too, and open again once it is unlocked")
  func passkeysOfLocked() async throws {
    try await with { identity, operators in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      _ = try await operators.lockUser(.init(userID: ada.userID))

      let refused = try await refusal { try await identity.logIn(device, of: ada) }
      let counter = try await identity.value("select sign_count from passkeys")
      _ = try await operators.unlockUser(.init(userID: ada.userID))
      let login = try await identity.logIn(device, of: ada)

      #expect(refused.code == .permissionDenied && refused.reason == "ACCOUNT_LOCKED")
      #expect(counter == "0" && login.userID == ada.userID)
    }
  }

  @Test("[ID-11] no session outlives a lock that races with 16 logins by passkey")
  func lockRaceWithPasskeys() async throws {
    try await with { identity, operators in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      var calls: [LoginWithPasskeyRequest] = []
      for _ in 0..<16 {
        let start = try await identity.passkeys.startPasskeyLogin(.init())
        // An authenticator that does not count: none of the calls is refused for another's counter.
        calls.append(try Authenticator.get(start, by: device, of: ada.userID, count: 0))
      }

      let results = await identity.race(17) { [calls] client, number in
        guard number != 8 else { return try await operators.lockUser(.init(userID: ada.userID)).sessionCount }
        _ = try await PasskeysClient(client).loginWithPasskey(calls[number < 8 ? number : number - 1])
        return 0
      }

      #expect(results.count == 17 && Set(results.refusals().map(\.reason)).isSubset(of: ["ACCOUNT_LOCKED"]))
      #expect(try await operators.getUser(.init(userID: ada.userID)).sessionCount == 0)
    }
  }

  @Test("[ID-13] [C-9] operators delete an account as its owner could")
  func deletes() async throws {
    try await with { identity, operators in
      let ada = try await identity.loggedIn()
      _ = try await identity.group(of: ada)

      let answer = try await operators.deleteUser(.init(userID: ada.userID))
      let again = try await refusal { try await operators.deleteUser(.init(userID: ada.userID)) }

      #expect(answer.deleteTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(again.code == .notFound && again.reason == "USER_NOT_FOUND")
      #expect(try await identity.value("select (select count(*) from accounts) + (select count(*) from groups)") == "0")
      let topics = try await identity.sql("select topic from events where type = 'tandem.events.v1.AccountDeleted'")
      #expect(topics.count == 1)
    }
  }
}

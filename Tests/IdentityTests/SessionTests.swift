import Cryptography
import Identifiers
import IdentityBackground
import IdentityHandlers
import IdentityStore
import Postgres
import ServiceRuntime
import Synchronization
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("sessions", .timeLimit(.minutes(5)))
struct SessionTests {
  @Test(
    "[ID-5] login by address or username, in any case, gives a pair of tokens",
    arguments: ["ada@example.com", "ADA@EXAMPLE.com", "ada", "Ada"])
  func logsIn(name: String) async throws {
    try await RunningIdentity.with { identity in
      let userID = try await identity.verified()

      let login = try await identity.accounts.login(
        LoginRequest(emailOrUsername: name, password: User.ada.password, deviceLabel: "Ada's phone"))

      let now = identity.clock.now.wholeSeconds
      #expect(login.userID == userID)
      #expect(login.accessTokenExpireTime?.seconds == now + 600)
      #expect(login.refreshTokenExpireTime?.seconds == now + 30 * 86_400)
      let row = try await identity.sql("select id, device_label, address from sessions")
      #expect(row == [[login.sessionID, "Ada's phone", "127.0.0.1"]])
    }
  }

  @Test("[ID-5] a wrong password and an unknown user get the same answer")
  func wrongCredentials() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let calls = [
        LoginRequest(emailOrUsername: "ada", password: "wrong"),
        LoginRequest(emailOrUsername: "nobody", password: User.ada.password),
        LoginRequest(emailOrUsername: "nobody@example.com", password: "wrong"),
        LoginRequest(emailOrUsername: "no such name!", password: "wrong"),
        LoginRequest(emailOrUsername: "ada", password: String(repeating: "x", count: 60_000)),
      ]
      for call in calls {
        let status = try await refusal { try await identity.accounts.login(call) }

        #expect(status.code == .unauthenticated && status.reason == "CREDENTIALS_INCORRECT")
        #expect(status.message == "Incorrect username or password")
        #expect(status.details.count == 1)
      }
    }
  }

  @Test("[ID-5] with the real cost of a password, an unknown user costs the same work as a wrong password")
  func sameWork() async throws {
    try await RunningIdentity.with(CountingIdentity.self) { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      func work(of name: String) async throws -> [ScryptParameters] {
        CountingIdentity.computed.withLock { $0 = [] }
        let call = LoginRequest(emailOrUsername: name, password: "wrong")
        _ = try await refusal { try await identity.accounts.login(call) }
        return CountingIdentity.computed.withLock { $0 }
      }

      let names = ["ada", User.ada.registration.email, "nobody", "nobody@example.com", "no such name!"]
      for name in names { #expect(try await work(of: name) == [.owasp], "\(name)") }

      #expect(try await identity.value("select password_hash like '$scrypt$ln=15,r=8,p=3$%' from accounts") == "t")
    }
  }

  @Test("[ID-5] an access token works for ten minutes")
  func accessTokenExpires() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let call = GetProfileRequest(username: "ada")
      identity.clock.advance(by: .seconds(599))
      let good = try await identity.profiles.getProfile(call, .user(login))
      identity.clock.advance(by: .seconds(1))

      let status = try await refusal { try await identity.profiles.getProfile(call, .user(login)) }

      #expect(good.username == "ada")
      #expect(status.code == .unauthenticated && status.reason == "TOKEN_EXPIRED")
    }
  }

  @Test("[C-1] a user's method wants a token, and one of ours")
  func tokenMissing() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let call = GetProfileRequest(username: "ada")

      let missing = try await refusal { try await identity.profiles.getProfile(call) }
      // Within the signature, but not its last letter, of which some bits mean nothing.
      var token = Array(login.accessToken)
      token[token.count - 10] = token[token.count - 10] == "A" ? "B" : "A"
      let forged = try await refusal { [token] in
        try await identity.profiles.getProfile(call, .token(String(token)))
      }

      #expect(missing.code == .unauthenticated && missing.reason == "TOKEN_MISSING")
      #expect(forged.code == .unauthenticated && forged.reason == "TOKEN_INVALID")
    }
  }

  @Test("[ID-6] refreshing gives a new pair and the old token no longer counts")
  func refreshes() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      identity.clock.advance(by: .seconds(3_600))

      let next = try await identity.accounts.refresh(RefreshRequest(refreshToken: login.refreshToken))
      _ = try await refusal {
        try await identity.profiles.getProfile(GetProfileRequest(username: "x_y"), .token(next.accessToken))
      }

      #expect(next.sessionID == login.sessionID && next.userID == login.userID)
      #expect(next.refreshToken != login.refreshToken && next.accessToken != login.accessToken)
      let again = try await identity.accounts.refresh(RefreshRequest(refreshToken: next.refreshToken))
      #expect(again.sessionID == login.sessionID)
    }
  }

  @Test("[ID-6] any later use of a used token ends the whole session", arguments: [1, 2, 5])
  func reuse(generations: Int) async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      var newest = login.refreshToken
      for _ in 0..<generations {
        newest = try await identity.accounts.refresh(RefreshRequest(refreshToken: newest)).refreshToken
      }

      let reuse = try await refusal {
        try await identity.accounts.refresh(RefreshRequest(refreshToken: login.refreshToken))
      }
      let newestAfter = try await refusal { try await identity.accounts.refresh(RefreshRequest(refreshToken: newest)) }
      let access = try await refusal {
        try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(login))
      }

      #expect(reuse.code == .unauthenticated && reuse.reason == "SESSION_REVOKED")
      #expect(newestAfter.code == .unauthenticated && newestAfter.reason == "SESSION_REVOKED")
      #expect(access.reason == "TOKEN_REVOKED")
    }
  }

  @Test("[ID-6] a use of a token that races with the logout learns that the session has ended")
  func refreshDuringLogout() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let session = try #require(SessionID(login.sessionID))
      try await identity.database.opened(as: "identity") { own in
        let refused = try await withThrowingTaskGroup(of: Status.self) { group in
          try await own.transaction { tx in
            // As a logout does.
            _ = try await tx.first(RevokeSession(sessionID: session))
            group.addTask {
              try await refusal {
                try await identity.accounts.refresh(RefreshRequest(refreshToken: login.refreshToken))
              }
            }
            _ = try await eventually("the use waits for the session") {
              try await identity.value(
                "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
            }
          }
          return try await group.next()
        }

        #expect(refused?.code == .unauthenticated && refused?.reason == "SESSION_REVOKED")
      }
    }
  }

  @Test("[ID-6] of 32 concurrent uses of one token exactly one succeeds, and a later use ends the session")
  func refreshRace() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let call = RefreshRequest(refreshToken: login.refreshToken)

      let results = await identity.race(32) { client, _ in try await AccountsClient(client).refresh(call) }
      let later = try await refusal { try await identity.accounts.refresh(call) }

      let winner = try #require(results.successes().first)
      #expect(results.successes().count == 1)
      #expect(results.refusals().allSatisfy { $0.code == .unauthenticated })
      #expect(later.reason == "SESSION_REVOKED")
      let after = try await refusal {
        try await identity.accounts.refresh(RefreshRequest(refreshToken: winner.refreshToken))
      }
      #expect(after.reason == "SESSION_REVOKED")
    }
  }

  @Test("[ID-6] a client that lost the answer repeats its request_id for 60 seconds and gets the same pair")
  func lostAnswer() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let call = RefreshRequest(
        refreshToken: login.refreshToken, requestID: "0197a5a0-0000-4000-8000-000000000001")
      let first = try await identity.accounts.refresh(call)
      identity.clock.advance(by: .seconds(60))
      let repeated = try await identity.accounts.refresh(call)
      identity.clock.advance(by: .seconds(1))

      let late = try await refusal { try await identity.accounts.refresh(call) }

      #expect(repeated == first)
      #expect(late.reason == "SESSION_REVOKED")
    }
  }

  @Test("[ID-6] 32 concurrent repetitions of one request_id get one pair")
  func lostAnswerRace() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let call = RefreshRequest(
        refreshToken: login.refreshToken, requestID: "0197a5a0-0000-4000-8000-000000000002")

      let results = await identity.race(32) { client, _ in try await AccountsClient(client).refresh(call) }

      let first = try #require(results.successes().first)
      #expect(results.successes() == Array(repeating: first, count: 32))
    }
  }

  @Test("[ID-6] a refresh token works for 30 days")
  func refreshTokenExpires() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      identity.clock.advance(by: .seconds(30 * 86_400))

      let status = try await refusal {
        try await identity.accounts.refresh(RefreshRequest(refreshToken: login.refreshToken))
      }

      #expect(status.code == .unauthenticated && status.reason == "REFRESH_TOKEN_INVALID")
    }
  }

  @Test("[ID-6] a session's end outlives a restart")
  func endOutlivesRestart() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      let (login, next) = try await before(database, clock)
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        let refresh = try await refusal {
          try await identity.accounts.refresh(RefreshRequest(refreshToken: next.refreshToken))
        }
        let access = try await refusal {
          try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(login))
        }

        #expect(refresh.reason == "SESSION_REVOKED")
        #expect(access.reason == "TOKEN_REVOKED")
      }
    }
  }

  /// A session that ended, at a service that has stopped since.
  private func before(
    _ database: TestDatabase, _ clock: ManualClock
  ) async throws -> (LoginResponse, RefreshResponse) {
    let ended = Gathered<(LoginResponse, RefreshResponse)>()
    try await RunningIdentity.with(on: database, clock: clock) { identity in
      let login = try await identity.loggedIn()
      let call = RefreshRequest(refreshToken: login.refreshToken)
      let next = try await identity.accounts.refresh(call)
      _ = try await refusal { try await identity.accounts.refresh(call) }
      ended.add((login, next))
    }
    return try #require(ended.all.first)
  }

  @Test("[ID-7] logout ends the session at once, here")
  func logsOut() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let other = try await identity.accounts.login(User.ada.login)

      _ = try await identity.accounts.logout(LogoutRequest(), .user(login))

      let refresh = try await refusal {
        try await identity.accounts.refresh(RefreshRequest(refreshToken: login.refreshToken))
      }
      let access = try await refusal { try await identity.accounts.logout(LogoutRequest(), .user(login)) }
      #expect(refresh.code == .unauthenticated && refresh.reason == "SESSION_REVOKED")
      #expect(access.code == .unauthenticated && access.reason == "TOKEN_REVOKED")
      _ = try await identity.accounts.refresh(RefreshRequest(refreshToken: other.refreshToken))
    }
  }

  @Test("[ID-7] after a logout every other replica refuses the access token within 2 seconds")
  func logsOutEverywhere() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { one in
        try await RunningIdentity.with(DirectedIdentity.self, on: database, clock: clock) { other in
          let looks = DirectedIdentity.looks
          let login = try await one.loggedIn()
          let call = GetProfileRequest(username: "ada")
          try await looks.hold()

          _ = try await one.accounts.logout(LogoutRequest(), .user(login))
          let good = try await other.profiles.getProfile(call, .user(login))
          try await looks.letOneThrough()
          let refused = try await refusal { try await other.profiles.getProfile(call, .user(login)) }
          looks.release()

          #expect(good.username == "ada" && refused.code == .unauthenticated && refused.reason == "TOKEN_REVOKED")
          // One poll finds it, and a poll takes milliseconds. One that was running when the session ended may have missed it: that makes
          // two.
          #expect(EndedSessionsFollowing.interval * 2 <= .seconds(2))
        }
      }
    }
  }

  @Test("[ID-7] ListKeys serves the key that signs")
  func listsKeys() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()

      let keys = try await identity.accounts.listKeys(ListKeysRequest()).keys

      #expect(keys.count == 1 && keys[0].algorithm == "EdDSA" && keys[0].expireTime == nil)
      let claims = try AccessToken.verify(
        login.accessToken, for: .tandem,
        keys: [keys[0].keyID: try Cryptography.VerificationKey(publicKey: keys[0].publicKey)], at: identity.clock.now)
      #expect(claims.subject.description == login.userID && claims.session.description == login.sessionID)
    }
  }
}

/// The real service, which looks for sessions that ended elsewhere when a test says so. For one test.
private struct DirectedIdentity: TandemService {
  static let service = Identity.service
  static let looks = Looks()

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(
      runtime, passwords: PasswordHasher(.cheapForTests), willLookForEndedSessions: { await looks.pass() })
  }
}

/// Polls that wait until they may continue.
private final class Looks: Sendable {
  private let state = Mutex((begun: 0, allowed: Int.max))

  private var isOneWaiting: Bool { state.withLock { $0.begun > $0.allowed } }

  /// Called before each poll.
  func pass() async {
    state.withLock { $0.begun += 1 }
    while isOneWaiting {
      // Polls, as the end of the service cancels its sleep but not a continuation.
      do { try await Task.sleep(for: .milliseconds(2)) } catch {
        // The service ends, and the poll with it.
        return
      }
    }
  }

  /// Prevents further polls, and waits until the running ones have ended.
  func hold() async throws {
    state.withLock { $0.allowed = $0.begun }
    try await waitForNext()
  }

  /// Admits one poll, and waits until it has ended.
  func letOneThrough() async throws {
    state.withLock { $0.allowed += 1 }
    try await waitForNext()
  }

  /// Admits all polls from now on.
  func release() { state.withLock { $0.allowed = .max } }

  private func waitForNext() async throws {
    _ = try await eventually("the next look is waiting") { isOneWaiting ? true : nil }
  }
}

/// The real service with the real cost of passwords, which records every hash that it computes. For one test.
private struct CountingIdentity: TandemService {
  static let service = Identity.service
  static let computed = Mutex<[ScryptParameters]>([])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let passwords = PasswordHasher(observe: { parameters in computed.withLock { $0.append(parameters) } })
    return try Identity.build(runtime, passwords: passwords)
  }
}

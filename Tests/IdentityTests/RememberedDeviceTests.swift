import Cryptography
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

/// A user who has logged in before gets in while others guess the password.
@Suite("remembered devices", .ownThreads, .timeLimit(.minutes(5)))
struct RememberedDeviceTests {
  /// Runs `body` with a service behind a gateway, which passes on calls of clients with many addresses.
  private func behindGateway(
    _ arguments: [String] = [], _ body: @escaping @Sendable (RunningIdentity) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(
        on: database, clock: ManualClock(), certificates: certificates, as: "gateway", arguments, body)
    }
  }

  private static func client(_ number: Int) -> CallOptions {
    CallOptions(metadata: ["x-forwarded-for": "192.0.2.\(number)"])
  }

  private static func guess(with token: String = "") -> LoginRequest {
    LoginRequest(emailOrUsername: "ada", password: "not-The password 1 at all", deviceToken: token)
  }

  private static func right(with token: String) -> LoginRequest {
    var call = User.ada.login
    call.deviceToken = token
    return call
  }

  /// The outcome of a login: a reason, or `nil` for a session.
  private func outcome(
    _ identity: RunningIdentity, _ call: LoginRequest, from address: Int = 1
  ) async throws -> String? {
    try await identity.outcome { try await identity.accounts.login(call, Self.client(address)) }
  }

  /// Locks the password login of the account from elsewhere.
  private func lock(_ identity: RunningIdentity) async throws {
    for _ in 0..<5 {
      #expect(try await outcome(identity, Self.guess(), from: 66) == "CREDENTIALS_INCORRECT")
    }
  }

  @Test(
    "[ID-10] while guesses from elsewhere lock the account, a device that logged in before gets in from any address")
  func victim() async throws {
    try await behindGateway { identity in
      let ada = try await identity.loggedIn()
      try await lock(identity)

      let unknown = try await outcome(identity, User.ada.login)
      let again = try await identity.accounts.login(Self.right(with: ada.deviceToken), Self.client(1))
      let moved = try await outcome(identity, Self.right(with: ada.deviceToken), from: 2)
      let guesser = try await outcome(identity, Self.guess(), from: 66)

      #expect(unknown == "LOGIN_LOCKED" && moved == nil)
      #expect(again.userID == ada.userID && again.sessionID != ada.sessionID && again.deviceToken == ada.deviceToken)
      // The victim's login gives the guesser no further guesses.
      #expect(guesser == "LOGIN_LOCKED")
      #expect(try await identity.value("select count(*) from remembered_devices") == "1")
    }
  }

  @Test("[ID-10] [ID-11] while guesses lock the account, a passkey gets in, and its token opens the password login")
  func passkey() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      for _ in 0..<5 { _ = try await refusal { try await identity.accounts.login(Self.guess()) } }

      let login = try await identity.logIn(device, of: ada)
      let byPassword = try await identity.accounts.login(Self.right(with: login.deviceToken))

      #expect(login.deviceToken != ada.deviceToken && byPassword.deviceToken == login.deviceToken)
    }
  }

  @Test("[ID-10] 50 guesses from the user's own address hold off others there, but not the remembered device")
  func sharedAddress() async throws {
    try await behindGateway { identity in
      let ada = try await identity.loggedIn()
      for names in [0..<25, 25..<50] {
        _ = await identity.race(names.count) { rpc, number in
          try await AccountsClient(rpc).login(
            LoginRequest(emailOrUsername: "nobody\(names.lowerBound + number)", password: "wrong"), Self.client(1))
        }
      }

      let unknown = try await outcome(identity, User.ada.login)
      let known = try await outcome(identity, Self.right(with: ada.deviceToken))

      #expect(unknown == "ADDRESS_THROTTLED" && known == nil)
    }
  }

  @Test("[ID-10] of 64 guesses at once with a stolen device token five are judged, and they lock that device alone")
  func stolenToken() async throws {
    try await behindGateway { identity in
      let ada = try await identity.loggedIn()
      let other = try await identity.accounts.login(User.ada.login, Self.client(2))

      let calls = Gathered<Int>()
      let results = await identity.race(64) { rpc, number in
        calls.add(number)
        return try await AccountsClient(rpc).login(Self.guess(with: ada.deviceToken), Self.client(100 + number))
      }

      let reasons = results.refusals().map(\.reason)
      let judged = reasons.filter { $0 == "CREDENTIALS_INCORRECT" }.count
      // A call that met a busy database is repeated, and may have been counted.
      let repeated = calls.all.count - 64
      #expect((5 - repeated...5).contains(judged), "\(judged), \(repeated) repeated")
      #expect(reasons.filter { $0 == "LOGIN_LOCKED" }.count == 64 - judged)
      let locked = try await refusal { try await identity.accounts.login(Self.right(with: ada.deviceToken)) }
      #expect(locked.code == .resourceExhausted && locked.reason == "LOGIN_LOCKED")
      #expect(locked.retryAfter == .seconds(900))
      #expect(try await outcome(identity, Self.right(with: other.deviceToken)) == nil)
      #expect(try await outcome(identity, User.ada.login) == nil)
      #expect(try await identity.value("select count(*) from security_events where kind = 'LOCKED'") == "1")
      // A second lock is twice as long.
      identity.clock.advance(by: .seconds(900))
      for _ in 0..<5 { _ = try await outcome(identity, Self.guess(with: ada.deviceToken)) }
      let second = try await refusal { try await identity.accounts.login(Self.right(with: ada.deviceToken)) }
      #expect(second.retryAfter == .seconds(1_800))
    }
  }

  @Test("[ID-10] a wrong password from a remembered device is answered like any other, and a right one begins anew")
  func answer() async throws {
    try await behindGateway { identity in
      let ada = try await identity.loggedIn()
      for _ in 0..<4 { _ = try await outcome(identity, Self.guess(with: ada.deviceToken)) }
      let wrong = try await refusal { try await identity.accounts.login(Self.guess(with: ada.deviceToken)) }
      identity.clock.advance(by: .seconds(900))
      #expect(try await outcome(identity, Self.right(with: ada.deviceToken)) == nil)
      for _ in 0..<4 { _ = try await outcome(identity, Self.guess(with: ada.deviceToken)) }
      let anew = try await outcome(identity, Self.right(with: ada.deviceToken))

      #expect(wrong.code == .unauthenticated && wrong.message == "Incorrect username or password")
      #expect(wrong.badRequest == nil && wrong.retryAfter == nil && anew == nil)
    }
  }

  @Test(
    "[ID-10] a token that is malformed, was never issued or is another user's is ignored, and counts as none",
    arguments: ["x", String(repeating: "A", count: 43), String(repeating: "x", count: 60_000), "grace's"])
  func ignored(token: String) async throws {
    try await behindGateway { identity in
      try await identity.verified()
      let grace = try await identity.loggedIn(.grace)
      let sent = token == "grace's" ? grace.deviceToken : token

      let login = try await identity.accounts.login(Self.right(with: sent))
      for _ in 0..<5 { _ = try await outcome(identity, Self.guess(with: sent)) }

      #expect(!login.deviceToken.isEmpty && login.deviceToken != sent)
      #expect(try await outcome(identity, Self.right(with: sent)) == "LOGIN_LOCKED")
      #expect(try await outcome(identity, Self.right(with: login.deviceToken)) == nil)
      #expect(try await identity.value("select count(*) from throttles where kind = 'LOGIN_1_DEVICE'") == "0")
    }
  }

  @Test("[ID-10] a device is remembered for a year after its last login, and its row is removed then")
  func expires() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let year = Duration.seconds(365 * 86_400)
      // Three years go by, and nothing is swept before its time by the database's clock.
      let clock = ManualClock()
      clock.advance(by: .seconds(-4 * 365 * 86_400))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        let ada = try await identity.loggedIn()
        func isKnown() async throws -> Bool {
          try await identity.accounts.login(Self.right(with: ada.deviceToken)).deviceToken == ada.deviceToken
        }
        for _ in 0..<2 {
          clock.advance(by: year - .seconds(1))
          #expect(try await isKnown())
        }
        clock.advance(by: year)
        #expect(try await !isKnown())
      }
      // A service sweeps when it starts.
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("it is gone") {
          try await identity.value("select 1 where (select count(*) from remembered_devices) = 1")
        }
      }
    }
  }

  /// What a user does who distrusts a device, and which of two devices are still remembered after it.
  enum Distrust: String, CaseIterable, Sendable {
    case logout, revokeSession, changePassword, logoutOthers, logoutEverywhere, resetPassword

    var keeps: (own: Bool, other: Bool) {
      switch self {
      case .logout: (true, true)
      case .revokeSession, .changePassword, .logoutOthers: (true, false)
      case .logoutEverywhere, .resetPassword: (false, false)
      }
    }
  }

  @Test(
    "[ID-10] devices are forgotten with the sessions that a user ends elsewhere, and not by a logout",
    arguments: Distrust.allCases)
  func distrust(act: Distrust) async throws {
    try await RunningIdentity.with { identity in
      let (own, accounts) = (try await identity.loggedIn(), identity.accounts)
      let other = try await accounts.login(User.ada.login)
      let password =
        act == .changePassword || act == .resetPassword ? "another-Horse battery 8 staple" : User.ada.password
      switch act {
      case .logout: _ = try await accounts.logout(.init(), .user(own))
      case .revokeSession: _ = try await accounts.revokeSession(.init(sessionID: other.sessionID), .user(own))
      case .changePassword:
        _ = try await accounts.changePassword(
          ChangePasswordRequest(oldPassword: User.ada.password, newPassword: password), .user(own))
      case .logoutOthers: _ = try await accounts.logoutEverywhere(.init(scope: .otherSessions), .user(own))
      case .logoutEverywhere: _ = try await accounts.logoutEverywhere(.init(), .user(own))
      case .resetPassword:
        let token = try await identity.mailedResetToken(to: User.ada.email)
        _ = try await accounts.resetPassword(
          ResetPasswordRequest(token: token, newPassword: password))
      }

      func isKnown(_ login: LoginResponse) async throws -> Bool {
        let call = LoginRequest(emailOrUsername: "ada", password: password, deviceToken: login.deviceToken)
        return try await accounts.login(call).deviceToken == login.deviceToken
      }
      let known = (own: try await isKnown(own), other: try await isKnown(other))

      #expect(known == act.keeps)
    }
  }

  @Test("[ID-10] of 64 logins at once twenty devices are remembered, and a newer one replaces the least recently used")
  func bounded() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      identity.clock.advance(by: .seconds(1))
      let results = await identity.race(64) { rpc, _ in try await AccountsClient(rpc).login(User.ada.login) }

      #expect(results.successes().count == 64, "\(results.refusals())")
      #expect(Set(results.successes().map(\.deviceToken)).count == 64)
      #expect(try await identity.value("select count(*) from remembered_devices") == "20")
      let hash = try #require(SecretToken(ada.deviceToken)).hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      let kept = try await identity.value(
        "select count(*) from remembered_devices where token_hash = '\\x\(hash.joined())'")
      #expect(kept == "0")
    }
  }

  @Test("[ID-10] [C-4] a repeated login returns the same device token, of which only the hash is stored")
  func stored() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      var call = User.ada.login
      call.requestID = "0197a5a0-0000-4000-8000-000000000044"
      let first = try await identity.accounts.login(call)
      let again = try await identity.accounts.login(call)

      let hexadecimal = first.deviceToken.utf8.map { String($0, radix: 16) }.joined()
      let rows = try await identity.sql("select devices::text, replays::text from remembered_devices devices, replays")
      #expect(first == again && first.deviceToken.utf8.count == 43)
      #expect(rows.count == 1)
      for text in rows.joined() {
        #expect(text?.contains(first.deviceToken) == false && text?.contains(hexadecimal) == false)
      }
    }
  }

  @Test("[ID-10] while guesses lock the account, a user who is logged in may still confirm, and change, the password")
  func loggedIn() async throws {
    try await behindGateway { identity in
      let ada = try await identity.loggedIn()
      try await lock(identity)

      _ = try await identity.accounts.confirmPassword(
        ConfirmPasswordRequest(password: User.ada.password), .user(ada))
      _ = try await identity.accounts.changePassword(
        ChangePasswordRequest(oldPassword: User.ada.password, newPassword: "another-Horse battery 8 staple"),
        .user(ada))

      #expect(try await outcome(identity, User.ada.login) == "LOGIN_LOCKED")
    }
  }

  @Test("[ID-10] a remembered device is answered alike for another account and for an unknown name")
  func unknownName() async throws {
    try await behindGateway { identity in
      let ada = try await identity.loggedIn()
      var statuses: [Status] = []
      for name in ["nobody", "ada"] {
        let call = LoginRequest(emailOrUsername: name, password: "wrong", deviceToken: ada.deviceToken)
        statuses.append(try await refusal { try await identity.accounts.login(call) })
      }

      #expect(statuses.map(\.reason) == ["CREDENTIALS_INCORRECT", "CREDENTIALS_INCORRECT"])
      #expect(statuses[0].message == statuses[1].message && statuses[0].code == statuses[1].code)
    }
  }
}

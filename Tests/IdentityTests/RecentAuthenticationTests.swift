import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

/// A user with a session must authenticate again before security settings of the account change.
@Suite("fresh logins", .ownThreads, .timeLimit(.minutes(5)))
struct RecentAuthenticationTests {
  /// A session of a while ago, and what is there to be changed.
  private struct Stale {
    let options: CallOptions
    let passkey: String
    let identity: String
    /// A passkey registration that was begun in time.
    let begun: RegisterPasskeyRequest
    let otherSession: String
  }

  private static func stale(_ identity: RunningIdentity) async throws -> Stale {
    let ada = try await identity.loggedIn()
    let passkeys = PasskeysClient(identity.client)
    let (_, call) = try Authenticator.create(try await passkeys.startPasskeyRegistration(.init(), .user(ada)))
    let passkey = try await passkeys.registerPasskey(call, .user(ada)).id
    let linked = try await identity.linked(to: ada)
    let other = try await identity.accounts.login(User.ada.login)
    identity.clock.advance(by: .seconds(599))
    let (_, begun) = try Authenticator.create(try await passkeys.startPasskeyRegistration(.init(), .user(ada)))
    identity.clock.advance(by: .seconds(1))
    let refreshed = try await identity.accounts.refresh(RefreshRequest(refreshToken: ada.refreshToken))
    return Stale(
      options: .token(refreshed.accessToken), passkey: passkey, identity: linked.id, begun: begun,
      otherSession: other.sessionID)
  }

  /// The outcome of each method that requires a recent login: `nil` for success.
  private static func attempts(_ stale: Stale, _ identity: RunningIdentity) async throws -> [String?] {
    let (accounts, passkeys, options) = (identity.accounts, PasskeysClient(identity.client), stale.options)
    let (ticket, handle) = try await identity.ticket(FederatedVisitor(subject: "another"))
    func reason(_ call: () async throws -> Void) async throws -> String? {
      do { try await call() } catch let status as Status { return status.reason }
      return nil
    }
    return [
      try await reason { _ = try await passkeys.registerPasskey(stale.begun, options) },
      try await reason { _ = try await passkeys.startPasskeyRegistration(.init(), options) },
      try await reason { _ = try await passkeys.deletePasskey(DeletePasskeyRequest(id: stale.passkey), options) },
      try await reason {
        _ = try await identity.federated.linkIdentity(LinkIdentityRequest(ticket: ticket, handle: handle), options)
      },
      try await reason {
        _ = try await identity.federated.startIdentityLink(StartIdentityLinkRequest(providerID: "honest"), options)
      },
      try await reason {
        _ = try await identity.federated.unlinkIdentity(UnlinkIdentityRequest(id: stale.identity), options)
      },
      try await reason {
        _ = try await accounts.revokeSession(RevokeSessionRequest(sessionID: stale.otherSession), options)
      },
      try await reason {
        _ = try await accounts.logoutEverywhere(LogoutEverywhereRequest(scope: .otherSessions), options)
      },
    ]
  }

  @Test("[ID-13] what changes how to log in, or ends other sessions, takes a login of the last ten minutes")
  func stale() async throws {
    try await HostileProviders.serve { identity, _ in
      let stale = try await Self.stale(identity)
      let refused = try await Self.attempts(stale, identity)

      #expect(refused == Array(repeating: "FRESH_LOGIN_REQUIRED", count: 8))
      let kept = "select (select count(*) from passkeys), (select count(*) from federated_identities)"
      #expect(try await identity.sql(kept) == [["1", "1"]])
      #expect(try await identity.value("select count(*) from sessions where revoked_at is null") == "2")
    }
  }

  @Test("[ID-13] the password confirms for ten minutes who has the session, and for no other session")
  func confirms() async throws {
    try await HostileProviders.serve { identity, _ in
      let stale = try await Self.stale(identity)
      let password = ConfirmPasswordRequest(password: User.ada.password)
      let confirmed = try await identity.accounts.confirmPassword(password, stale.options)
      let done = try await Self.attempts(stale, identity)

      // The challenge of the passkey that was begun before works for five minutes: it was a second ago.
      #expect(done == Array(repeating: nil, count: 8))
      #expect(confirmed.expireTime?.seconds == identity.clock.now.wholeSeconds + 600)
      #expect(
        try await identity.sql(
          "select count(*) from sessions where proved_at is not null and proved_at <> created_at") == [["1"]])
    }
  }

  @Test("[ID-10] wrong passwords that are to confirm a session lock it against more of them, and confirm nothing")
  func guesses() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      identity.clock.advance(by: .seconds(599))
      func guess(_ password: String) async throws -> Status {
        try await refusal {
          try await identity.accounts.confirmPassword(ConfirmPasswordRequest(password: password), .user(ada))
        }
      }
      let empty = try await guess("")
      let wrong = try await guess("not-The password 1 at all")
      for _ in 0..<4 { _ = try await guess("not-The password 2 at all") }
      let locked = try await guess(User.ada.password)
      // Who has taken over a session cannot lock its owner out by that.
      let login = try await identity.accounts.login(User.ada.login)

      #expect(empty.fieldReasons == ["PASSWORD_REQUIRED"])
      #expect(wrong.code == .permissionDenied && wrong.reason == "PASSWORD_INCORRECT")
      #expect(locked.code == .resourceExhausted && locked.reason == "LOGIN_LOCKED")
      #expect(login.userID == ada.userID)
      #expect(try await identity.value("select count(*) from sessions where proved_at is not null") == "0")
    }
  }

  @Test("[C-4] a confirmation is repeated with its first answer, and confirms nothing anew")
  func repeated() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let call = ConfirmPasswordRequest(
        password: User.ada.password, requestID: "0197a5a0-1111-7000-8000-00000000000a")
      let first = try await identity.accounts.confirmPassword(call, .user(ada))
      identity.clock.advance(by: .seconds(300))
      let again = try await identity.accounts.confirmPassword(call, .user(ada))

      #expect(again == first)
      #expect(first.expireTime?.seconds == identity.clock.now.wholeSeconds + 300)
    }
  }

  @Test("[ID-12] [ID-13] a proof that a provider saw long ago is no fresh login, and one that it is asked for is")
  func provider() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket(FederatedVisitor(provedAgo: 0))
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      let remembered = try await identity.begin()
      let login = try await identity.visit(FederatedVisitor(provedAgo: 600))
      let stale = try await refusal { try await identity.accounts.deleteAccount(.init(), .user(login)) }
      let confirmation = try await refusal {
        try await identity.accounts.confirmPassword(ConfirmPasswordRequest(password: "anything"), .user(login))
      }
      let asked = try await identity.federated.startFederatedLogin(
        StartFederatedLoginRequest(providerID: "honest", proveAgain: true))
      let fresh = try await identity.visit(FederatedVisitor(provedAgo: 1))
      _ = try await identity.accounts.deleteAccount(.init(), .user(fresh))

      #expect(registered.login != nil)
      #expect(AuthorizationQuery(remembered.authorizationURL)["max_age"] == "2592000")
      #expect(AuthorizationQuery(asked.authorizationURL)["max_age"] == "0")
      #expect(stale.code == .failedPrecondition && stale.reason == "FRESH_LOGIN_REQUIRED")
      #expect(confirmation.code == .failedPrecondition && confirmation.reason == "FRESH_LOGIN_REQUIRED")
      #expect(try await identity.value("select count(*) from accounts") == "0")
    }
  }

  @Test("[ID-12] [ID-13] who was to prove themselves again is refused when the provider does not say when they did")
  func withoutTime() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket(FederatedVisitor(provedAgo: 0))
      _ = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      func visit(provedAgo: Int64?) async throws -> LoginResponse {
        let start = try await identity.federated.startFederatedLogin(
          StartFederatedLoginRequest(providerID: "honest", proveAgain: true))
        let callback = try FederatedVisitor(provedAgo: provedAgo).callback(from: start.authorizationURL, of: identity)
        return try await identity.federated.completeFederatedLogin(callback.completion(of: start))
      }

      let refused = try await refusal { try await visit(provedAgo: nil) }
      let login = try await visit(provedAgo: 1)

      #expect(refused.code == .failedPrecondition && refused.reason == "PROVIDER_UNTRUSTED")
      #expect(refused.errorInfo?.metadata["step"] == "AUTH_TIME" && !login.accessToken.isEmpty)
      // Where nothing was asked for, a provider that does not say is believed as before.
      _ = try await identity.visit()
    }
  }

  @Test("[ID-12] an old proof is still old when a user registers with it")
  func oldTicket() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket(FederatedVisitor(provedAgo: 3_600))
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      let login = try #require(registered.login)
      let stale = try await refusal { try await identity.accounts.deleteAccount(.init(), .user(login)) }

      #expect(stale.reason == "FRESH_LOGIN_REQUIRED")
    }
  }

  @Test(
    "[ID-6] [ID-12] a session ends 180 days after its login, by a password or a provider, however often it is refreshed"
  )
  func age() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "grace"))
      let grace = try #require(registered.login)
      let ada = try await identity.loggedIn()
      let end = identity.clock.now.wholeSeconds + 180 * 86_400
      var tokens = [ada.refreshToken, grace.refreshToken]
      for _ in 0..<6 {
        identity.clock.advance(by: .seconds(29 * 86_400))
        for (place, token) in tokens.enumerated() {
          let next = try await identity.accounts.refresh(RefreshRequest(refreshToken: token))
          tokens[place] = next.refreshToken
          #expect(
            next.refreshTokenExpireTime?.seconds == min(identity.clock.now.wholeSeconds + 30 * 86_400, end))
        }
      }
      identity.clock.set(Instant(microseconds: end * 1_000_000))
      for token in tokens {
        let over = try await refusal { try await identity.accounts.refresh(RefreshRequest(refreshToken: token)) }
        #expect(over.code == .unauthenticated && over.reason == "REFRESH_TOKEN_INVALID")
      }
    }
  }
}

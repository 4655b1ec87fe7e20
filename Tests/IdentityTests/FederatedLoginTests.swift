import Cryptography
import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("logging in by a provider", .ownThreads, .timeLimit(.minutes(5)))
struct FederatedLoginTests {
  @Test(
    "[ID-12] the browser is sent away with a state, a nonce and an S256 challenge, and nothing secret is stored in clear"
  )
  func sendsAway() async throws {
    try await HostileProviders.serve { identity, providers in
      let offered = try await identity.federated.listProviders(.init()).providers
      let start = try await identity.begin()
      let query = AuthorizationQuery(start.authorizationURL)

      #expect(offered.map(\.providerID) == ["honest", "other", "facebook"])
      #expect(offered.map(\.displayName) == ["Honest", "Other", "Facebook"])
      #expect(query.page == providers.issuer("honest") + "/authorize" && query["tenant"] == "1")
      #expect(query["response_type"] == "code" && query["client_id"] == "tandem")
      #expect(query["redirect_uri"] == HostileProviders.redirectURIs[0] && query["scope"] == "openid email")
      #expect(query["code_challenge_method"] == "S256")
      #expect(["state", "nonce", "code_challenge"].allSatisfy { query[$0].utf8.count == 43 })
      #expect(start.expireTime?.seconds == identity.clock.now.wholeSeconds + 600)

      let row = try #require(try await identity.sql("select * from authorization_attempts").first).compactMap { $0 }
      for secret in [query["state"], query["nonce"], start.handle] {
        let hexadecimal = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(!row.contains { $0.contains(secret) || $0.contains(hexadecimal) })
      }
    }
  }

  @Test("[ID-12] an identity that no account knows gets a ticket that names the verified address")
  func ticket() async throws {
    try await HostileProviders.serve { identity, _ in
      let start = try await identity.begin()
      let callback = try FederatedVisitor().callback(from: start.authorizationURL, of: identity)
      let unknown = try await refusal {
        try await identity.federated.completeFederatedLogin(callback.completion(of: start))
      }
      #expect(unknown.code == .failedPrecondition && unknown.reason == "IDENTITY_NOT_LINKED")
      let metadata = unknown.errorInfo?.metadata
      #expect(metadata?["email"] == "ada@provider.example" && metadata?["email_verified"] == "true")
    }
  }

  @Test("[ID-12] a ticket registers an account without a password, verified as the provider has it, and logs in")
  func registers() async throws {
    try await HostileProviders.serve { identity, _ in
      let registered = try await register(with: identity)
      let first = try #require(registered.login)
      #expect(first.userID == registered.userID && registered.verificationExpireTime == nil)
      #expect(
        try await identity.value("select device_label from sessions order by created_at limit 1") == "Ada's phone")
      #expect(
        try await identity.value("select 1 from accounts where password_hash is null and verified_at is not null")
          == "1")
    }
  }

  @Test("[ID-12] a later login by the identity finds the account, and each is recorded")
  func returns() async throws {
    try await HostileProviders.serve { identity, _ in
      let registered = try await register(with: identity)
      identity.clock.advance(by: .seconds(60))
      let again = try await identity.visit()
      #expect(again.userID == registered.userID && again.sessionID != registered.login?.sessionID)
      let kinds = try await identity.value(
        "select string_agg(kind, ' ' order by kind) from security_events where account_id is not null")
      #expect(kinds == "IDENTITY_LINKED LOGGED_IN_BY_IDENTITY LOGGED_IN_BY_IDENTITY")
    }
  }

  @Test("[ID-12] linked identities are listed with their provider, address and last use")
  func listed() async throws {
    try await HostileProviders.serve { identity, _ in
      let first = try #require(try await register(with: identity).login)
      _ = try await identity.visit()
      let listed = try await identity.federated.listLinkedIdentities(.init(), .user(first)).identities
      #expect(listed.map(\.providerID) == ["honest"] && listed.map(\.email) == ["ada@provider.example"])
      #expect(listed.first?.lastUseTime?.seconds == identity.clock.now.wholeSeconds)
    }
  }

  @Test("[ID-12] the provider gets the client's secret in the header alone")
  func clientSecret() async throws {
    try await HostileProviders.serve { identity, providers in
      _ = try await register(with: identity)
      let asked = try #require(try providers.requests("/honest/token").first)
      #expect(
        asked.headers["authorization"]?.hasPrefix("Basic dGFuZGVtOmNsaWVudCUyMHNlY3JldCUyMCUyNiUyMG1vcmU") == true)
      #expect(asked.form["client_secret"] == nil && asked.form["redirect_uri"] == HostileProviders.redirectURIs[0])
    }
  }

  private func register(with identity: RunningIdentity) async throws -> RegisterWithIdentityResponse {
    let (ticket, handle) = try await identity.ticket(FederatedVisitor())
    return try await identity.federated.registerWithIdentity(
      RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada", deviceLabel: "Ada's phone"))
  }

  @Test("[ID-12] [ID-1] an address that the provider has not verified is verified by a mail before the first login")
  func registersUnverified() async throws {
    try await HostileProviders.serve { identity, _ in
      let visitor = FederatedVisitor(isEmailVerified: false)
      let (ticket, handle) = try await identity.ticket(visitor)
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      let early = try await refusal { try await identity.visit(visitor) }
      let token = try await identity.mailedToken(to: "ada@provider.example")
      _ = try await identity.accounts.verifyEmail(
        VerifyEmailRequest(token: token, registrationSecret: registered.registrationSecret))
      let login = try await identity.visit(visitor)

      #expect(registered.login == nil && registered.verificationExpireTime != nil)
      #expect(registered.accountExpireTime?.seconds == identity.clock.now.wholeSeconds + 7 * 86_400)
      #expect(early.code == .failedPrecondition && early.reason == "EMAIL_NOT_VERIFIED")
      #expect(login.userID == registered.userID)
    }
  }

  @Test("[ID-12] another address than the verified one has to be verified too")
  func registersWithAnotherAddress() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada", email: "victim@example.com"))

      #expect(registered.login == nil)
      #expect(try await identity.value("select 1 from accounts where verified_at is null") == "1")
    }
  }

  @Test("[ID-12] [ID-1] an account that was never verified lapses with its identity, which then is free again")
  func lapses() async throws {
    try await HostileProviders.serve { identity, _ in
      let visitor = FederatedVisitor(isEmailVerified: false)
      let (first, firstHandle) = try await identity.ticket(visitor)
      _ = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: first, handle: firstHandle, username: "ada"))
      identity.clock.advance(by: .seconds(7 * 86_400))
      let (second, handle) = try await identity.ticket(visitor)
      let again = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: second, handle: handle, username: "ada.again", email: "new@example.com"))

      #expect(!again.userID.isEmpty)
      #expect(try await identity.value("select string_agg(username, ' ') from accounts") == "ada.again")
    }
  }

  @Test("[ID-12] an identity is never linked because of its e-mail address, only after a login to the account")
  func neverByEmail() async throws {
    try await HostileProviders.serve { identity, _ in
      let ada = try await identity.loggedIn()
      let visitor = FederatedVisitor(email: User.ada.email)
      let (ticket, handle) = try await identity.ticket(visitor)
      let taken = try await refusal {
        try await identity.federated.registerWithIdentity(
          RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada2"))
      }
      let nobody = try await refusal {
        try await identity.federated.linkIdentity(LinkIdentityRequest(ticket: ticket, handle: handle))
      }
      let link = LinkIdentityRequest(ticket: ticket, handle: handle)
      let linked = try await identity.federated.linkIdentity(link, .user(ada))
      let same = try await identity.federated.linkIdentity(link, .user(ada))
      let login = try await identity.visit(visitor)

      #expect(taken.code == .alreadyExists && taken.reason == "EMAIL_REGISTERED")
      #expect(taken.message == "The email address is already registered")
      #expect(nobody.code == .unauthenticated && nobody.reason == "TOKEN_MISSING")
      #expect(linked.email == User.ada.email && same.id == linked.id)
      #expect(login.userID == ada.userID)
    }
  }

  @Test("[ID-12] [C-6] a registration is rehearsed with every check and without an effect")
  func dryRun() async throws {
    try await HostileProviders.serve { identity, _ in
      try await identity.verified()
      let (ticket, handle) = try await identity.ticket()
      var call = RegisterWithIdentityRequest(
        ticket: ticket, handle: handle, username: "grace", validateOnly: true,
        requestID: "0197a5a0-0000-4000-8000-000000000012")
      let dryRun = try await identity.federated.registerWithIdentity(call)
      call.username = User.ada.username
      let taken = try await refusal { try await identity.federated.registerWithIdentity(call) }
      call.username = "?"
      call.email = "nobody"
      let bad = try await refusal { try await identity.federated.registerWithIdentity(call) }

      #expect(dryRun == RegisterWithIdentityResponse())
      #expect(taken.reason == "USERNAME_TAKEN" && bad.fieldReasons == ["EMAIL_INVALID", "USERNAME_INVALID"])
      #expect(try await identity.value("select count(*) from accounts") == "1")
      #expect(try await identity.value("select count(*) from federated_identities") == "0")
    }
  }

  @Test("[ID-12] [C-4] a repeated request gives the first answer: the same attempt, session and account")
  func repeats() async throws {
    try await HostileProviders.serve { identity, providers in
      let id = "0197a5a0-0000-4000-8000-000000000013"
      let begin = StartFederatedLoginRequest(providerID: "honest", requestID: id)
      let start = try await identity.federated.startFederatedLogin(begin)
      let sameStart = try await identity.federated.startFederatedLogin(begin)
      let (ticket, handle) = try await identity.ticket()
      let register = RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada", requestID: id)
      let registered = try await identity.federated.registerWithIdentity(register)
      var complete = try FederatedVisitor().callback(from: start.authorizationURL, of: identity).completion(of: start)
      complete.requestID = id
      let login = try await identity.federated.completeFederatedLogin(complete)
      identity.clock.advance(by: .seconds(3_600))

      #expect(sameStart == start)
      #expect(try await identity.federated.registerWithIdentity(register) == registered)
      #expect(try await identity.federated.completeFederatedLogin(complete) == login)
      #expect(try providers.requests("/token").count == 2)
      #expect(try await identity.value("select count(*) from sessions") == "2")
    }
  }

  @Test("[ID-12] consent that is denied is told so, and nothing is stored")
  func denied() async throws {
    try await HostileProviders.serve { identity, providers in
      let start = try await identity.begin()
      var callback = try FederatedVisitor().callback(from: start.authorizationURL, of: identity)
      (callback.code, callback.error) = ("", "access_denied")
      let denied = try await refusal {
        try await identity.federated.completeFederatedLogin(callback.completion(of: start))
      }

      #expect(denied.code == .permissionDenied && denied.reason == "CONSENT_DENIED")
      for table in ["authorization_attempts", "federated_identities", "accounts", "sessions"] {
        #expect(try await identity.value("select count(*) from \(table)") == "0")
      }
      #expect(try providers.requests("/token").isEmpty)
    }
  }

  @Test("[ID-12] an account that an operator has locked is not logged in to")
  func locked() async throws {
    try await HostileProviders.serve { identity, _ in
      let ada = try await identity.loggedIn()
      try await identity.linked(to: ada)
      try await identity.sql("update accounts set locked_at = now()")
      let locked = try await refusal { try await identity.visit() }

      #expect(locked.code == .permissionDenied && locked.reason == "ACCOUNT_LOCKED")
      #expect(try await identity.value("select count(*) from sessions") == "1")
    }
  }

  @Test("[ID-12] Facebook identifies a user by its Graph API, called with a proof of the secret")
  func facebook() async throws {
    try await HostileProviders.serve { identity, providers in
      let visitor = FederatedVisitor(subject: "77")
      let (ticket, handle) = try await identity.ticket(visitor, at: "facebook")
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))

      // Facebook does not say whether it has verified the address.
      #expect(registered.login == nil)
      let stored = try await identity.sql("select issuer, subject, email from federated_identities")
      #expect(stored == [["https://www.facebook.com", "77", "f77@provider.example"]])
      #expect(try providers.requests("/access_token").first?.form["client_secret"] == "facebook-secret")
    }
  }
}

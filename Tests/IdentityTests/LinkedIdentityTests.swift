import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("identities that are linked", .ownThreads, .timeLimit(.minutes(5)))
struct LinkedIdentityTests {
  /// Sends a logged-in user to a provider and back.
  private static func link(
    _ visitor: FederatedVisitor, to login: LoginResponse, _ identity: RunningIdentity
  ) async throws -> LinkedIdentity {
    let start = try await identity.federated.startIdentityLink(
      StartIdentityLinkRequest(providerID: "honest"), .user(login))
    let callback = try visitor.callback(from: start.authorizationURL, of: identity)
    return try await identity.federated.completeIdentityLink(callback.link, .user(login))
  }

  @Test("[ID-12] a logged-in user links an identity by going to the provider, and no other user can complete that")
  func links() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let start = try await identity.federated.startIdentityLink(
        StartIdentityLinkRequest(providerID: "honest"), .user(ada))
      let callback = try FederatedVisitor().callback(from: start.authorizationURL, of: identity)
      let foreign = try await refusal {
        try await identity.federated.completeIdentityLink(callback.link, .user(grace))
      }
      let linked = try await identity.federated.completeIdentityLink(callback.link, .user(ada))
      let again = try await refusal { try await identity.federated.completeIdentityLink(callback.link, .user(ada)) }
      let login = try await identity.visit()

      #expect(foreign.reason == "ATTEMPT_INVALID" && again.reason == "ATTEMPT_INVALID")
      #expect(linked.providerID == "honest" && linked.lastUseTime == nil)
      #expect(login.userID == ada.userID)
      #expect(try await refusal { try await Self.link(.init(), to: grace, identity) }.reason == "IDENTITY_LINKED")
      #expect(try await Self.link(.init(), to: ada, identity).id == linked.id)
    }
  }

  @Test("[ID-12] consent that is denied links nothing")
  func denied() async throws {
    try await HostileProviders.serve { identity, _ in
      let ada = try await identity.loggedIn()
      let start = try await identity.federated.startIdentityLink(
        StartIdentityLinkRequest(providerID: "honest"), .user(ada))
      var callback = try FederatedVisitor().callback(from: start.authorizationURL, of: identity)
      (callback.code, callback.error) = ("", "access_denied")
      let denied = try await refusal { try await identity.federated.completeIdentityLink(callback.link, .user(ada)) }

      #expect(denied.code == .permissionDenied && denied.reason == "CONSENT_DENIED")
      let listed = try await identity.federated.listLinkedIdentities(.init(), .user(ada))
      #expect(listed.identities.isEmpty)
    }
  }

  @Test("[ID-12] an account has ten identities at most, also when many are linked at once")
  func bounded() async throws {
    try await HostileProviders.serve { identity, _ in
      let ada = try await identity.loggedIn()
      var tickets: [(ticket: String, handle: String)] = []
      for subject in 0..<16 { tickets.append(try await identity.ticket(FederatedVisitor(subject: "s\(subject)"))) }
      let results = await identity.race(16) { [tickets] client, caller in
        try await FederatedLoginsClient(client).linkIdentity(
          LinkIdentityRequest(ticket: tickets[caller].ticket, handle: tickets[caller].handle), .user(ada))
      }

      #expect(results.successes().count == 10)
      #expect(results.refusals().compactMap(\.reason) == Array(repeating: "TOO_MANY_IDENTITIES", count: 6))
    }
  }

  @Test("[ID-12] an identity is taken off by its owner, and logs nobody in from then on")
  func unlinks() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let linked = try await identity.linked(to: ada)
      let call = UnlinkIdentityRequest(id: linked.id)
      let foreign = try await refusal { try await identity.federated.unlinkIdentity(call, .user(grace)) }
      _ = try await identity.federated.unlinkIdentity(call, .user(ada))
      let again = try await refusal { try await identity.federated.unlinkIdentity(call, .user(ada)) }

      #expect(foreign.code == .notFound && foreign.reason == "IDENTITY_NOT_FOUND")
      #expect(again.reason == "IDENTITY_NOT_FOUND")
      #expect(try await refusal { try await identity.visit() }.reason == "IDENTITY_NOT_LINKED")
      let kinds = try await identity.value(
        "select string_agg(kind, ' ' order by kind) from security_events where kind like 'IDENTITY%'")
      #expect(kinds == "IDENTITY_LINKED IDENTITY_UNLINKED")
    }
  }

  @Test("[ID-12] the last way to log in is not taken off, also when two are taken off at once")
  func lastWay() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      let ada = try #require(registered.login)
      for subject in 0..<7 { try await identity.linked(FederatedVisitor(subject: "s\(subject)"), to: ada) }
      let listed = try await identity.federated.listLinkedIdentities(.init(), .user(ada)).identities
      let results = await identity.race(8) { client, caller in
        try await FederatedLoginsClient(client).unlinkIdentity(UnlinkIdentityRequest(id: listed[caller].id), .user(ada))
      }

      #expect(results.successes().count == 7)
      #expect(results.refusals().map(\.reason) == ["LAST_LOGIN"])
      #expect(try await identity.value("select count(*) from federated_identities") == "1")
    }
  }

  @Test("[ID-11] [ID-12] a passkey is no last way to log in that could be removed either")
  func lastPasskey() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      let ada = try #require(registered.login)
      let passkeys = PasskeysClient(identity.client)
      let (_, call) = try Authenticator.create(try await passkeys.startPasskeyRegistration(.init(), .user(ada)))
      let passkey = try await passkeys.registerPasskey(call, .user(ada))
      let linked = try #require(
        try await identity.federated.listLinkedIdentities(.init(), .user(ada)).identities.first)
      _ = try await identity.federated.unlinkIdentity(UnlinkIdentityRequest(id: linked.id), .user(ada))
      let last = try await refusal {
        try await passkeys.deletePasskey(DeletePasskeyRequest(id: passkey.id), .user(ada))
      }

      #expect(last.code == .failedPrecondition && last.reason == "LAST_LOGIN")
      #expect(try await identity.value("select count(*) from passkeys") == "1")
    }
  }

  @Test("[ID-11] [ID-12] an identity of a provider that is not among the settings any more is no way in that is left")
  func goneProvider() async throws {
    try await HostileProviders.with { providers in
      try await TestDatabase.with([RunningIdentity.schema]) { database in
        let clock = ManualClock()
        let (ada, passkey) = try await Self.joined(database, clock, providers)
        try await RunningIdentity.with(
          CheapIdentity.self, on: database, clock: clock, try providers.arguments(["other"])
        ) { identity in
          let passkeys = PasskeysClient(identity.client)
          let removal = DeletePasskeyRequest(id: passkey)
          let early = try await refusal { try await passkeys.deletePasskey(removal, .user(ada)) }
          let start = try await identity.begin("other")
          let callback = try FederatedVisitor().callback(from: start.authorizationURL, of: identity)
          let unknown = try await refusal {
            try await identity.federated.completeFederatedLogin(callback.completion(of: start))
          }
          let ticket = try #require(unknown.errorInfo?.metadata["ticket"])
          let other = try await identity.federated.linkIdentity(
            LinkIdentityRequest(ticket: ticket, handle: start.handle), .user(ada))
          _ = try await passkeys.deletePasskey(removal, .user(ada))
          let last = try await refusal {
            try await identity.federated.unlinkIdentity(UnlinkIdentityRequest(id: other.id), .user(ada))
          }

          #expect(early.code == .failedPrecondition && early.reason == "LAST_LOGIN")
          #expect(last.code == .failedPrecondition && last.reason == "LAST_LOGIN")
          #expect(try await identity.value("select count(*) from passkeys") == "0")
          #expect(try await identity.value("select count(*) from federated_identities") == "2")
        }
      }
    }
  }

  /// A user without a password who registered by a provider and added a passkey.
  private static func joined(
    _ database: TestDatabase, _ clock: ManualClock, _ providers: HostileProviders
  ) async throws -> (LoginResponse, passkey: String) {
    let joined = Gathered<(LoginResponse, passkey: String)>()
    try await RunningIdentity.with(
      CheapIdentity.self, on: database, clock: clock, try providers.arguments(["honest"])
    ) { identity in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      let ada = try #require(registered.login)
      let passkeys = PasskeysClient(identity.client)
      let (_, call) = try Authenticator.create(try await passkeys.startPasskeyRegistration(.init(), .user(ada)))
      joined.add((ada, passkey: try await passkeys.registerPasskey(call, .user(ada)).id))
    }
    return try #require(joined.all.first)
  }

  @Test("[ID-13] [C-9] who has no password deletes the account after a fresh login, and the identity goes with it")
  func deletes() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      let password = try await refusal {
        try await identity.accounts.login(LoginRequest(emailOrUsername: "ada", password: "whatever it may be"))
      }
      identity.clock.advance(by: .seconds(599))
      _ = try await identity.accounts.deleteAccount(.init(), .user(try #require(registered.login)))

      #expect(password.reason == "CREDENTIALS_INCORRECT")
      for table in ["accounts", "federated_identities", "authorization_attempts"] {
        #expect(try await identity.value("select count(*) from \(table)") == "0")
      }
      #expect(try await refusal { try await identity.visit() }.reason == "IDENTITY_NOT_LINKED")
    }
  }

  @Test("[ID-13] without a password an old session does not delete the account")
  func staleSession() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))
      identity.clock.advance(by: .seconds(600))
      let refreshed = try await identity.accounts.refresh(
        RefreshRequest(refreshToken: try #require(registered.login).refreshToken))
      let stale = try await refusal {
        try await identity.accounts.deleteAccount(.init(), .token(refreshed.accessToken))
      }

      #expect(stale.code == .failedPrecondition && stale.reason == "FRESH_LOGIN_REQUIRED")
      #expect(stale.message == "Log in again, and repeat this within ten minutes", "there is no password to confirm")
    }
  }
}

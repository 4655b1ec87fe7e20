import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("attacks on logins by a provider", .ownThreads, .timeLimit(.minutes(5)))
struct FederatedAttackTests {
  /// The refusal at the end of a login.
  private static func refused(
    _ call: CompleteFederatedLoginRequest, _ identity: RunningIdentity
  ) async throws -> Status {
    try await refusal { try await identity.federated.completeFederatedLogin(call) }
  }

  /// A login that has returned from the provider, which a test may still change.
  private static func arrived(
    _ identity: RunningIdentity, _ visitor: FederatedVisitor = .init(), at provider: String = "honest"
  ) async throws -> CompleteFederatedLoginRequest {
    let start = try await identity.begin(provider)
    return try visitor.callback(from: start.authorizationURL, of: identity).completion(of: start)
  }

  @Test("[ID-12] a state that is invented, reused, expired, or of another browser or person is refused, all alike")
  func states() async throws {
    try await HostileProviders.serve { identity, providers in
      let ada = try await identity.loggedIn()
      try await identity.linked(to: ada)
      let asked = try providers.requests("/token").count

      var invented = try await Self.arrived(identity)
      invented.state = String(repeating: "A", count: 43)
      var foreign = try await Self.arrived(identity)
      foreign.handle = try await identity.begin().handle
      var malformed = try await Self.arrived(identity)
      (malformed.state, malformed.handle) = ("\0'; --", String(repeating: "x", count: 60_000))
      let link = try await identity.federated.startIdentityLink(
        StartIdentityLinkRequest(providerID: "honest"), .user(ada))
      let ofALink = try FederatedVisitor().callback(from: link.authorizationURL, of: identity)
        .completion(of: try await identity.begin())
      let expired = try await Self.arrived(identity)
      for call in [invented, foreign, malformed, ofALink] {
        let status = try await Self.refused(call, identity)
        #expect(status.code == .failedPrecondition && status.reason == "ATTEMPT_INVALID")
      }
      identity.clock.advance(by: .seconds(600))
      #expect(try await Self.refused(expired, identity).reason == "ATTEMPT_INVALID")
      #expect(try providers.requests("/token").count == asked)

      let start = try await identity.begin()
      identity.clock.advance(by: .seconds(599))
      let used = try FederatedVisitor().callback(from: start.authorizationURL, of: identity).completion(of: start)
      _ = try await identity.federated.completeFederatedLogin(used)
      #expect(try await Self.refused(used, identity).reason == "ATTEMPT_INVALID")
      #expect(try providers.requests("/token").count == asked + 1)
    }
  }

  @Test("[ID-12] of 32 who bring one state back at once one is logged in, and the provider sees its code once")
  func races() async throws {
    try await HostileProviders.serve { identity, providers in
      try await identity.linked(to: try await identity.loggedIn())
      let asked = try providers.requests("/token").count
      let call = try await Self.arrived(identity)
      let results = await identity.race(32) { client, _ in
        try await FederatedLoginsClient(client).completeFederatedLogin(call)
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().compactMap(\.reason) == Array(repeating: "ATTEMPT_INVALID", count: 31))
      #expect(try providers.requests("/token").count == asked + 1)
      #expect(try await identity.value("select count(*) from sessions") == "2")
    }
  }

  @Test("[ID-12] of 32 who register or link with one ticket at once one gets the identity")
  func racesForTheIdentity() async throws {
    try await HostileProviders.serve { identity, _ in
      let ada = try await identity.loggedIn()
      let (ticket, handle) = try await identity.ticket(FederatedVisitor(email: nil))
      let results = await identity.race(32) { client, caller in
        let logins = FederatedLoginsClient(client)
        if caller == 0 {
          _ = try await logins.linkIdentity(LinkIdentityRequest(ticket: ticket, handle: handle), .user(ada))
        } else {
          _ = try await logins.registerWithIdentity(
            RegisterWithIdentityRequest(
              ticket: ticket, handle: handle, username: "name\(caller)", email: "name\(caller)@example.com"))
        }
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().compactMap(\.reason) == Array(repeating: "IDENTITY_LINKED", count: 31))
      #expect(try await identity.value("select count(*) from federated_identities") == "1")
      #expect(Int(try await identity.value("select count(*) from accounts") ?? "") ?? 0 <= 2)
    }
  }

  @Test("[ID-12] an answer of another provider is refused before its code is sent anywhere: the mix-up")
  func mixUp() async throws {
    try await HostileProviders.serve(["honest", "other", "naming"]) { identity, providers in
      var mixedUp = try await Self.arrived(identity)
      mixedUp.issuer = providers.issuer("other")
      // One that says of itself that it names itself, and an answer without a name.
      let silent = try await Self.arrived(identity, at: "naming")
      for call in [mixedUp, silent] {
        let status = try await Self.refused(call, identity)
        #expect(status.reason == "PROVIDER_UNTRUSTED" && status.errorInfo?.metadata["step"] == "ISSUER")
      }
      #expect(try providers.requests("/token").isEmpty)

      var named = try await Self.arrived(identity, at: "naming")
      named.issuer = providers.issuer("naming")
      #expect(try await Self.refused(named, identity).reason == "IDENTITY_NOT_LINKED")
    }
  }

  /// What is wrong with an ID token, and the step that it does not pass.
  private static let forgeries: KeyValuePairs = [
    "issuer": "TOKEN_ISSUER", "audience": "AUDIENCE", "audiences": "AUDIENCE", "party": "AUDIENCE",
    "expired": "EXPIRY", "old": "ISSUE_TIME", "future": "ISSUE_TIME", "nonce": "NONCE", "no nonce": "NONCE",
    "hash": "ACCESS_TOKEN_HASH", "signature": "SIGNATURE", "other key": "SIGNATURE", "none": "ALGORITHM",
    "hs256": "ALGORITHM", "unknown key": "KEY", "encryption key": "KEY", "confused": "KEY", "subject": "TOKEN",
    "long subject": "TOKEN", "critical": "TOKEN", "access token": "TOKEN", "twice": "TOKEN", "two parts": "TOKEN",
    "no token": "TOKEN", "no json": "ANSWER", "mac": "ANSWER", "elsewhere": "ANSWER", "giant answer": "ANSWER",
  ]

  @Test(
    "[ID-12] an ID token that does not pass a step is refused with it: no session, no ticket, no redirection followed")
  func forged() async throws {
    try await HostileProviders.serve { identity, providers in
      try await identity.linked(to: try await identity.loggedIn())
      for (forge, step) in Self.forgeries {
        let call = try await Self.arrived(identity, FederatedVisitor(forge: forge))
        let status = try await Self.refused(call, identity)
        #expect(status.code == .failedPrecondition && status.reason == "PROVIDER_UNTRUSTED", "\(forge): \(status)")
        #expect(status.errorInfo?.metadata == ["step": step], "\(forge)")
      }
      #expect(try await identity.value("select count(*) from sessions") == "1")
      #expect(try providers.requests("/other/token").isEmpty)
    }
  }

  @Test("[ID-12] ID tokens of each algorithm, and in the forms that providers give them, are taken")
  func taken() async throws {
    try await HostileProviders.serve { identity, _ in
      let ada = try await identity.loggedIn()
      try await identity.linked(to: ada)
      for forge in ["es256", "eddsa", "list", "text"] {
        #expect(try await identity.visit(FederatedVisitor(forge: forge)).userID == ada.userID, "\(forge)")
      }
    }
  }

  @Test("[ID-12] a new key of a provider's is looked for at once, and an unknown one not more than once a minute")
  func rotation() async throws {
    try await HostileProviders.serve { identity, providers in
      let ada = try await identity.loggedIn()
      try await identity.linked(to: ada)
      for _ in 0..<3 {
        let call = try await Self.arrived(identity, FederatedVisitor(forge: "new key"))
        #expect(try await Self.refused(call, identity).errorInfo?.metadata["step"] == "KEY")
      }
      #expect(try providers.requests("/honest/jwks").count == 1)
      try providers.happen("rotated")
      identity.clock.advance(by: .seconds(60))

      #expect(try await identity.visit(FederatedVisitor(forge: "new key")).userID == ada.userID)
      #expect(try providers.requests("/honest/jwks").count == 2)
      #expect(try providers.requests("/honest/.well-known/openid-configuration").count == 1)
    }
  }

  @Test("[ID-12] a code works once and for the attempt that it was given to")
  func codes() async throws {
    try await HostileProviders.serve { identity, _ in
      try await identity.linked(to: try await identity.loggedIn())
      let first = try await Self.arrived(identity)
      _ = try await identity.federated.completeFederatedLogin(first)
      var replayed = try await Self.arrived(identity)
      replayed.code = first.code
      let other = try await Self.arrived(identity)
      var injected = try await Self.arrived(identity)
      injected.code = other.code
      var missing = try await Self.arrived(identity)
      missing.code = ""

      for call in [replayed, injected] {
        let status = try await Self.refused(call, identity)
        #expect(status.code == .failedPrecondition && status.reason == "PROVIDER_REFUSED")
      }
      #expect(try await Self.refused(missing, identity).errorInfo?.metadata["step"] == "ANSWER")
    }
  }

  @Test("[ID-12] a token endpoint that is busy, slow or refuses the client is told apart, and costs the attempt alone")
  func tokenEndpoints() async throws {
    try await HostileProviders.serve { identity, _ in
      try await identity.linked(to: try await identity.loggedIn())
      let busy = try await Self.refused(
        try await Self.arrived(identity, FederatedVisitor(forge: "busy")), identity)
      let slow = try await Self.refused(
        try await Self.arrived(identity, FederatedVisitor(forge: "slow answer")), identity)
      let client = try await Self.refused(
        try await Self.arrived(identity, FederatedVisitor(forge: "client")), identity)

      #expect(busy.code == .unavailable && busy.reason == "PROVIDER_UNAVAILABLE" && busy.retryAfter == .seconds(11))
      #expect(slow.code == .unavailable && slow.retryAfter != nil)
      #expect(client.code == .failedPrecondition && client.reason == "PROVIDER_REFUSED")
    }
  }

  @Test("[ID-12] a provider that says it is another, is not secure, redirects, or never ends is not sent to")
  func discoveries() async throws {
    let names = ["stranger", "plain", "giant", "slow", "elsewhere", "broken"]
    try await HostileProviders.serve(names) { identity, providers in
      for name in names {
        for _ in 0..<2 {
          let status = try await refusal { try await identity.begin(name) }
          #expect(status.code == .unavailable && status.reason == "PROVIDER_UNAVAILABLE", "\(name): \(status)")
          #expect(status.retryAfter == .seconds(name == "broken" ? 7 : 5), "\(name)")
        }
        // However often it is wanted, it is asked once in a while.
        #expect(try providers.requests("/\(name)/.well-known/openid-configuration").count == 1, "\(name)")
      }
      #expect(try await identity.value("select count(*) from authorization_attempts") == "0")
    }
  }

  @Test("[ID-12] a provider that was broken is asked again after the time that it named")
  func mends() async throws {
    try await HostileProviders.serve(["later"]) { identity, providers in
      #expect(try await refusal { try await identity.begin("later") }.reason == "PROVIDER_UNAVAILABLE")
      try providers.happen("mended")
      identity.clock.advance(by: .seconds(6))
      #expect(try await refusal { try await identity.begin("later") }.reason == "PROVIDER_UNAVAILABLE")
      identity.clock.advance(by: .seconds(1))

      #expect(try await identity.begin("later").handle.utf8.count == 43)
    }
  }

  @Test(
    "[ID-12] nobody is sent back to where the settings do not say, to the letter",
    arguments: [
      "https://evil.example/callback", "https://app.example/callback/", "https://app.example/callback?next=//evil",
      "https://app.example@evil.example/callback", "https://APP.example/callback", "//app.example/callback", " ",
      "com.example.tandem:/callback#", "javascript:alert(1)",
    ])
  func openRedirects(uri: String) async throws {
    try await HostileProviders.serve { identity, _ in
      let status = try await refusal {
        try await identity.federated.startFederatedLogin(
          StartFederatedLoginRequest(providerID: "honest", redirectURI: uri))
      }
      let second = try await identity.federated.startFederatedLogin(
        StartFederatedLoginRequest(providerID: "honest", redirectURI: HostileProviders.redirectURIs[1]))

      #expect(status.code == .invalidArgument && status.fieldReasons == ["REDIRECT_URI_UNKNOWN"])
      #expect(AuthorizationQuery(second.authorizationURL)["redirect_uri"] == HostileProviders.redirectURIs[1])
    }
  }

  @Test(
    "[ID-12] a ticket works with its own handle, for ten minutes, as it was given out, and for what it was made for")
  func tickets() async throws {
    try await HostileProviders.serve { identity, _ in
      let ada = try await identity.loggedIn()
      let (ticket, handle) = try await identity.ticket()
      let other = try await identity.begin().handle
      let tampered = String(ticket.dropLast(8)) + "AAAAAAAA"
      for (ticket, handle) in [(ticket, other), (tampered, handle), ("", handle), (ticket, ""), (handle, handle)] {
        let link = try await refusal {
          try await identity.federated.linkIdentity(LinkIdentityRequest(ticket: ticket, handle: handle), .user(ada))
        }
        let register = try await refusal {
          try await identity.federated.registerWithIdentity(
            RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "mallory", email: "m@example.com"))
        }
        #expect(link.reason == "TICKET_INVALID" && register.reason == "TICKET_INVALID")
      }
      identity.clock.advance(by: .seconds(600))
      let again = try await identity.accounts.login(User.ada.login)
      let late = try await refusal {
        try await identity.federated.linkIdentity(LinkIdentityRequest(ticket: ticket, handle: handle), .user(again))
      }
      #expect(late.reason == "TICKET_INVALID")
      #expect(try await identity.value("select count(*) from federated_identities") == "0")
    }
  }

  @Test("[ID-12] what nobody brings back is swept away once it cannot be")
  func sweeps() async throws {
    try await HostileProviders.with { providers in
      let arguments = try providers.arguments()
      try await TestDatabase.with([RunningIdentity.schema]) { database in
        let clock = ManualClock()
        try await RunningIdentity.with(on: database, clock: clock, arguments) { identity in
          _ = try await identity.begin()
          clock.advance(by: .seconds(1))
          _ = try await identity.begin("other")
        }
        clock.advance(by: .seconds(599))

        // A service sweeps when it starts.
        try await RunningIdentity.with(on: database, clock: clock, arguments) { identity in
          _ = try await eventually("the older one has been removed") {
            try await identity.value("select string_agg(provider, ' ') from authorization_attempts") == "other"
              ? true : nil
          }
        }
      }
    }
  }

  @Test("[ID-12] an address begins fifty logins within a quarter of an hour")
  func bounded() async throws {
    try await HostileProviders.serve { identity, _ in
      for _ in 0..<50 { _ = try await identity.begin() }
      let status = try await refusal { try await identity.begin() }
      #expect(status.code == .resourceExhausted && status.reason == "ADDRESS_THROTTLED" && status.retryAfter != nil)
      identity.clock.advance(by: .seconds(900))
      _ = try await identity.begin()
    }
  }

  @Test(
    "[ID-12] whoever resets the password of an account that was never verified takes off what a stranger linked to it")
  func preparedAccount() async throws {
    try await HostileProviders.serve { identity, _ in
      let stranger = FederatedVisitor(subject: "666", email: nil)
      let (ticket, handle) = try await identity.ticket(stranger)
      _ = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada", email: User.ada.email))
      _ = try await identity.mailedToken(to: User.ada.email)
      identity.clock.advance(by: .seconds(1))
      _ = try await identity.accounts.requestPasswordReset(RequestPasswordResetRequest(email: User.ada.email))
      let token = try await identity.mailedToken(to: User.ada.email, mail: 2)
      _ = try await identity.accounts.resetPassword(
        ResetPasswordRequest(token: token, newPassword: User.ada.password))

      #expect(try await refusal { try await identity.visit(stranger) }.reason == "IDENTITY_NOT_LINKED")
      #expect(try await identity.accounts.login(User.ada.login).userID.isEmpty == false)
    }
  }
}

import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// The link of a verification mail proves the address, but not that its user registered the account.
@Suite("links of registrations that may be a stranger's", .ownThreads, .timeLimit(.minutes(5)))
struct RegistrationProofTests {
  /// A stranger's registration with the address of another user.
  private static let stranger = User(
    email: User.ada.email, username: "stranger", password: "mallory-Horse battery 9 staple")

  /// Serves to `body`, after the stranger's registration, with what the mailed link says.
  private func attacked(
    _ body: @escaping @Sendable (RunningIdentity, RegisterResponse, VerifyEmailRequest) async throws -> Void
  ) async throws {
    try await RunningIdentity.with(CheapIdentity.self) { identity in
      let registered = try await identity.accounts.register(Self.stranger.registration)
      let link = VerifyEmailRequest(token: try await identity.mailedToken(to: User.ada.email))
      try await body(identity, registered, link)
    }
  }

  @Test("[ID-17] a link that is followed without password and secret verifies nothing, and stays valid")
  func needsPassword() async throws {
    try await attacked { identity, _, link in
      let refused = try await refusal { try await identity.accounts.verifyEmail(link) }
      let login = try await refusal { try await identity.accounts.login(Self.stranger.login) }
      var again = link
      again.password = User.ada.password
      _ = try await identity.accounts.verifyEmail(again)

      #expect(refused.code == .invalidArgument && refused.fields == ["password"])
      #expect(refused.fieldReasons == ["PASSWORD_REQUIRED"] && login.reason == "EMAIL_NOT_VERIFIED")
    }
  }

  @Test("[ID-17] a stranger's password no longer works once the owner of the address has followed the link")
  func strangersPassword() async throws {
    try await attacked { identity, registered, link in
      var link = link
      (link.password, link.username) = (User.ada.password, "ada")
      let verified = try await identity.accounts.verifyEmail(link)

      let stranger = try await refusal { try await identity.accounts.login(Self.stranger.login) }
      let owner = try await identity.accounts.login(User.ada.login)

      #expect(stranger.reason == "CREDENTIALS_INCORRECT")
      #expect(owner.userID == registered.userID && verified.userID == registered.userID)
      #expect(try await identity.value("select username from accounts") == "ada")
    }
  }

  @Test("[ID-17] the secret of another registration proves nothing")
  func othersSecret() async throws {
    try await attacked { identity, _, link in
      let other = try await identity.accounts.register(User.grace.registration)
      var link = link
      link.registrationSecret = other.registrationSecret

      let refused = try await refusal { [link] in try await identity.accounts.verifyEmail(link) }

      #expect(refused.fieldReasons == ["PASSWORD_REQUIRED"])
    }
  }

  @Test("[ID-17] who follows the link where they registered keeps the password, and is asked for nothing")
  func sameDevice() async throws {
    try await attacked { identity, registered, link in
      var link = link
      link.registrationSecret = registered.registrationSecret
      _ = try await identity.accounts.verifyEmail(link)

      #expect(try await identity.accounts.login(Self.stranger.login).userID == registered.userID)
    }
  }

  @Test("[ID-17] who follows the link elsewhere with the password of the registration logs in with it")
  func otherDevice() async throws {
    try await attacked { identity, registered, link in
      var link = link
      link.password = Self.stranger.password
      _ = try await identity.accounts.verifyEmail(link)

      #expect(try await identity.accounts.login(Self.stranger.login).userID == registered.userID)
    }
  }

  @Test("[ID-3] [ID-17] a password that is chosen with the link has to be strong, given the names of the account")
  func weakPassword() async throws {
    try await attacked { identity, _, link in
      var link = link
      (link.password, link.username) = ("wonderfulname", "wonderfulname")

      let weak = try await refusal { [link] in try await identity.accounts.verifyEmail(link) }

      #expect(weak.fieldReasons == ["PASSWORD_NOT_STRONG_ENOUGH"])
      #expect(try await identity.value("select verified_at is null from accounts") == "t")
    }
  }

  @Test("[C-2] [ID-17] an unknown token, a short password and a bad username are named together")
  func badInput() async throws {
    try await attacked { identity, _, _ in
      let call = VerifyEmailRequest(token: "unknown", username: "a b", password: "short")

      let refused = try await refusal { try await identity.accounts.verifyEmail(call) }

      #expect(
        Set(refused.fieldReasons) == [
          "VERIFICATION_TOKEN_INVALID", "USERNAME_INVALID", "PASSWORD_NOT_STRONG_ENOUGH",
        ])
    }
  }

  @Test("[ID-17] of 64 who follow one link at once, half with the secret and half with a password, one succeeds")
  func race() async throws {
    try await attacked { identity, registered, link in
      let results = await identity.race(64) { rpc, number in
        var call = link
        if number % 2 == 0 {
          call.registrationSecret = registered.registrationSecret
        } else {
          call.password = User.ada.password
        }
        _ = try await AccountsClient(rpc).verifyEmail(call)
        return number
      }

      let winner = try #require(results.successes().first)
      let (password, other) =
        winner % 2 == 0
        ? (Self.stranger.password, User.ada.password) : (User.ada.password, Self.stranger.password)
      let refused = try await refusal {
        try await identity.accounts.login(LoginRequest(emailOrUsername: User.ada.email, password: other))
      }
      #expect(results.successes().count == 1 && refused.reason == "CREDENTIALS_INCORRECT")
      #expect(results.refusals().map(\.reason) == Array(repeating: "VERIFICATION_TOKEN_USED", count: 63))
      _ = try await identity.accounts.login(LoginRequest(emailOrUsername: User.ada.email, password: password))
    }
  }

  @Test("[ID-17] a link that is followed after a reset has verified the account changes no password")
  func afterReset() async throws {
    try await attacked { identity, _, link in
      let reset = ResetPasswordRequest(
        token: try await identity.mailedResetToken(to: User.ada.email), newPassword: User.ada.password)
      _ = try await identity.accounts.resetPassword(reset)
      var late = link
      late.password = "another-Saddle 7 paperclip"

      let refused = try await refusal { [late] in try await identity.accounts.verifyEmail(late) }

      #expect(refused.reason == "VERIFICATION_TOKEN_USED")
      _ = try await identity.accounts.login(User.ada.login)
    }
  }

  @Test("[C-4] a repeated registration has the same secret, and a repeated verification the same answer")
  func repeated() async throws {
    try await RunningIdentity.with(CheapIdentity.self) { identity in
      var registration = User.ada.registration
      registration.requestID = "0197a5a0-0000-4000-8000-000000000041"
      let first = try await identity.accounts.register(registration)
      let second = try await identity.accounts.register(registration)
      let link = VerifyEmailRequest(
        token: try await identity.mailedToken(to: User.ada.email), requestID: "0197a5a0-0000-4000-8000-000000000042",
        registrationSecret: second.registrationSecret)
      let answers = [try await identity.accounts.verifyEmail(link), try await identity.accounts.verifyEmail(link)]

      #expect(first == second && !first.registrationSecret.isEmpty && answers[0] == answers[1])
    }
  }

  @Test("[C-6] a registration that is only tried has no secret")
  func dryRun() async throws {
    try await RunningIdentity.with(CheapIdentity.self) { identity in
      var registration = User.ada.registration
      registration.validateOnly = true

      let tried = try await identity.accounts.register(registration)

      #expect(tried.registrationSecret.isEmpty)
    }
  }

  @Test("[ID-17] only the hash of the secret is stored, and not beyond the verification")
  func storedAsHash() async throws {
    try await attacked { identity, registered, link in
      let secret = registered.registrationSecret
      let before = try await identity.value("select octet_length(registration_secret_hash) from accounts")
      for table in ["accounts", "deliveries", "replays"] {
        #expect(try await identity.value("select count(*) from \(table) as t where t::text like '%\(secret)%'") == "0")
      }
      var link = link
      link.registrationSecret = secret
      _ = try await identity.accounts.verifyEmail(link)

      #expect(before == "32")
      #expect(try await identity.value("select registration_secret_hash is null from accounts") == "t")
    }
  }

  @Test("[ID-12] [ID-17] the identity of a stranger who registered the address is unlinked when its owner verifies it")
  func strangersIdentity() async throws {
    try await HostileProviders.serve { identity, _ in
      let visitor = FederatedVisitor(isEmailVerified: false)
      let (ticket, handle) = try await identity.ticket(visitor)
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "stranger"))
      let owner = User(email: "ada@provider.example")
      let link = VerifyEmailRequest(
        token: try await identity.mailedToken(to: owner.email), username: "ada", password: owner.password)
      _ = try await identity.accounts.verifyEmail(link)

      let stranger = try await refusal { try await identity.visit(visitor) }
      let login = try await identity.accounts.login(owner.login)

      #expect(stranger.reason == "IDENTITY_NOT_LINKED" && login.userID == registered.userID)
      #expect(try await identity.value("select count(*) from federated_identities") == "0")
    }
  }
}

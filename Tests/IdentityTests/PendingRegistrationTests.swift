import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

/// A registration that is not verified keeps nothing from users who prove their address.
@Suite("registrations that were never verified", .ownThreads, .timeLimit(.minutes(5)))
struct PendingRegistrationTests {
  private static let mallory = User(email: "mallory@example.net", username: "Ada")

  private func serve(
    _ body: @escaping @Sendable (RunningIdentity, HostileProviders) async throws -> Void
  ) async throws {
    try await HostileProviders.with { providers in
      let arguments = try providers.arguments() + ["--registrations-of-address", "500/1h"]
      try await RunningIdentity.with(CheapIdentity.self, arguments) { identity in try await body(identity, providers) }
    }
  }

  private func verification(_ identity: RunningIdentity, of user: User) async throws -> VerifyEmailRequest {
    VerifyEmailRequest(token: try await identity.mailedToken(to: user.email), password: user.password)
  }

  @Test("[ID-17] [ID-12] it keeps no address and no username from a user whose provider has verified the address")
  func provider() async throws {
    try await serve { identity, _ in
      let squatter = User(email: "ada@provider.example", username: "ada")
      _ = try await identity.accounts.register(squatter.registration)
      let stale = try await verification(identity, of: squatter)
      let (ticket, handle) = try await identity.ticket()

      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))

      #expect(registered.login != nil)
      #expect(try await identity.sql("select id from accounts") == [[registered.userID]])
      #expect(try await refusal { try await identity.accounts.login(squatter.login) }.reason == "CREDENTIALS_INCORRECT")
      let late = try await refusal { try await identity.accounts.verifyEmail(stale) }
      #expect(late.fieldReasons == ["VERIFICATION_TOKEN_INVALID"])
    }
  }

  @Test("[ID-17] a provider that has not verified the address takes it from no registration")
  func unverifiedProvider() async throws {
    try await serve { identity, _ in
      let first = User(email: "ada@provider.example", username: "ada")
      let account = try await identity.accounts.register(first.registration)
      let (ticket, handle) = try await identity.ticket(FederatedVisitor(isEmailVerified: false))

      let refused = try await refusal {
        try await identity.federated.registerWithIdentity(
          RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "other"))
      }

      #expect(refused.reason == "EMAIL_REGISTERED")
      #expect(try await identity.sql("select id from accounts") == [[account.userID]])
    }
  }

  @Test("[ID-17] it keeps no username from a user who verifies an address first; the other then chooses another name")
  func username() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(Self.mallory.registration)
      let ada = try await identity.verified()
      var link = try await verification(identity, of: Self.mallory)

      let taken = try await refusal { [link] in try await identity.accounts.verifyEmail(link) }
      let byName = try await identity.accounts.login(
        LoginRequest(emailOrUsername: "ada", password: User.ada.password))
      link.username = "a b"
      let bad = try await refusal { [link] in try await identity.accounts.verifyEmail(link) }
      link.username = "mallory"
      _ = try await identity.accounts.verifyEmail(link)

      #expect(taken.code == .alreadyExists && taken.reason == "USERNAME_TAKEN")
      #expect(taken.message == "The username is already taken" && taken.fields == ["username"])
      #expect(bad.fieldReasons == ["USERNAME_INVALID"] && byName.userID == ada)
      let names = try await identity.value(
        "select string_agg(username, ' ' order by username) from accounts where verified_at is not null")
      #expect(names == "ada mallory")
    }
  }

  @Test("[ID-17] of 64 users with one username who prove their addresses at once exactly one gets it")
  func usernameRace() async throws {
    try await serve { identity, _ in
      let users = (0..<64).map { User(email: "user\($0)@example.com", username: $0 % 2 == 0 ? "Wanted" : "wanted") }
      let registered = await identity.race(64) { rpc, number in
        try await AccountsClient(rpc).register(users[number].registration)
      }
      #expect(registered.successes().count == 64, "\(registered.refusals())")
      var links: [VerifyEmailRequest] = []
      for user in users { links.append(try await verification(identity, of: user)) }

      let results = await identity.race(64) { [links] rpc, number in
        try await AccountsClient(rpc).verifyEmail(links[number])
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.reason) == Array(repeating: "USERNAME_TAKEN", count: 63))
      let holders = try await identity.sql(
        "select id from accounts where lower(username) = 'wanted' and verified_at is not null")
      #expect(holders == [[results.successes().first?.userID]])
      let others = await identity.race(64) { [links] rpc, number in
        var link = links[number]
        link.username = "user\(number)"
        return try await AccountsClient(rpc).verifyEmail(link)
      }
      #expect(others.successes().count == 63, "\(others.refusals())")
    }
  }

  @Test("[ID-17] of 64 users who come with one username, by links and by providers, exactly one gets it")
  func mixedRace() async throws {
    try await serve { identity, _ in
      let users = (0..<32).map { User(email: "user\($0)@example.com", username: "wanted") }
      _ = await identity.race(32) { rpc, number in try await AccountsClient(rpc).register(users[number].registration) }
      var (links, tickets): ([VerifyEmailRequest], [(ticket: String, handle: String)]) = ([], [])
      for number in 0..<32 {
        links.append(try await verification(identity, of: users[number]))
        tickets.append(
          try await identity.ticket(
            FederatedVisitor(subject: "visitor\(number)", email: "visitor\(number)@provider.example")))
      }

      let results = await identity.race(64) { [links, tickets] rpc, number in
        if number % 2 == 0 { return try await AccountsClient(rpc).verifyEmail(links[number / 2]).userID }
        let (ticket, handle) = tickets[number / 2]
        return try await FederatedLoginsClient(rpc).registerWithIdentity(
          RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "wanted")
        ).userID
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.reason) == Array(repeating: "USERNAME_TAKEN", count: 63))
      let holders = try await identity.sql("select id from accounts where verified_at is not null")
      #expect(holders == [[results.successes().first]])
    }
  }

  @Test("[ID-17] of 64 who prove one address at once, by the link and by providers, exactly one has it")
  func addressRace() async throws {
    try await serve { identity, _ in
      let pending = User(email: "ada@provider.example", username: "pending")
      _ = try await identity.accounts.register(pending.registration)
      let link = try await verification(identity, of: pending)
      var tickets: [(ticket: String, handle: String)] = []
      for number in 0..<48 { tickets.append(try await identity.ticket(FederatedVisitor(subject: "visitor\(number)"))) }

      let results = await identity.race(64) { [tickets] rpc, number in
        if number >= 48 { return try await AccountsClient(rpc).verifyEmail(link).userID }
        let (ticket, handle) = tickets[number]
        return try await FederatedLoginsClient(rpc).registerWithIdentity(
          RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "visitor\(number)")
        ).userID
      }

      #expect(results.successes().count == 1, "\(results.refusals())")
      let reasons = Set(results.refusals().map { $0.fieldReasons.first ?? $0.reason })
      #expect(
        reasons.isSubset(of: ["EMAIL_REGISTERED", "VERIFICATION_TOKEN_INVALID", "VERIFICATION_TOKEN_USED"]),
        "\(reasons)")
      #expect(
        try await identity.sql("select id, verified_at is not null from accounts") == [
          [results.successes().first, "t"]
        ])
    }
  }

  @Test(
    "[ID-17] [ID-8] who proves the address by a reset link gets the account, with the password and username they choose"
  )
  func reset() async throws {
    try await RunningIdentity.with { identity in
      let squatter = User(email: User.ada.email, username: "squatter", password: "mallory-Horse battery 9 staple")
      let account = try await identity.accounts.register(squatter.registration)
      let token = try await identity.mailedResetToken(to: User.ada.email)

      _ = try await identity.accounts.resetPassword(
        ResetPasswordRequest(token: token, newPassword: User.ada.password, username: "ada"))
      let login = try await identity.accounts.login(
        LoginRequest(emailOrUsername: "ada", password: User.ada.password))
      let squatting = try await refusal { try await identity.accounts.login(squatter.login) }

      #expect(login.userID == account.userID && squatting.reason == "CREDENTIALS_INCORRECT")
    }
  }

  @Test("[ID-8] a username in a reset of an account that is verified changes nothing")
  func resetOfVerified() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let token = try await identity.mailedResetToken(to: User.ada.email)

      _ = try await identity.accounts.resetPassword(
        ResetPasswordRequest(token: token, newPassword: "another-Horse battery 8 staple", username: "lovelace"))

      #expect(try await identity.value("select username from accounts") == "ada")
    }
  }

  @Test("[ID-17] [ID-22] a username that was taken and given up since the registration stays reserved for its owner")
  func reserved() async throws {
    try await RunningIdentity.with { identity in
      let mallory = User(email: "mallory@example.net", username: "lovelace")
      _ = try await identity.accounts.register(mallory.registration)
      let ada = try await identity.loggedIn()
      for name in ["lovelace", "countess"] {
        _ = try await identity.accounts.changeUsername(ChangeUsernameRequest(username: name), .user(ada))
      }
      let link = try await verification(identity, of: mallory)

      let taken = try await refusal { try await identity.accounts.verifyEmail(link) }

      #expect(taken.reason == "USERNAME_TAKEN")
    }
  }
}

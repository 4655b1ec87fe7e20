import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// The requirements of the verification standard for identity that no other test covers: see Services/Identity/ASVS.md.
@Suite("what a standard asks for", .timeLimit(.minutes(5)))
struct StandardTests {
  @Test("[ID-1] there is no account before the first registration")
  func noDefaults() async throws {
    try await RunningIdentity.with { identity in
      #expect(try await identity.value("select count(*) from accounts") == "0")
      for name in ["admin", "root", "test", "operator", "tandem"] {
        let login = LoginRequest(emailOrUsername: name, password: name)
        let refused = try await refusal { try await identity.accounts.login(login) }
        #expect(refused.reason == "CREDENTIALS_INCORRECT")
      }
    }
  }

  @Test("[ID-5] a password works until it is changed")
  func noRotation() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      identity.clock.advance(by: .seconds(10 * 366 * 24 * 3_600))
      #expect(try await identity.accounts.login(User.ada.login).accessToken.isEmpty == false)
    }
  }

  @Test(
    "[ID-3] a password made of what the place is about is weak", arguments: ["tandemgymworkout", "Tandem workout"])
  func contextWords(password: String) async throws {
    try await RunningIdentity.with { identity in
      var user = User.ada
      user.password = password
      let refused = try await refusal { try await identity.accounts.register(user.registration) }
      #expect(refused.fieldReasons == ["PASSWORD_NOT_STRONG_ENOUGH"])
    }
  }

  @Test("[ID-5] every login begins a session of its own, with tokens that no other has")
  func freshTokens() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let logins = await identity.race(16) { client, _ in try await AccountsClient(client).login(User.ada.login) }
        .successes()
      #expect(Set(logins.map(\.sessionID)).count == 16)
      #expect(Set(logins.map(\.accessToken)).count == 16 && Set(logins.map(\.refreshToken)).count == 16)
    }
  }
}

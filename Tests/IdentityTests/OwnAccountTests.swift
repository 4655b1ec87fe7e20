import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("the own account", .ownThreads, .timeLimit(.minutes(5)))
struct OwnAccountTests {
  @Test("[ID-14] before there is a gym part the account tells its names, its ways in and what is missing")
  func newUser() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let own = try await identity.ownAccount(ada)

      #expect(own.userID == ada.userID && own.email == "ada@example.com" && own.username == "ada")
      #expect(own.emailVerifyTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(own.hasPassword && own.passkeyCount == 0 && own.providers.isEmpty)
      #expect(own.missing == [.gymProfile, .picture])
      #expect(own.pendingEmail.isEmpty && own.pendingEmailExpireTime == nil)
    }
  }

  @Test("[ID-14] passkeys, providers, a profile and a change of address that waits are seen; of others nothing")
  func complete() async throws {
    try await HostileProviders.serve { identity, providers in
      let ada = try await identity.member()
      let grace = try await identity.loggedIn(.grace)
      _ = try await identity.addPasskey(ada)
      try await identity.linked(to: ada)
      try await identity.requestEmail("ada@new.example", ada)

      let own = try await identity.ownAccount(ada)
      let hers = try await identity.ownAccount(grace)

      #expect(own.passkeyCount == 1 && own.providers.map(\.providerID) == ["honest"])
      #expect(own.providers.map(\.issuer) == [providers.issuer("honest")])
      #expect(own.missing == [.picture] && own.email == "ada@example.com")
      #expect(own.pendingEmail == "ada@new.example")
      #expect(own.pendingEmailExpireTime?.seconds == identity.clock.now.wholeSeconds + 86_400)
      #expect(
        hers.username == "grace.h" && hers.passkeyCount == 0 && hers.providers.isEmpty && hers.pendingEmail.isEmpty)
    }
  }

  @Test("[ID-14] [ID-12] an account that came by a provider has no password")
  func withoutPassword() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))

      let own = try await identity.ownAccount(try #require(registered.login))

      #expect(!own.hasPassword && own.providers.map(\.providerID) == ["honest"])
    }
  }

  @Test("[ID-14] a session of a deleted account sees nothing")
  func deleted() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(ada))

      let refused = try await refusal { try await identity.ownAccount(ada) }

      #expect(refused.code == .unauthenticated && refused.reason == "TOKEN_REVOKED")
    }
  }
}

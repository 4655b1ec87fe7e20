import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("usernames that would mislead", .timeLimit(.minutes(5)))
struct ReservedUsernameTests {
  @Test("[ID-2] a username that would mislead is refused with a reason of its own, beside every other bad field")
  func register() async throws {
    try await RunningIdentity.with(CheapIdentity.self, ["--reserved-usernames", "acme,initech"]) { identity in
      for name in ["admin", "R00T", "sup_port", "Tandem.Support", "acme", "1nitech_team"] {
        let call = RegisterRequest(email: "ada@example.com", username: name, password: User.ada.password)
        let refused = try await refusal { try await identity.accounts.register(call) }
        #expect(refused.code == .invalidArgument && refused.fieldReasons == ["USERNAME_RESERVED"], "\(name)")
      }
      let all = try await refusal {
        try await identity.accounts.register(RegisterRequest(email: "x", username: "root", password: "x"))
      }
      #expect(all.fields == ["email", "username", "password"])
      #expect(try await identity.value("select count(*) from accounts") == "0")
    }
  }

  @Test("[ID-22] no user changes their name to such a one; an account that has one keeps it, and may respell it")
  func change() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let refused = try await identity.refusedRename(ada, to: "supp0rt")
      try await identity.sql("update accounts set username = 'admin'")
      let respelt = try await identity.rename(ada, to: "Admin")

      #expect(refused.code == .invalidArgument && refused.fieldReasons == ["USERNAME_RESERVED"])
      #expect(refused.message.isEmpty == false && respelt.username == "Admin")
    }
  }

  @Test("[ID-12] nor does a user who comes by a provider")
  func provider() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let refused = try await refusal {
        try await identity.federated.registerWithIdentity(
          RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "tandem"))
      }
      #expect(refused.fieldReasons == ["USERNAME_RESERVED"])
    }
  }
}

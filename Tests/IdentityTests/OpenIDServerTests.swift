import Environment
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("logging in by a real OpenID provider", .ownThreads, .timeLimit(.minutes(5)))
struct OpenIDServerTests {
  /// A service that uses the machine's clock, as the provider does.
  private static func serve(
    _ body: @escaping @Sendable (RunningIdentity, OpenIDServer) async throws -> Void
  ) async throws {
    try await OpenIDServer.with { server in
      let arguments = try server.arguments()
      try await TestDatabase.with([RunningIdentity.schema]) { database in
        let clock = ManualClock(SystemClock().now)
        try await RunningIdentity.with(CheapIdentity.self, on: database, clock: clock, arguments) { identity in
          try await body(identity, server)
        }
      }
    }
  }

  /// Goes to the provider as a user and comes back.
  private static func arrived(
    _ identity: RunningIdentity, _ server: OpenIDServer, as user: String = "ada"
  ) async throws -> CompleteFederatedLoginRequest {
    let start = try await identity.begin("glewlwyd")
    let callback = try await server.visit(start.authorizationURL, as: user)
    // The service's clock stands still otherwise, and what the provider signs would come from the future.
    identity.clock.set(SystemClock().now)
    return callback.completion(of: start)
  }

  @Test("[ID-12] somebody logs in at the provider, registers, and is known when they come again")
  func registers() async throws {
    try await Self.serve { identity, server in
      let first = try await Self.arrived(identity, server)
      let unknown = try await refusal { try await identity.federated.completeFederatedLogin(first) }
      let ticket = try #require(unknown.errorInfo?.metadata["ticket"], "\(unknown)")
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: first.handle, username: "ada"))
      let second = try await Self.arrived(identity, server)
      let login = try await identity.federated.completeFederatedLogin(second)
      let replayed = try await refusal { try await identity.federated.completeFederatedLogin(second) }

      #expect(!second.issuer.isEmpty, "the provider names itself in its answers")
      #expect(unknown.errorInfo?.metadata["email"] == "ada@provider.example")
      #expect(registered.login != nil && login.userID == registered.userID)
      #expect(replayed.reason == "ATTEMPT_INVALID")
    }
  }

  @Test("[ID-12] an address that the provider has not verified is verified by us")
  func unverified() async throws {
    try await Self.serve { identity, server in
      let call = try await Self.arrived(identity, server, as: "grace")
      let unknown = try await refusal { try await identity.federated.completeFederatedLogin(call) }
      let metadata = unknown.errorInfo?.metadata ?? [:]
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: metadata["ticket"] ?? "", handle: call.handle, username: "grace"))

      #expect(metadata["email_verified"] == "false")
      #expect(registered.login == nil && registered.accountExpireTime != nil)
    }
  }

  @Test("[ID-12] the provider refuses a code that was used, and one of an attempt with another verifier")
  func codes() async throws {
    try await Self.serve { identity, server in
      let used = try await Self.arrived(identity, server)
      _ = try await refusal { try await identity.federated.completeFederatedLogin(used) }
      var replayed = try await Self.arrived(identity, server)
      replayed.code = used.code
      let other = try await Self.arrived(identity, server)
      var injected = try await Self.arrived(identity, server)
      injected.code = other.code

      for call in [replayed, injected] {
        let status = try await refusal { try await identity.federated.completeFederatedLogin(call) }
        #expect(status.code == .failedPrecondition && status.reason == "PROVIDER_REFUSED")
      }
    }
  }

  @Test("[ID-12] an answer that claims to be another provider's is refused")
  func mixUp() async throws {
    try await Self.serve { identity, server in
      var call = try await Self.arrived(identity, server)
      call.issuer = "https://evil.example"
      let status = try await refusal { try await identity.federated.completeFederatedLogin(call) }

      #expect(status.reason == "PROVIDER_UNTRUSTED" && status.errorInfo?.metadata["step"] == "ISSUER")
    }
  }
}

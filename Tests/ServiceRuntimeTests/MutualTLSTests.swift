import Cryptography
import NIOSSL
import TTRPC
import Testing

@testable import ServiceRuntime

@Suite("Who calls over TLS", .timeLimit(.minutes(5)))
struct MutualTLSTests {
  let folder: TemporaryFolder
  let authority: TestAuthority

  init() throws {
    folder = try TemporaryFolder()
    authority = try TestAuthority(folder)
  }

  func withServer(_ more: [String] = [], _ body: (GuardedServer) async throws -> Void) async throws {
    let own = try authority.issue([ServiceIdentity.name(of: "identity")])
    try await GuardedServer.run(try authority.settings(own) + more, body)
  }

  @Test("[C-1] a service is known by its certificate, and a method for services is open to it")
  func service() async throws {
    try await withServer { server in
      let lending = try authority.client(try authority.issue([ServiceIdentity.name(of: "lending")]))
      #expect(try await server.caller(GuardedServer.forServices, with: lending) == "lending")
      #expect(try await server.caller(GuardedServer.open, with: lending) == "public lending")
      let status = try await server.refusal(GuardedServer.forUsers, with: lending)
      #expect(status.code == .unauthenticated && status.errorInfo?.reason == "TOKEN_MISSING")
    }
  }

  @Test(
    "[C-1] a method for services is open to those whom the contract names, where it names them, and to no other name")
  func callers() async throws {
    try await withServer { server in
      let lending = try authority.client(try authority.issue([ServiceIdentity.name(of: "lending")]))
      #expect(try await server.caller(GuardedServer.forLendingHere, with: lending) == "lending")
      for name in ["matching", "gateway", "operator", "whatever"] {
        let other = try authority.client(try authority.issue([ServiceIdentity.name(of: name)]))
        for method in [GuardedServer.forServices, GuardedServer.forLendingHere, GuardedServer.forNobody] {
          // A token of one that may does not help.
          let status = try await server.refusal(method, with: other, token: "service")
          #expect(status.code == .permissionDenied && status.errorInfo?.reason == "CALLER_NOT_ALLOWED", "\(name)")
        }
      }
      let nobody = try await server.refusal(GuardedServer.forNobody, with: lending)
      #expect(nobody.errorInfo?.reason == "CALLER_NOT_ALLOWED")
      let token = try await server.refusal(GuardedServer.forNobody, with: try authority.client(), token: "service")
      #expect(token.errorInfo?.reason == "CALLER_NOT_ALLOWED")
    }
  }

  @Test("[C-1] a client without a certificate reaches what is public or for users, and nothing for services")
  func ordinaryClient() async throws {
    try await withServer { server in
      let anyone = try authority.client()
      #expect(try await server.caller(GuardedServer.open, with: anyone) == "nobody")
      #expect(try await server.caller(GuardedServer.forUsers, with: anyone, token: "user") == "user by token")
      let none = try await server.refusal(GuardedServer.forServices, with: anyone)
      #expect(none.code == .unauthenticated && none.errorInfo?.reason == "SERVICE_IDENTITY_MISSING")
      let user = try await server.refusal(GuardedServer.forServices, with: anyone, token: "user")
      #expect(user.code == .permissionDenied)
    }
  }

  @Test("[C-1] a service's token opens a method for services too")
  func serviceToken() async throws {
    try await withServer { server in
      let client = try authority.client()
      #expect(
        try await server.caller(GuardedServer.forServices, with: client, token: "service") == "service by token")
    }
  }

  @Test("the name that a client asks for is what the server's certificate must carry, though it carries the address")
  func serverName() async throws {
    let names: [AlternativeName] = [
      ServiceIdentity.name(of: "identity"), .ip("127.0.0.1"), .dns("*.example.org"), .dns("Other.example"),
    ]
    try await GuardedServer.run(try authority.settings(try authority.issue(names))) { server in
      for name in ["wrong.example", "example.org", "a.b.example.org", "localhost.", "other.example", "a.example.org"] {
        let security = try authority.client(for: name)
        if ["localhost.", "other.example", "a.example.org"].contains(name) {
          #expect(try await server.caller(GuardedServer.open, with: security) == "nobody", "\(name)")
        } else {
          let status = try await server.refusal(GuardedServer.open, with: security)
          #expect(status.code == .unavailable && status.message.contains("unableToValidateCertificate"), "\(name)")
        }
      }
      #expect(try await server.caller(GuardedServer.open, with: try authority.client(for: nil)) == "nobody")
    }
  }

  @Test("a good certificate that names no service, or several things, is no service's")
  func nameless() async throws {
    try await withServer { server in
      for names: [AlternativeName] in [
        [], [.dns("lending")], [.uri("spiffe://elsewhere/lending")], [.uri("spiffe://tandem/lending/more")],
        [ServiceIdentity.name(of: "lending"), ServiceIdentity.name(of: "identity")],
      ] {
        let status = try await server.refusal(
          GuardedServer.forServices, with: try authority.client(try authority.issue(names)))
        #expect(status.errorInfo?.reason == "SERVICE_IDENTITY_MISSING", "\(names)")
      }
    }
  }

  @Test("a certificate of another authority, or an expired one, makes no connection")
  func foreign() async throws {
    try await withServer { server in
      let stranger = try TestAuthority(folder, name: "stranger").issue([ServiceIdentity.name(of: "lending")])
      let old = try authority.issue([ServiceIdentity.name(of: "lending")], lifetime: .seconds(-1))
      for pair in [stranger, old] {
        #expect(try await server.refusal(GuardedServer.open, with: try authority.client(pair)).code == .unavailable)
      }
    }
  }

  @Test("where clients' certificates are required, none means no connection")
  func required() async throws {
    try await withServer(["--tls-clients=required"]) { server in
      #expect(try await server.refusal(GuardedServer.open, with: try authority.client()).code == .unavailable)
      let lending = try authority.client(try authority.issue([ServiceIdentity.name(of: "lending")]))
      #expect(try await server.caller(GuardedServer.open, with: lending) == "public lending")
    }
  }

  @Test("TLS below 1.3 and plaintext are refused")
  func oldProtocols() async throws {
    try await withServer { server in
      let old = try authority.client(atMost: .tlsv12)
      #expect(try await server.refusal(GuardedServer.open, with: old).code == .unavailable)
      #expect(try await server.refusal(GuardedServer.open, with: .plaintext).code == .unavailable)
    }
  }

  @Test("a service shows its own certificate where it calls")
  func ownConnections() async throws {
    try await withServer { server in
      let security = TransportSecurity.tls(server.credentials)
      #expect(
        try await server.caller(GuardedServer.forServices, with: security.client(toward: "localhost")) == "identity")
      let status = try await server.refusal(GuardedServer.open, with: security.client(toward: "elsewhere"))
      #expect(status.code == .unavailable)
    }
  }
}

import Environment
import Cryptography
import Foundation
import GRPCHealth
import Identifiers
import Logging
import LoopExecutor
import NIOCore
import NIOSSL
import TTRPC
import TTRPCClient
import TTRPCServer
import Testing

@testable import ServiceRuntime

/// A running RPC port with TLS from files, whose methods return the caller.
struct GuardedServer {
  static let open = method("Open", .public)
  static let forUsers = method("ForUsers", .user)
  static let forServices = method("ForServices", .service, ["lending", "identity", "service by token"])
  static let forLendingHere = method("ForLendingHere", .service, ["identity": ["lending"], "catalog": ["matching"]])
  static let forNobody = method("ForNobody", .service)

  let port: Int
  let credentials: TransportCredentials
  let loops: LoopGroup

  private static func method(
    _ name: String, _ access: TTRPC.Access, _ callers: AllowedCallers = []
  ) -> MethodDescriptor {
    MethodDescriptor(
      service: "test.v1.Guarded", name: name, kind: .unary, access: access, idempotent: true, callers: callers)
  }

  /// Starts the server with the settings, hands it to `body`, and stops it.
  static func run(_ arguments: [String], _ body: (GuardedServer) async throws -> Void) async throws {
    let settings = try Settings.resolve(
      RuntimeSettings.all, service: "identity", from: SettingSources(arguments: arguments), requiring: .nothing)
    guard case .tls(let credentials) = try TransportSecurity(settings) else {
      Issue.record("not TLS")
      return
    }
    let loops = LoopGroup(threads: 2)
    let server = RPCServer(
      address: try SocketAddress(ipAddress: "127.0.0.1", port: 0), security: .tls(credentials.serverSource),
      router: router(), interceptors: [Authentication(OneTokenEach(), at: "identity")], group: loops,
      logger: Logger(label: "guarded") { _ in SwiftLogNoOpLogHandler() })
    let port = try #require(try await server.start().port)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(GuardedServer(port: port, credentials: credentials, loops: loops)))
    } catch {
      result = .failure(error)
    }
    await server.stop()
    try await loops.shutdown()
    try result.get()
  }

  private static func router() -> Router {
    var router = Router()
    for method in [open, forUsers, forServices, forLendingHere, forNobody] {
      router.unary(method) { (_: HealthCheckRequest, context: CallContext) async throws -> HealthCheckRequest in
        HealthCheckRequest(service: context.caller?.subject ?? context.peerService.map { "public \($0)" } ?? "nobody")
      }
    }
    return router
  }

  /// Who the server says calls, over a connection of its own.
  func caller(
    _ method: MethodDescriptor, with security: RPCClient.Security, token: String? = nil
  ) async throws -> String {
    let client = client(security)
    do {
      let answer = try await caller(method, by: client, token: token)
      await client.close()
      return answer
    } catch {
      await client.close()
      throw error
    }
  }

  func caller(_ method: MethodDescriptor, by client: RPCClient, token: String? = nil) async throws -> String {
    let options = token.map { CallOptions.token($0, timeout: .seconds(30)) } ?? CallOptions(timeout: .seconds(30))
    let answer: HealthCheckRequest = try await client.call(method, HealthCheckRequest(), options)
    return answer.service
  }

  /// The status that the server, or the connection to it, refuses with.
  func refusal(
    _ method: MethodDescriptor, with security: RPCClient.Security, token: String? = nil
  ) async throws -> Status {
    try await #require(throws: Status.self) { try await caller(method, with: security, token: token) }
  }

  func client(_ security: RPCClient.Security) -> RPCClient {
    RPCClient(host: "127.0.0.1", port: port, security: security, on: loops.executors[0])
  }
}

/// Knows one token of a user and one of a service.
private struct OneTokenEach: Authenticator {
  func caller(provenBy token: Substring, for access: TTRPC.Access) throws(Status) -> Caller {
    switch (token, access) {
    case ("user", .user), ("service", .service): Caller(subject: "\(token) by token")
    default: throw Status(.permissionDenied, reason: "SERVICE_TOKEN_REQUIRED", "not for this method")
    }
  }
}

/// An authority, its folder, and TLS made from what it issues.
struct TestAuthority {
  let folder: TemporaryFolder
  private let authority: CertificateAuthority
  private let now = SystemClock().now

  init(_ folder: TemporaryFolder, name: String = "authority") throws {
    self.folder = folder
    authority = try CertificateAuthority(name: name, now: now, lifetime: .seconds(3600))
  }

  /// A certificate for localhost with `names` beside it.
  func issue(_ names: [AlternativeName] = [], lifetime: Duration = .seconds(3600)) throws -> CertifiedKey {
    try authority.issue(commonName: "localhost", names: [.dns("localhost")] + names, now: now, lifetime: lifetime)
  }

  /// Writes the certificate, its key and the authority, and returns the settings that name them.
  func settings(_ pair: CertifiedKey) throws -> [String] {
    [
      "--tls-cert", try folder.file("own.pem", pair.certificatePEM),
      "--tls-key", try folder.file("own.key", pair.privateKeyPEM),
      "--tls-client-ca", try folder.file("ca.pem", authority.identity.certificatePEM),
    ]
  }

  /// A client that trusts the authority and shows `pair`, where there is one, and asks the server for `name`; `nil` for its address.
  func client(
    _ pair: CertifiedKey? = nil, atMost version: TLSVersion? = nil, for name: String? = "localhost"
  ) throws -> RPCClient.Security {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates(try Self.certificates(authority.identity))
    configuration.maximumTLSVersion = version
    if let pair {
      configuration.certificateChain = try Self.certificates(pair).map { .certificate($0) }
      configuration.privateKey = .privateKey(
        try NIOSSLPrivateKey(bytes: Array(pair.privateKeyPEM.utf8), format: .pem))
    }
    return .tls(try NIOSSLContext(configuration: configuration), serverName: name)
  }

  private static func certificates(_ pair: CertifiedKey) throws -> [NIOSSLCertificate] {
    try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8))
  }
}

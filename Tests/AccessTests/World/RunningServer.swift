import Environment
import Cryptography
import LoopExecutor
import Reflection
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemRPC
import TestSupport

@testable import catalog
@testable import identity
@testable import importer
@testable import lending
@testable import matching
@testable import tracking

/// The real identity with a cheap password hash: `main` runs the same `build`.
struct CheapIdentity: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests))
  }
}

/// The services of the suite as deployed. Identity, which the others call, comes first.
let suite: [any TandemService.Type] = [
  CheapIdentity.self, Catalog.self, Matching.self, Lending.self, Tracking.self, Importer.self,
]

/// The certificate that a client presents.
enum Certificate: String, CaseIterable, Sendable {
  case none
  /// Those of services of the suite.
  case identity, matching, catalog, lending, tracking, importer
  case `operator`
  case usageFeed = "usage-feed"
  /// Calls on behalf of its clients, whose addresses it passes on.
  case gateway
  /// Issued by the authority, for an unknown name.
  case whatever
}

/// A service of the suite that runs for a test.
struct RunningServer: Sendable {
  let name: String
  let port: Int
  /// A client for each way to connect.
  private let clients: [Certificate: RPCClient]

  private static let loops = LoopGroup(threads: 1)

  init(_ name: String, port: Int, _ certificates: SuiteCertificates) throws {
    (self.name, self.port) = (name, port)
    clients = try Dictionary(
      uniqueKeysWithValues: Certificate.allCases.map { shown in
        let security = try certificates.client(of: name, as: shown == .none ? nil : shown.rawValue)
        return (shown, RPCClient(host: "127.0.0.1", port: port, security: security, on: Self.loops.executors[0]))
      })
  }

  /// The client that presents that certificate.
  func client(_ shown: Certificate = .none) -> RPCClient {
    guard let client = clients[shown] else { preconditionFailure("there is a client for each certificate") }
    return client
  }

  func close() async {
    for client in clients.values { await client.close() }
  }

  /// The schema that the server reports.
  func schema() async throws -> Schema {
    let reflection = ReflectionClient(client())
    var schema = Schema()
    for service in try await reflection.listServices(.init(), .patient).services {
      let answer = try await reflection.getFileDescriptorSet(.init(symbol: service), .patient)
      try schema.include(fileDescriptorSet: answer.fileDescriptorSet)
    }
    return schema
  }

  /// The full names of the services that the server reports.
  func services() async throws -> [String] {
    try await ReflectionClient(client()).listServices(.init(), .patient).services
  }
}

extension CallOptions {
  /// Without credentials, and with a long deadline for slow machines.
  static let patient = CallOptions(timeout: .seconds(60))

  /// With an access token, and with a long deadline for slow machines.
  static func user(_ token: String) -> CallOptions { .token(token, timeout: .seconds(60)) }
}

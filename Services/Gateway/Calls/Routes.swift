import GatewayProtocols
import GatewayTranscoder
import TTRPC

/// A method that the port offers.
public struct Route: Sendable {
  /// Who answers a method.
  public enum Owner: Sendable, Equatable {
    /// A service of the suite, by its name.
    case service(String)
    /// The gateway, for the health of the services.
    case health
    /// The gateway, for the contract.
    case reflection
  }

  public let owner: Owner
  public let descriptor: MethodDescriptor
  public let shape: CallShape
  /// The messages in the contract; `nil` for one that only protobuf has.
  public let input: Contract.MessageReference?
  public let output: Contract.MessageReference?
}

/// The methods of a port, by their paths: those that its contract offers.
public struct Routes: Sendable {
  private let byPath: [String: Route]
  /// The full names of the services, in order.
  public let services: [String]
  public let contract: Contract
  /// The owners of the services, by full name.
  public let owners: [String: String]

  /// The longest message of a method that has no limit of its own: that of a frame between services, less what it takes itself.
  static let maxMessageBytes = 4 << 20

  /// - Parameter owner: the service of the suite that serves a package, such as `identity` for `tandem.identity.v1`; `nil` for one that
  ///   is not offered.
  public init(_ contract: Contract, owner: (_ package: String) -> String?) {
    var byPath: [String: Route] = [:]
    var owners: [String: String] = [:]
    for method in contract.methods {
      let package = method.service.split(separator: ".").dropLast().joined(separator: ".")
      let found: Route.Owner
      if method.service == Self.health {
        found = .health
      } else if let name = owner(package), method.access != nil {
        found = .service(name)
        owners[method.service] = name
      } else {
        continue
      }
      byPath["/\(method.service)/\(method.name)"] = Route(method, found)
    }
    for version in ["v1", "v1alpha"] {
      let service = "grpc.reflection.\(version).ServerReflection"
      byPath["/\(service)/ServerReflectionInfo"] = Route(reflection: service)
    }
    self.byPath = byPath
    self.contract = contract
    self.owners = owners
    services = Set(byPath.keys.map { String($0.dropFirst().prefix { $0 != "/" }) }).sorted()
  }

  static let health = "grpc.health.v1.Health"

  /// The method of a path without its query; `nil` where there is none. Nothing is decoded or normalised: a method has one spelling.
  public subscript(path: Substring) -> Route? { byPath[String(path)] }

  /// Every method, for a count and for tests.
  public var all: [Route] { byPath.values.sorted { $0.descriptor.fullName < $1.descriptor.fullName } }
}

extension Route {
  fileprivate init(_ method: Contract.Method, _ owner: Owner) {
    self.owner = owner
    let kind: MethodKind =
      switch (method.clientStreams, method.serverStreams) {
      case (false, false): .unary
      case (true, false): .clientStreaming
      case (false, true): .serverStreaming
      case (true, true): .bidirectional
      }
    let limit = min(method.maxRequestBytes ?? Routes.maxMessageBytes, Routes.maxMessageBytes)
    descriptor = MethodDescriptor(
      service: method.service, name: method.name, kind: kind, access: method.access == .user ? .user : .public,
      idempotent: method.isIdempotent, maxRequestBytes: limit)
    shape = CallShape(
      clientStreams: method.clientStreams, serverStreams: method.serverStreams,
      hasNoSideEffects: method.hasNoSideEffects, maxMessageBytes: limit)
    (input, output) = (method.input, method.output)
  }

  fileprivate init(reflection service: String) {
    owner = .reflection
    descriptor = MethodDescriptor(
      service: service, name: "ServerReflectionInfo", kind: .bidirectional, access: .public, idempotent: true)
    shape = CallShape(clientStreams: true, serverStreams: true, hasNoSideEffects: false, maxMessageBytes: 16_384)
    (input, output) = (nil, nil)
  }
}

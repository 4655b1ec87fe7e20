/// Who may call a method. Every method of the contract declares it ([C-1]).
public enum Access: String, Sendable {
  /// Any client.
  case `public`
  /// A user with a valid access token.
  case user
  /// Another service of the suite, or a program that runs beside it: see ``MethodDescriptor/callers``.
  case service
}

/// Which sides of a method are streams.
public enum MethodKind: String, Sendable {
  case unary
  case clientStreaming
  case serverStreaming
  case bidirectional

  /// Whether the client sends any number of messages rather than one.
  public var clientStreams: Bool { self == .clientStreaming || self == .bidirectional }
  /// Whether the server sends any number of messages rather than one.
  public var serverStreams: Bool { self == .serverStreaming || self == .bidirectional }
}

/// A method as the contract declares it.
public struct MethodDescriptor: Sendable, Hashable {
  /// The full name of the service, `tandem.identity.v1.Accounts`.
  public let service: String
  /// The method's name in its service, `Register`.
  public let name: String
  /// Which sides are streams.
  public let kind: MethodKind
  /// Who may call it.
  public let access: Access
  /// Whether a client may repeat a call without knowing the result of the first.
  public let idempotent: Bool
  /// The services that may call a method whose access is `service`; none unless the contract names them.
  public let callers: AllowedCallers
  /// Bytes of the longest message that a client may send.
  public let maxRequestBytes: Int

  public init(
    service: String, name: String, kind: MethodKind, access: Access, idempotent: Bool, callers: AllowedCallers = [],
    maxRequestBytes: Int = .max
  ) {
    self.service = service
    self.name = name
    self.kind = kind
    self.access = access
    self.idempotent = idempotent
    self.callers = callers
    self.maxRequestBytes = maxRequestBytes
  }

  /// `tandem.identity.v1.Accounts/Register`.
  public var fullName: String { "\(service)/\(name)" }
}

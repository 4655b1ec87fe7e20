import Logging

/// The caller of a call, as its access token or a service's certificate names it.
public struct Caller: Sendable, Hashable {
  /// The account's id, or the service's name.
  public var subject: String
  /// The login session that the token belongs to; `nil` for a service.
  public var sessionID: String?

  public init(subject: String, sessionID: String? = nil) {
    self.subject = subject
    self.sessionID = sessionID
  }
}

/// What a handler knows about its call beside the message.
///
/// It is copied several times in each call, so what many calls share is held by reference.
public struct CallContext: Sendable {
  /// The metadata that the client sent.
  public package(set) var metadata: Metadata
  /// When the server ends the call and cancels its task; `nil` when neither side set a limit.
  public let deadline: Deadline?
  /// The authenticated caller; `nil` only in methods whose access is public.
  public package(set) var caller: Caller?
  /// The `traceparent` of the call's own span, where the caller sent none.
  package var startedTrace: String?
  private let called: AnyMethod
  private let client: ConnectedClient

  package init(_ called: AnyMethod, from client: ConnectedClient, metadata: Metadata, deadline: Deadline?) {
    self.called = called
    self.client = client
    self.metadata = metadata
    self.deadline = deadline
  }

  /// The method that is called, with the access that it requires.
  public var method: MethodDescriptor { called.descriptor }
  /// The peer's address as `host:port`.
  public var peer: String { client.address }
  /// The network that counts as one client in limits and logs.
  package var network: ClientNetwork { client.network }
  /// The service that the peer's certificate names, verified at the handshake; `nil` for every other client.
  public var peerService: String? { client.service }

  /// The trace that the call belongs to, 32 hexadecimal digits: its caller's, or its own where calls are recorded; else `nil`.
  public var traceID: String? {
    (metadata["traceparent"].flatMap(TraceHeaders.traceID) ?? startedTrace.flatMap(TraceHeaders.traceID)).map(
      String.init)
  }

  /// A logger that names the method and the trace in every line.
  public var logger: Logger {
    var logger = client.logger
    logger[metadataKey: "rpc"] = "\(method.fullName)"
    if let traceID { logger[metadataKey: "trace_id"] = "\(traceID)" }
    return logger
  }
}

/// The peer of a connection, and the log of its calls.
package final class ConnectedClient: Sendable {
  /// As `host:port`.
  package let address: String
  package let network: ClientNetwork
  /// The service that its certificate names.
  package let service: String?
  let logger: Logger

  package init(address: String, network: ClientNetwork, service: String? = nil, logger: Logger) {
    self.address = address
    self.network = network
    self.service = service
    self.logger = logger
  }
}

import Logging

/// Who a call comes from, as the access token says, or the certificate of a service.
public struct Caller: Sendable, Hashable {
  /// The account's id, or the service's name.
  public var subject: String
  /// The login session that the token belongs to; `nil` for a service.
  public var sessionID: String?

  /// A caller whom some proof names.
  public init(subject: String, sessionID: String? = nil) {
    self.subject = subject
    self.sessionID = sessionID
  }
}

/// What a handler knows of its call beside the message.
///
/// It is copied several times in each call, so what many calls have in common is held by reference.
public struct CallContext: Sendable {
  /// What the client sent beside the message.
  public internal(set) var metadata: Metadata
  /// When the server gives up on the call and cancels its task; `nil` when neither side set a limit.
  public let deadline: Deadline?
  /// Who calls; `nil` only in methods whose access is public.
  public internal(set) var caller: Caller?
  /// The `traceparent` of the call's own span, where its caller sent none.
  var startedTrace: String?
  private let called: AnyMethod
  private let client: ConnectedClient

  init(_ called: AnyMethod, from client: ConnectedClient, metadata: Metadata, deadline: Deadline?) {
    self.called = called
    self.client = client
    self.metadata = metadata
    self.deadline = deadline
  }

  /// What is called, with the access that it asks for.
  public var method: MethodDescriptor { called.descriptor }
  /// The peer's address as `host:port`.
  public var peer: String { client.address }
  /// What limits and logs count as one client.
  var network: ClientNetwork { client.network }
  /// The service that the peer's certificate, verified when it connected, names; `nil` for every other client.
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

/// Whom a connection is with, and where its calls are logged.
final class ConnectedClient: Sendable {
  /// As `host:port`.
  let address: String
  let network: ClientNetwork
  /// What its certificate names.
  let service: String?
  let logger: Logger

  init(address: String, network: ClientNetwork, service: String? = nil, logger: Logger) {
    self.address = address
    self.network = network
    self.service = service
    self.logger = logger
  }
}

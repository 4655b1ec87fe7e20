import ProtobufC

/// What a client says of one call beside its message.
public struct CallOptions: Sendable {
  /// How long the call may take, from this moment; `nil` leaves it to the server.
  public var timeout: Duration?
  /// Sent along with the call.
  public var metadata: Metadata

  /// No limit of the client's own, no metadata.
  public static let `default` = CallOptions()

  /// Options for one call or many.
  public init(timeout: Duration? = nil, metadata: Metadata = Metadata()) {
    self.timeout = timeout
    self.metadata = metadata
  }

  /// Options that carry an access token.
  public static func token(_ token: String, timeout: Duration? = nil) -> CallOptions {
    CallOptions(timeout: timeout, metadata: ["authorization": "Bearer \(token)"])
  }
}

/// Something that can make calls: a client, or what stands before one. Generated clients call through it.
public protocol UnaryCaller: Sendable {
  /// Calls a unary method and returns its answer.
  ///
  /// - Throws: ``Status`` when the call fails, whether the server or this side says so; `CancellationError` when the calling task is cancelled.
  func call<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws -> Response
}

import ProtobufC

/// A client's options for one call.
public struct CallOptions: Sendable {
  /// How long the call may take, from the moment that it is made, including the wait for a connection and every retry;
  /// `nil` leaves it to the server.
  public var timeout: Duration?
  /// Metadata to send with the call.
  public var metadata: Metadata
  /// Whether the call waits while no server can be reached, rather than failing with UNAVAILABLE at once.
  public var waitForReady = false

  /// No timeout of the client's own, no metadata.
  public static let `default` = CallOptions()

  public init(timeout: Duration? = nil, metadata: Metadata = Metadata()) {
    self.timeout = timeout
    self.metadata = metadata
  }

  /// Options that carry an access token.
  public static func token(_ token: String, timeout: Duration? = nil) -> CallOptions {
    CallOptions(timeout: timeout, metadata: ["authorization": "Bearer \(token)"])
  }
}

/// What generated clients call through: a client, or a layer in front of several.
public protocol RPCChannel: Sendable {
  /// Calls a unary method and returns its response.
  ///
  /// - Throws: ``Status`` when the call fails, at the server or on this side; `CancellationError` when the calling task
  ///   is cancelled.
  func call<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws -> Response

  /// Opens a stream, passes both of its sides to `body`, and cancels the call when `body` returns before the server
  /// ended it.
  ///
  /// - Parameter request: the only message of a client that does not stream; `nil` for one that does.
  /// - Throws: what `body` throws; ``Status`` when the stream cannot be opened.
  func stream<Request: ProtobufMessage, Response: ProtobufMessage, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result
}

extension RPCChannel {
  /// Calls a method that responds with a stream, which `body` reads.
  @inlinable
  public func serverStream<Request: ProtobufMessage, Response: ProtobufMessage, Result>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions,
    _ body: (MessageStream<Response>) async throws -> Result
  ) async throws -> Result {
    try await stream(method, request, options) { (_: RequestWriter<Request>, responses) in try await body(responses) }
  }

  /// Calls a method that takes a stream, which `body` writes, and returns its response.
  public func clientStream<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ options: CallOptions, _ body: (RequestWriter<Request>) async throws -> Void
  ) async throws -> Response {
    try await stream(method, nil, options) { (writer: RequestWriter<Request>, responses: MessageStream<Response>) in
      try await body(writer)
      writer.finish()
      for try await response in responses { return response }
      throw Status(.internal, "The server ended the stream without an answer")
    }
  }
}

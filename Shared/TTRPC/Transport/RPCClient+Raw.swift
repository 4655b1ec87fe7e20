import ProtobufC

extension RPCClient {
  /// Calls a unary method whose messages this program has no types for: both are serialized messages.
  ///
  /// - Throws: as ``call(_:_:_:)``.
  public func callRaw(
    _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions = .default
  ) async throws -> [UInt8] {
    let connection = try await connection()
    let call = RawClientCall(method, request, options)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.wait(continuation)
        connection.start(call)
      }
    } onCancel: {
      connection.abandon(call)
    }
  }
}

final class RawClientCall: ClientCall, @unchecked Sendable {
  private let request: [UInt8]
  private var continuation: CheckedContinuation<[UInt8], any Error>?

  init(_ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions) {
    self.request = request
    super.init(method, options)
  }

  /// Takes who waits, before the call is handed to a connection.
  func wait(_ continuation: CheckedContinuation<[UInt8], any Error>) {
    self.continuation = continuation
  }

  override func payload(in arena: Arena) -> RequestPayload { .bytes(request) }

  override func succeed(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    guard end() else { return }
    continuation?.resume(returning: Array(payload))
    continuation = nil
  }

  override func fail(_ error: any Error) {
    guard end() else { return }
    continuation?.resume(throwing: error)
    continuation = nil
  }
}

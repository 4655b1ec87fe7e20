import NIOCore
import ProtobufC

/// One call that a client waits for, its message types erased.
class ClientCall: @unchecked Sendable {
  // Unchecked: confined to the event loop of the connection once it was handed over; before that only its caller has it.

  let method: MethodDescriptor
  let options: CallOptions
  let deadline: NIODeadline?
  /// The stream it runs on, once it was sent.
  var streamID: UInt32?
  /// Whether the connection has it, and so its waiting caller. Touched on the loop only, as is `isAbandoned`.
  var isHandedOver = false
  /// Whether its caller was cancelled.
  var isAbandoned = false
  private(set) var isEnded = false

  init(_ method: MethodDescriptor, _ options: CallOptions) {
    self.method = method
    self.options = options
    deadline = options.timeout.map { .now() + .nanoseconds($0.nanoseconds) }
  }

  /// The request as the payload of its envelope. On the loop.
  func payload(in arena: Arena) -> RequestPayload {
    preconditionFailure("a subclass packs the request")
  }

  /// Hands the answer to the caller.
  func succeed(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    preconditionFailure("a subclass takes the answer")
  }

  /// Hands the failure to the caller.
  func fail(_ error: any Error) {
    preconditionFailure("a subclass takes the failure")
  }

  /// Whether this is the first end of the call; later ones are ignored.
  final func end() -> Bool {
    defer { isEnded = true }
    return !isEnded
  }
}

/// A request on its way into a frame.
enum RequestPayload {
  case message(PackedMessage)
  /// Of a type that this program does not know.
  case bytes([UInt8])

  var size: Int {
    switch self {
    case .message(let message): message.size
    case .bytes(let bytes): bytes.count
    }
  }

  /// Writes exactly `size` bytes.
  func copy(to destination: UnsafeMutableRawPointer) {
    switch self {
    case .message(let message): message.copy(to: destination)
    case .bytes(let bytes):
      bytes.withUnsafeBytes { source in
        if let start = source.baseAddress { destination.copyMemory(from: start, byteCount: source.count) }
      }
    }
  }
}

final class UnaryClientCall<Request: ProtobufMessage, Response: ProtobufMessage>: ClientCall, @unchecked Sendable {
  private let request: Request
  private var continuation: CheckedContinuation<Response, any Error>?

  init(_ method: MethodDescriptor, _ request: Request, _ options: CallOptions) {
    self.request = request
    super.init(method, options)
  }

  /// Takes who waits, before the call is handed to a connection.
  func wait(_ continuation: CheckedContinuation<Response, any Error>) {
    self.continuation = continuation
  }

  override func payload(in arena: Arena) -> RequestPayload {
    .message(request.packed(in: arena))
  }

  override func succeed(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    guard end() else { return }
    do {
      continuation?.resume(returning: try Response.decode(payload, in: arena))
    } catch {
      continuation?.resume(throwing: Status(.internal, "The answer is not a well-formed \(Response.protobufName)"))
    }
    continuation = nil
  }

  override func fail(_ error: any Error) {
    guard end() else { return }
    continuation?.resume(throwing: error)
    continuation = nil
  }
}

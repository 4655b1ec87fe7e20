import NIOCore
import ProtobufC

/// One call that a client has under way, its message types erased.
///
/// `@unchecked Sendable`: confined to the event loop of its client once it was handed over; before that only its caller has it.
class ClientCall: @unchecked Sendable {
  let method: MethodDescriptor
  let options: CallOptions
  let deadline: NIODeadline?
  /// The stream it runs on; 0, which is none, until it was sent.
  final var streamID: UInt32 = 0
  /// The connection that it runs on; `nil` while it waits for one.
  final var connection: ClientConnection?
  /// Whether the client has it, and so its waiting caller. Touched on the loop only, as is `isAbandoned`.
  var isHandedOver = false
  /// Whether its caller was cancelled.
  var isAbandoned = false
  private(set) var isEnded = false

  /// - Parameter deadline: that of all attempts of the call together.
  init(_ method: MethodDescriptor, _ options: CallOptions, deadline: NIODeadline?) {
    self.method = method
    self.options = options
    self.deadline = deadline
  }

  /// Whether the call may be made anew when a server refused to begin it: not if its caller was told already that it has begun.
  var canStartAgain: Bool { method.kind == .unary }

  /// The message that the request carries; `nil` when the client streams. On the loop.
  func payload(in arena: Arena) -> OutgoingMessage? {
    preconditionFailure("a subclass packs the request")
  }

  /// Takes note that the request is on its way.
  func begun() {}

  /// Takes one message of the server's stream.
  ///
  /// - Returns: the refusal, by which the call ended, when it cannot be taken.
  func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) -> Status? { nil }

  /// Takes the answer: the one message of a server that does not stream.
  func succeed(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    preconditionFailure("a subclass takes the answer")
  }

  /// Takes the good end of a server's stream.
  func finish() {}

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

/// A call with one answer, which its caller waits for.
///
/// `@unchecked Sendable`: as the superclass. `continuation` is set before the call is handed over, and taken on the loop.
final class UnaryClientCall<Request: Sendable, Response: Sendable>: ClientCall, @unchecked Sendable {
  private let request: Request
  private let requests: MessageCodec<Request>
  private let responses: MessageCodec<Response>
  private var continuation: UnsafeContinuation<Void, any Error>?
  private var response: Response?

  init(
    _ method: MethodDescriptor, _ request: Request, _ requests: MessageCodec<Request>,
    _ responses: MessageCodec<Response>, _ options: CallOptions, deadline: NIODeadline?
  ) {
    self.request = request
    self.requests = requests
    self.responses = responses
    super.init(method, options, deadline: deadline)
  }

  /// Takes who waits, before the call is handed over.
  func wait(_ continuation: UnsafeContinuation<Void, any Error>) {
    self.continuation = continuation
  }

  /// The answer, once its caller was told that the call succeeded.
  var answer: Response {
    guard let response else { preconditionFailure("a call succeeds with an answer") }
    return response
  }

  override func payload(in arena: Arena) -> OutgoingMessage? {
    requests.pack(request, arena)
  }

  override func succeed(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    guard end() else { return }
    do {
      response = try responses.read(payload, arena)
      continuation?.resume()
    } catch {
      continuation?.resume(throwing: Status.malformedAnswer(responses.name))
    }
    continuation = nil
  }

  override func fail(_ error: any Error) {
    guard end() else { return }
    continuation?.resume(throwing: error)
    continuation = nil
  }
}

extension Status {
  static func malformedAnswer(_ name: String) -> Status {
    Status(.internal, "The answer is not a well-formed \(name)")
  }
}

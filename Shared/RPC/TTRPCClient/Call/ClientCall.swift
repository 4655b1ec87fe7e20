import NIOCore
import ProtobufC
import TTRPC

/// A call that a client has in progress, with its message types erased.
///
/// `@unchecked Sendable`: confined to the event loop of its client once it was handed over; before that only its caller
/// has it.
class ClientCall: @unchecked Sendable {
  let method: MethodDescriptor
  let options: CallOptions
  let deadline: NIODeadline?
  /// The id of its stream; 0, which is invalid, until it was sent.
  final var streamID: UInt32 = 0
  /// The connection that it was sent on; `nil` while it waits for one.
  final var connection: ClientConnection?
  /// Whether it was handed over to the client, and its caller waits. Touched on the loop only, as is `isAbandoned`.
  var isHandedOver = false
  /// Whether its caller was cancelled.
  var isAbandoned = false
  private(set) var isEnded = false

  /// - Parameter deadline: the deadline of all attempts of the call together.
  init(_ method: MethodDescriptor, _ options: CallOptions, deadline: NIODeadline?) {
    self.method = method
    self.options = options
    self.deadline = deadline
  }

  /// Whether the call may be sent again when a server refused to begin it: not if its caller was already told that it
  /// has begun.
  var canStartAgain: Bool { method.kind == .unary }

  /// The message that the request carries; `nil` when the client streams. On the loop.
  func payload(in arena: Arena) -> OutgoingMessage? {
    preconditionFailure("a subclass packs the request")
  }

  /// Called when the request has been queued on a connection.
  func begun() {}

  /// Delivers one message of the server's stream.
  ///
  /// - Returns: the status that ended the call, when the message cannot be taken.
  func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) -> Status? { nil }

  /// Delivers the response: the one message of a server that does not stream.
  func succeed(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    preconditionFailure("a subclass takes the answer")
  }

  /// Ends a server's stream without an error.
  func finish() {}

  /// Fails the call for its caller.
  func fail(_ error: any Error) {
    preconditionFailure("a subclass takes the failure")
  }

  /// Marks the call as ended; false when it had ended before.
  final func end() -> Bool {
    defer { isEnded = true }
    return !isEnded
  }
}

/// A call with one response, which its caller waits for.
///
/// `@unchecked Sendable`: as the superclass. `continuation` is set before the call is handed over, and taken on the
/// loop.
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

  /// Sets the waiting caller's continuation, before the call is handed over.
  func wait(_ continuation: UnsafeContinuation<Void, any Error>) {
    self.continuation = continuation
  }

  /// The response, to be read only after the call succeeded.
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

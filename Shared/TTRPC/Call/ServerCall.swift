import GoogleRPC
import LoopExecutor
import NIOCore
import ProtobufC

/// One call on the server, from its request to its end.
@usableFromInline
final class ServerCall: @unchecked Sendable {
  // Unchecked: confined to the event loop of `connection`. The handler's task runs on that loop's executor, which is where `succeed`,
  // `finish` and `fail` are called from.

  let streamID: UInt32
  let flags: FrameFlags
  let method: AnyMethod
  let deadline: NIODeadline
  private(set) var context: CallContext
  private(set) var isEnded = false

  private let connection: ServerConnection
  private let began: NIODeadline
  private var task: Task<Void, Never>?
  /// Where the client's messages wait, when it streams.
  private var inbox: AnyMailbox?
  private var failure: Status?

  init(
    streamID: UInt32, flags: FrameFlags, method: AnyMethod, context: CallContext, deadline: NIODeadline,
    began: NIODeadline, connection: ServerConnection
  ) {
    self.streamID = streamID
    self.flags = flags
    self.method = method
    self.context = context
    self.deadline = deadline
    self.began = began
    self.connection = connection
  }

  /// Asks the interceptors, then the method. Whatever they say is answered before or after this returns, once.
  func begin(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    method.metrics.callBegan()
    guard deadline > began else { return fail(Status.deadlineExceeded) }
    do throws(Status) {
      try admit()
    } catch {
      return fail(error)
    }
    method.begin(self, payload, arena)
  }

  private func admit() throws(Status) {
    // In a copy, which no other access can overlap with, so that none need be looked for while the interceptors run.
    var admitted = context
    defer { context = admitted }
    for interceptor in connection.interceptors { try interceptor.callBegins(&admitted) }
  }

  /// Runs the handler, at once and on this loop, until it first waits.
  @usableFromInline
  func run(_ handler: @escaping @Sendable (CallContext) async throws -> Void) {
    let context = context
    let task = Task.immediate(executorPreference: connection.executor) {
      do { try await handler(context) } catch { self.fail(error) }
    }
    if !isEnded { self.task = task }
  }

  /// Answers with the handler's response, unless the call was answered already (its deadline passed, say).
  @usableFromInline
  func succeed<Response: ProtobufMessage>(_ response: Response) {
    guard !isEnded else { return }
    if let refusal = connection.send(response, on: streamID) { return fail(refusal) }
    end(nil, nil)
  }

  /// Ends a stream whose handler has sent all it had to.
  func finish() {
    guard !isEnded else { return }
    connection.sendEnd(on: streamID)
    end(nil, nil)
  }

  @usableFromInline
  func refuse(malformed error: ProtobufError, _ message: String) {
    fail(Status.malformed(error, message))
  }

  /// Answers with what the caller may know of `error`.
  func fail(_ error: any Error) {
    switch error {
    case let status as Status: fail(status, cause: nil)
    case let known as any StatusConvertible: fail(known.status, cause: error)
    case is CancellationError: fail(Status(.cancelled, "The call was cancelled"), cause: nil)
    default: fail(Status.opaque, cause: error)
    }
  }

  private func fail(_ status: Status, cause: (any Error)?) {
    guard !isEnded else { return }
    connection.send(status, on: streamID)
    end(status, cause)
  }

  /// Ends the call without an answer and cancels its handler: there is nobody left to hear it.
  func abandon() {
    guard !isEnded else { return }
    let task = task
    end(Status(.cancelled, "The client went away"), nil)
    task?.cancel()
  }

  /// Answers DEADLINE_EXCEEDED and cancels the handler, with whatever query it waits for.
  func expire() {
    let task = task
    fail(Status.deadlineExceeded)
    task?.cancel()
  }

  /// Answers with `status` and cancels the handler.
  func stop(_ status: Status) {
    let task = task
    fail(status)
    task?.cancel()
  }

  private func end(_ failure: Status?, _ cause: (any Error)?) {
    isEnded = true
    self.failure = failure
    task = nil
    inbox?.cut(failure ?? Status.callEnded)
    inbox = nil
    connection.output.releaseSenders(of: streamID)
    let duration = NIODeadline.now() - began
    method.metrics.callEnded(failure?.code ?? .ok, after: duration)
    let outcome = CallOutcome(failure: failure, cause: cause, duration: .nanoseconds(duration.nanoseconds))
    let context = context
    for interceptor in connection.interceptors { interceptor.callEnds(context, outcome) }
    connection.callEnded(streamID)
  }
}

// MARK: Streams

extension ServerCall {
  /// Opens the client's side of the stream: its first message, which the request may carry, and those to come.
  ///
  /// - Returns: what the handler reads; `nil` when the first message is malformed, and the call refused.
  func receive<Message>(
    _ codec: MessageCodec<Message>, first payload: UnsafeRawBufferPointer, _ arena: Arena
  ) -> MessageStream<Message>? {
    let mailbox = connection.mailbox(codec)
    inbox = mailbox
    if payload.count > 0 { deliver(payload, arena) }
    if flags.contains(.remoteClosed) { inbox?.end(nil) }
    return isEnded ? nil : MessageStream(mailbox: mailbox)
  }

  /// Takes the next message of the client.
  func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) {
    switch inbox?.deliver(body, arena) {
    case .taken?, nil: break
    case .overflow?: stop(.unread)
    case .malformed(let error, let message)?: stop(.malformed(error, message))
    }
  }

  /// Takes note that the client sends no more.
  func inputEnded() {
    inbox?.end(nil)
  }
}

extension ServerCall: StreamOutlet {
  var executor: LoopExecutor { connection.executor }
  var output: FrameOutput { connection.output }

  func send(_ pack: (Arena) -> OutgoingMessage) throws(Status) {
    guard !isEnded else { throw failure ?? Status.callEnded }
    if let refusal = output.send({ frames, arena in frames.appendData(pack(arena), on: streamID) }) {
      stop(refusal)
      throw refusal
    }
  }
}

extension Status {
  static let callEnded = Status(.cancelled, "The call has ended")

  /// The refusal of a stream whose messages nobody reads.
  static let unread = Status(
    .resourceExhausted, reason: "STREAM_UNREAD",
    "The stream's messages came faster than they were read, and too many wait; send fewer before an answer to them")

  static let deadlineExceeded = Status(
    .deadlineExceeded, reason: "DEADLINE_EXCEEDED", "The call's deadline passed before it was done")

  /// A failure that nobody mapped: the caller learns nothing of it, the log everything.
  static let opaque = Status(
    .internal, reason: "INTERNAL", "The service failed to answer; the cause is in its log under the call's trace id")

  static func malformed(_ error: ProtobufError, _ message: String) -> Status {
    var status = Status(
      .invalidArgument, reason: "MALFORMED_MESSAGE", "The payload is not a well-formed \(message)")
    let field: String
    switch error {
    case .invalidUTF8(let name): field = String(name.dropFirst(message.utf8.count + 1))
    default: field = ""
    }
    status.details.append(
      StatusDetail(
        BadRequest(fieldViolations: [.init(field: field, description: "\(error)", reason: "MALFORMED")])))
    return status
  }
}

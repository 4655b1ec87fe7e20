import LoopExecutor
import NIOCore
import ProtobufC
import TTRPC
import TTRPCConnection
import TTRPCFrames

/// A call of which one side or both are streams.
///
/// `@unchecked Sendable`: as the superclass. `opened` is set before the call is handed over; what changes after that is
/// touched only on the loop of `executor`, where writers go first. The mailbox, which readers share from any thread,
/// has a lock of its own.
final class StreamClientCall<Request: Sendable, Response: Sendable>: ClientCall, FrameOutlet, @unchecked Sendable {
  private let request: Request?
  private let requests: MessageCodec<Request>
  private let responses: MessageCodec<Response>
  private let mailbox: Mailbox<Response>
  let executor: LoopExecutor
  private var opened: CheckedContinuation<Void, any Error>?
  private var hasFinished: Bool
  private var failure: Status?

  /// - Parameters:
  ///   - unreadLimit: bytes of messages that may wait for their reader.
  ///   - unread: what happens to the stream beyond the limit.
  init(
    _ method: MethodDescriptor, _ request: Request?, _ requests: MessageCodec<Request>,
    _ responses: MessageCodec<Response>, _ options: CallOptions, deadline: NIODeadline?,
    unreadLimit: Int, unread: RPCClient.UnreadStreams, on executor: LoopExecutor
  ) {
    self.request = request
    self.requests = requests
    self.responses = responses
    self.executor = executor
    mailbox = Mailbox(responses, limit: unreadLimit)
    hasFinished = !method.kind.clientStreams
    super.init(method, options, deadline: deadline)
    guard unread == .pauseReading else { return }
    mailbox.overflow { [weak self] in
      guard let self else { return }
      executor.loop.execute { self.readOn() }
    }
  }

  /// Lets the connection read again, unless another call's reader is too slow.
  private func readOn() { connection?.resumeReading(for: streamID) }

  /// Sets the continuation that waits for the stream to be open, before the call is handed over.
  func wait(_ opened: CheckedContinuation<Void, any Error>) {
    self.opened = opened
  }

  /// The caller's two sides of the stream.
  var sides: (RequestWriter<Request>, MessageStream<Response>) {
    let writer = MessageWriter(outlet: self, codec: requests)
    let close: @Sendable () -> Void = {
      if self.executor.loop.inEventLoop {
        self.finishRequests()
      } else {
        self.executor.loop.execute { self.finishRequests() }
      }
    }
    return (RequestWriter(writer: writer, close: close), MessageStream(mailbox: mailbox))
  }

  private func finishRequests() {
    guard !hasFinished else { return }
    hasFinished = true
    if !isEnded { connection?.sendEnd(of: self) }
  }

  // MARK: From the connection

  override func payload(in arena: Arena) -> OutgoingMessage? {
    request.map { requests.pack($0, arena) }
  }

  override func begun() {
    opened?.resume()
    opened = nil
  }

  override func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) -> Status? {
    let refusal: Status
    switch mailbox.deliver(body, arena) {
    case .taken: return nil
    case .takenForNow:
      connection?.pauseReading(for: streamID)
      return nil
    case .overflow, .overBudget: refusal = .answersUnread
    case .malformed(_, let name): refusal = .malformedAnswer(name)
    }
    fail(refusal)
    return refusal
  }

  override func succeed(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    // A server that streams ends with a Data frame; one that ends with an empty response instead has sent no other
    // message.
    if !method.kind.serverStreams || payload.count > 0 {
      guard deliver(payload, arena) == nil else { return }
    }
    finish()
  }

  override func finish() {
    guard end() else { return }
    readOn()
    mailbox.end(nil)
    connection?.output.releaseSenders(of: streamID)
  }

  override func fail(_ error: any Error) {
    guard end() else { return }
    readOn()
    let failure = (error as? AttemptFailure)?.status ?? (error as? Status) ?? .callEnded
    self.failure = failure
    mailbox.end(failure)
    connection?.output.releaseSenders(of: streamID)
    opened?.resume(throwing: error)
    opened = nil
  }

  // MARK: The outlet

  var output: FrameOutput {
    guard let connection else { preconditionFailure("a stream is written to once it is open") }
    return connection.output
  }

  func send(_ pack: (Arena) -> OutgoingMessage) throws(Status) {
    guard !hasFinished else { throw Status(.failedPrecondition, "The stream was finished; no message can follow") }
    guard !isEnded else { throw failure ?? Status.callEnded }
    if let refusal = output.send({ frames, arena in frames.appendData(pack(arena), on: streamID) }) {
      connection?.giveUp(self, refusal)
      throw refusal
    }
  }
}

extension Status {
  /// The error of a stream whose reader is too slow for its server.
  fileprivate static let answersUnread = Status(
    .resourceExhausted, reason: ServerLimit.unreadBytes.rawValue,
    "The server's messages came faster than they were read, and too many wait; the call was given up")
}

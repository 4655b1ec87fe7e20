import LoopExecutor
import NIOCore
import ProtobufC
import Tracing

/// One call on the server, from its request to its end.
///
/// `@unchecked Sendable`: confined to the event loop of `connection`. The handler's task runs on that loop's executor, which is where
/// `succeed`, `finish` and `fail` are called from.
@usableFromInline
final class ServerCall: @unchecked Sendable {
  let streamID: UInt32
  let flags: FrameFlags
  let method: AnyMethod
  /// Bytes that the call holds of the connection's budget until it is over.
  private(set) var cost: Int
  @usableFromInline var context: CallContext
  /// Whether it was answered or given up. Its handler may still run then.
  private(set) var isEnded = false
  /// Whether the connection keeps it, because its handler did not end it at once. Set by the connection.
  var isKept = false

  let connection: ServerConnection
  private let began: NIODeadline
  /// When the server's own limit ends the call; its client may have set an earlier time.
  private let longest: NIODeadline
  private var place: CallPlace
  /// Why the call is not to begin; `nil` when it is.
  private let refusal: Status?
  /// The field of the first message that is to prove who calls, while that is awaited.
  var awaitedProof: UInt32?
  private var task: Task<Void, Never>?
  /// Whether `task` is set: an answer given at once, the usual case, need not look.
  private var isWaiting = false
  /// Whether the handler has not returned yet.
  private var isWorking = false
  /// Where the client's messages wait, when it streams.
  private var inbox: AnyMailbox?
  private var failure: Status?
  private var received = Traffic()
  private var sent = Traffic()
  /// Messages that had been sent when somebody looked.
  private var sentBefore = 0
  /// What the call is recorded as, where calls are.
  private let span: CallSpan?

  /// Asks the interceptors whether the call may begin, unless its first message is to prove who calls.
  init(
    _ header: FrameHeader, method: AnyMethod, context: CallContext, longest: NIODeadline, began: NIODeadline,
    cost: Int, place: CallPlace, connection: ServerConnection
  ) {
    streamID = header.streamID
    flags = header.flags
    self.method = method
    self.longest = longest
    self.began = began
    self.cost = cost
    self.place = place
    self.connection = connection
    method.metrics.callBegan()
    var context = context
    span = connection.tracer.map { CallSpan(server: $0, context) }
    if let span, context.traceID == nil { context.startedTrace = span.traceparent }
    if let field = method.tokenField, !context.metadata.has("authorization") { awaitedProof = field }
    if let deadline = context.deadline, deadline.instant <= began {
      refusal = .deadlineExceeded
    } else {
      refusal = awaitedProof == nil ? Self.refusal(of: &context, by: connection.interceptors) : nil
    }
    self.context = context
  }

  /// When the call has taken too long.
  var deadline: NIODeadline {
    awaitedProof == nil ? latestEnd : min(latestEnd, began + connection.limits.firstMessageTime)
  }

  private var latestEnd: NIODeadline { context.deadline?.instant ?? longest }

  static func refusal(of call: inout CallContext, by interceptors: [any ServerInterceptor]) -> Status? {
    do throws(Status) {
      for interceptor in interceptors { try interceptor.callBegins(&call) }
      return nil
    } catch {
      return error
    }
  }

  /// Begins the call, unless it is refused. Whatever comes of it is answered before or after this returns, once.
  func begin(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    if let refusal { return fail(refusal) }
    if isTooLong(payload) { return }
    if let field = awaitedProof { return begin(authenticatedBy: field, of: payload, arena) }
    start(payload, arena)
  }

  func start(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    if let refusal = takeCallersPlace() {
      connection.load.refused(refusal.reason)
      return fail(refusal.status)
    }
    if !method.descriptor.kind.clientStreams { received.messages = 1 }
    method.begin(self, payload, arena)
  }

  /// Counts the call against its caller, where it proved one, or says why it is one too many.
  @inline(__always)
  private func takeCallersPlace() -> CallRefusal? {
    let next: CallPlace
    if let caller = context.caller {
      next = connection.place(of: caller, calling: method.descriptor)
      if next.isSame(as: place) { return nil }
    } else {
      guard case .unknown = place else { return nil }
      next = .ofConnection
    }
    guard let payer = connection.principal(of: next) else { return nil }
    guard payer.takePlace() else { return payer.refusal }
    guard payer.ownBytes?.take(cost) ?? true else {
      payer.leavePlace()
      return .overBudget
    }
    connection.principal(of: place)?.leavePlace()
    place = next
    return nil
  }

  /// Gives back what was taken of the client's, when the call is over.
  @inline(__always)
  func leavePlace() {
    guard let principal = connection.principal(of: place) else { return }
    principal.leavePlace()
    principal.ownBytes?.give(back: cost)
  }

  /// What the call's bytes count against beside its connection.
  private var ownBytes: ByteBudget? { connection.principal(of: place)?.ownBytes }

  /// What the handler's own calls continue; `nil` for a call that belongs to no trace.
  @usableFromInline
  var traceScope: TraceScope? {
    if let span { return span.scope }
    return context.metadata.has("traceparent") ? .forwarded(context.metadata) : nil
  }

  /// Runs the handler, at once and on this loop, until it first waits.
  @inlinable
  func run(_ work: some CallWork) {
    let scope = traceScope
    workBegins()
    keep(
      Task.immediate(executorPreference: lane) {
        do {
          if let scope { try await scope.run { try await work.run(self) } } else { try await work.run(self) }
        } catch {
          self.fail(error)
        }
        self.workEnded()
      })
  }

  @usableFromInline
  func workBegins() { isWorking = true }

  /// A call takes its place until its handler has returned, even one that was given up: it is still work of the server's.
  @usableFromInline
  func workEnded() {
    isWorking = false
    connection.callIsOver(self)
  }

  @usableFromInline
  func keep(_ task: Task<Void, Never>) {
    guard isWorking else { return }
    if isEnded { return task.cancel() }
    self.task = task
    isWaiting = true
  }

  /// Answers with the handler's response, unless the call was answered already (its deadline passed, say).
  @usableFromInline
  func succeed<Response: ProtobufMessage>(_ response: Response) {
    guard !isEnded else { return }
    let refusal = countingSent {
      connection.queue { frames, arena in frames.appendResponse(response, on: streamID, in: arena) }
    }
    if let refusal { return fail(refusal) }
    sent.messages = 1
    end(nil, nil)
  }

  /// Ends a stream whose handler has sent all it had to.
  func finish() {
    guard !isEnded else { return }
    countingSent { connection.sendEnd(on: streamID) }
    end(nil, nil)
  }

  /// Decodes the call's one request.
  ///
  /// - Parameter hasLists: whether the request's memory is to be counted; else it is about as long as it was on the wire.
  /// - Returns: `nil` when the call was refused instead.
  @inlinable
  func read<Request: ProtobufMessage>(
    _ payload: UnsafeRawBufferPointer, _ arena: Arena, hasLists: Bool
  ) -> Request? {
    do throws(ProtobufError) {
      guard hasLists else { return try Request.decode(payload, in: arena) }
      var held = 0
      let request = try Request.decode(payload, in: arena, holding: &held)
      return mayHold(held) ? request : nil
    } catch {
      refuse(malformed: error, Request.protobufName)
      return nil
    }
  }

  /// Counts the memory of the request against the connection's budget, or refuses the call.
  @usableFromInline
  func mayHold(_ bytes: Int) -> Bool {
    guard bytes > max(cost, ServerConnection.ordinaryRequest) else { return true }
    guard connection.takeMore(bytes - cost, of: ownBytes) else {
      refuseMessage(connection.overBudget(by: bytes))
      return false
    }
    cost = bytes
    return true
  }

  @usableFromInline
  func refuse(malformed error: ProtobufError, _ message: String) {
    fail(Status.malformed(error, message))
  }

  /// Answers with what the caller may know of `error`.
  @usableFromInline
  func fail(_ error: any Error) {
    switch error {
    // A peer's refusal: passed on as it is, it would say that this call was not begun, and may be made again.
    case let status as Status where status.isDraining:
      fail(Status.unavailable("A service that this one needs is stopping"), cause: status)
    case let status as Status where status.isUnreachable:
      fail(Status.unavailable("A service that this one needs cannot be reached"), cause: status)
    case let status as Status: fail(status, cause: nil)
    case let known as any StatusConvertible: fail(known.status, cause: error)
    case is CancellationError: fail(Status(.cancelled, "The call was cancelled"), cause: nil)
    default: fail(Status.opaque, cause: error)
    }
  }

  private func fail(_ status: Status, cause: (any Error)?) {
    guard !isEnded else { return }
    countingSent { connection.send(status, on: streamID) }
    end(status, cause)
  }

  /// Ends the call without an answer and cancels its handler: there is nobody left to hear it.
  func abandon() {
    guard !isEnded else { return }
    cancelling { end(Status(.cancelled, "The client went away"), nil) }
  }

  /// Answers DEADLINE_EXCEEDED and cancels the handler, with whatever query it waits for.
  func expire() {
    if awaitedProof != nil, deadline < latestEnd {
      connection.load.refused(.firstMessageTime)
      return fail(Status.firstMessageTooSlow)
    }
    if latestEnd == longest { connection.load.refused(.callTime) }
    cancelling { fail(Status.deadlineExceeded) }
  }

  /// Answers with `status` and cancels the handler.
  func stop(_ status: Status) {
    cancelling { fail(status) }
  }

  private func cancelling(_ end: () -> Void) {
    let task = task
    end()
    task?.cancel()
  }

  private func end(_ failure: Status?, _ cause: (any Error)?) {
    isEnded = true
    if isWaiting { task = nil }
    if method.descriptor.kind != .unary { endStream(failure) }
    let duration = NIODeadline.now() - began
    method.metrics.callEnded(failure?.code ?? .ok, after: duration)
    let outcome = CallOutcome(
      failure: failure, cause: cause, duration: .nanoseconds(duration.nanoseconds), received: received, sent: sent)
    for interceptor in connection.interceptors { interceptor.callEnds(context, outcome) }
    span?.end(failure)
    connection.callEnded(self)
    if !isWorking { connection.callIsOver(self) }
  }

  /// Whether a stream of answers to one request has sent some since this was asked last, or waits for its client to take them: it may end soon.
  func getsOn() -> Bool {
    guard method.descriptor.kind == .serverStreaming else { return false }
    defer { sentBefore = sent.messages }
    return sent.messages > sentBefore || connection.output.isAwaited(by: streamID)
  }

  private func endStream(_ failure: Status?) {
    self.failure = failure
    inbox?.cut(failure ?? Status.callEnded)
    inbox = nil
    connection.output.releaseSenders(of: streamID)
  }
}

// MARK: Traffic

extension ServerCall {
  /// Takes note of a frame of the call, `bytes` long, that came in.
  func countReceived(_ bytes: Int) {
    received.bytes += bytes
    method.metrics.received(bytes: bytes)
  }

  private func countingSent<Result>(_ send: () -> Result) -> Result {
    let before = connection.output.queuedBytes
    let result = send()
    let bytes = connection.output.queuedBytes - before
    sent.bytes += bytes
    method.metrics.sent(bytes: bytes)
    return result
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
    let mailbox = connection.mailbox(codec, of: ownBytes)
    inbox = mailbox
    if payload.count > 0 { deliver(payload, arena) }
    if flags.contains(.remoteClosed) { inbox?.end(nil) }
    return isEnded ? nil : MessageStream(mailbox: mailbox)
  }

  /// Takes the next message of the client.
  func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) {
    if isTooLong(body) { return }
    if let field = awaitedProof { return authenticate(field, fromFirstMessage: body, arena) }
    received.messages += 1
    method.metrics.receivedMessage()
    switch inbox?.deliver(body, arena) {
    case .taken?, .takenForNow?, nil: break
    case .overflow?: refuseMessage(.unread)
    case .overBudget?: refuseMessage(.overBudget)
    case .malformed(let error, let message)?: stop(.malformed(error, message))
    }
  }

  /// Refuses the call when a message of its client is longer than the contract says, before a byte of it is read.
  private func isTooLong(_ message: UnsafeRawBufferPointer) -> Bool {
    let limit = method.descriptor.maxRequestBytes
    guard message.count > limit else { return false }
    refuseMessage(CallRefusal(.messageBytes, .tooLarge(message.count, limit: limit)))
    return true
  }

  private func refuseMessage(_ refusal: CallRefusal) {
    connection.load.refused(refusal.reason)
    stop(refusal.status)
  }

  /// Takes note that the client sends no more.
  func inputEnded() {
    if let field = awaitedProof {
      return authenticate(field, fromFirstMessage: UnsafeRawBufferPointer(start: nil, count: 0), connection.arena)
    }
    inbox?.end(nil)
  }
}

/// What a handler does with its call: a type for each kind of method, whose work is compiled as one with its messages.
@usableFromInline
protocol CallWork: Sendable {
  nonisolated(nonsending) func run(_ call: ServerCall) async throws
}

extension ServerCall: StreamOutlet {
  @usableFromInline
  var lane: LoopLane { connection.lane }
  @usableFromInline
  var executor: LoopExecutor { connection.executor }
  var output: FrameOutput { connection.output }

  func send(_ pack: (Arena) -> OutgoingMessage) throws(Status) {
    guard !isEnded else { throw failure ?? Status.callEnded }
    let refusal = countingSent {
      connection.queue { frames, arena in frames.appendData(pack(arena), on: streamID) }
    }
    if let refusal {
      stop(refusal)
      throw refusal
    }
    sent.messages += 1
    method.metrics.sentMessage()
  }
}

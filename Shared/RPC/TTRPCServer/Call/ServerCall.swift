import LoopExecutor
import NIOCore
import ProtobufC
import TTRPC
import TTRPCConnection
import TTRPCFrames
import Tracing

/// One call on the server, from its request to its end.
///
/// `@unchecked Sendable`: confined to the event loop of `connection`. The handler's task runs on that loop's executor,
/// and calls `succeed`, `finish` and `fail` there.
/// It is the executor of its handler's task too, so that whatever runs is known by its method and client: its jobs run in
/// the lane of its client, which does not change once the handler has begun.
final class ServerCall: ReceivedCall, LoopWork, @unchecked Sendable {
  let streamID: UInt32
  let flags: FrameFlags
  let method: AnyMethod
  /// Bytes of the connection's budget that the call holds until it is over.
  private(set) var cost: Int
  var context: CallContext
  var life: CallLife
  /// Whether the connection's table contains it, because its handler did not end it at once. Set by the connection.
  var isKept = false

  let connection: ServerConnection
  let began: NIODeadline
  /// The time limit of the server's own; the client may have set an earlier deadline.
  private let longest: NIODeadline
  private var place: CallPlace
  /// The address that a gateway names for its client.
  private let forwarded: PrincipalHold?
  /// Whether the call counts against its user's address too.
  private var isOfAddress = false
  /// Why the call must not begin; `nil` when it may.
  private let refusal: Status?
  /// The client's messages that wait for the handler, when the client streams.
  private var inbox: Inbox?
  private var failure: Status?
  private var received = Traffic()
  private var sent = Traffic()
  /// Messages sent when ``getsOn()`` was last called.
  private var sentBefore = 0
  /// The call's span, where calls are recorded.
  private let span: CallSpan?

  /// Asks the interceptors whether the call may begin, unless its first message is to authenticate the caller.
  init(
    _ header: FrameHeader, method: AnyMethod, context: CallContext, longest: NIODeadline, began: NIODeadline,
    cost: Int, place: CallPlace, forwarded: PrincipalHold?, connection: ServerConnection
  ) {
    streamID = header.streamID
    flags = header.flags
    self.method = method
    self.longest = longest
    self.began = began
    self.cost = cost
    self.place = place
    self.forwarded = forwarded
    self.connection = connection
    method.metrics.callBegan()
    var context = context
    span = connection.tracer.map { CallSpan(server: $0, context) }
    if let span, context.traceID == nil { context.startedTrace = span.traceparent }
    life = CallLife(tokenField: context.metadata.has("authorization") ? nil : method.tokenField)
    if let deadline = context.deadline, deadline.instant <= began {
      refusal = .deadlineExceeded
    } else {
      refusal = life.awaitedField == nil ? Self.refusal(of: &context, by: connection.interceptors) : nil
    }
    self.context = context
  }

  /// When the call's time is over.
  var deadline: NIODeadline {
    life.awaitedField == nil ? latestEnd : min(latestEnd, began + connection.limits.firstMessageTime)
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

  /// Begins the call, unless it is refused. It is answered once, before or after this returns.
  func begin(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    if let refusal { return fail(refusal) }
    if isTooLong(payload) { return }
    if let field = life.awaitedField { return begin(authenticatedBy: field, of: payload, arena) }
    start(payload, arena)
  }

  func start(_ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    if let refusal = takeCallersPlace() {
      connection.load.refused(refusal.reason)
      return fail(refusal.status)
    }
    if !method.descriptor.kind.clientStreams { received.messages = 1 }
    connection.executor.run(self) { method.begin(self, payload, arena) }
  }

  /// Counts the call against its caller, where it has authenticated, or returns the refusal when the caller's limit is
  /// reached.
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
    return takeAddressesPlace(of: payer)
  }

  /// Counts a user's call against the user's address too, or returns the refusal when the address has its share.
  @inline(__always)
  private func takeAddressesPlace(of payer: Principal) -> CallRefusal? {
    guard payer.isUser, let address = connection.address(forwarded) else { return nil }
    guard address.takePlaceForOther() else { return address.refusal }
    isOfAddress = true
    return nil
  }

  /// The client whose place it takes.
  var payer: Principal? { connection.principal(of: place) }

  /// Releases the call's share of its client's limits, when the call is over.
  @inline(__always)
  func leavePlace() {
    guard let principal = connection.principal(of: place) else { return }
    principal.leavePlace()
    principal.ownBytes?.give(back: cost)
    if isOfAddress { connection.address(forwarded)?.leavePlaceOfOther() }
  }

  /// The budget of the client, against which the call's bytes count beside the connection's.
  private var ownBytes: ByteBudget? { connection.principal(of: place)?.ownBytes }

  var outlet: any StreamOutlet { self }
  var lane: any TaskExecutor { self }

  var mark: WorkMark? { connection.principal(of: place)?.mark }
  var number: Int { method.number }

  func enqueue(_ job: consuming ExecutorJob) {
    connection.executor.enqueue(job, in: connection.lane(of: place), of: self)
  }

  var traceScope: TraceScope? {
    if let span { return span.scope }
    return context.metadata.has("traceparent") ? .forwarded(context.metadata) : nil
  }

  var isEnded: Bool { life.isEnded }

  func workBegins() { life.workBegan() }

  func workEnded() {
    if life.workEnded() { connection.callIsOver(self) }
  }

  func keep(_ task: Task<Void, Never>) {
    if life.handlerWaits(in: task) { task.cancel() }
  }

  func succeed(_ pack: (Arena) -> PackedMessage) {
    guard !isEnded else { return }
    let refusal = countingSent {
      connection.queue(for: self) { frames, arena in frames.appendResponse(pack(arena), on: streamID) }
    }
    if let refusal { return fail(refusal) }
    sent.messages = 1
    end(nil, nil)
  }

  func finish() {
    guard !isEnded else { return }
    countingSent { connection.sendEnd(on: streamID) }
    end(nil, nil)
  }

  func mayHold(_ bytes: Int) -> Bool {
    guard bytes > max(cost, ServerConnection.ordinaryRequest) else { return true }
    guard connection.takeMore(bytes - cost, of: ownBytes) else {
      refuseMessage(connection.overBudget(by: bytes))
      return false
    }
    cost = bytes
    return true
  }

  func refuse(malformed error: ProtobufError, _ message: String) {
    fail(Status.malformed(error, message))
  }

  func fail(_ error: any Error) {
    switch error {
    // A peer's refusal while draining: passed on as it is, it would state that this call was not begun and may be sent
    // again.
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

  /// Ends the call without a response and cancels its handler: its client cannot receive one any more.
  func abandon() {
    guard !isEnded else { return }
    cancelling { end(Status(.cancelled, "The client went away"), nil) }
  }

  /// Sends DEADLINE_EXCEEDED and cancels the handler, with any query that it waits for.
  func expire() {
    if life.awaitedField != nil, deadline < latestEnd {
      connection.load.refused(.firstMessageTime)
      return fail(Status.firstMessageTooSlow)
    }
    if latestEnd == longest { connection.load.refused(.callTime) }
    cancelling { fail(Status.deadlineExceeded) }
  }

  /// Ends a stream in favour of other clients.
  func makeRoom() {
    guard !isEnded else { return }
    connection.load.refused(.makingRoom)
    stop(.makingRoom)
  }

  /// Sends `status` and cancels the handler.
  func stop(_ status: Status) {
    cancelling { fail(status) }
  }

  private func cancelling(_ end: () -> Void) {
    let task = life.task
    end()
    task?.cancel()
  }

  private func end(_ failure: Status?, _ cause: (any Error)?) {
    let isOver = life.end()
    if method.descriptor.kind != .unary { endStream(failure) }
    let duration = NIODeadline.now() - began
    method.metrics.callEnded(failure?.code ?? .ok, afterNanoseconds: duration.nanoseconds)
    let outcome = CallOutcome(
      failure: failure, cause: cause, duration: .nanoseconds(duration.nanoseconds), received: received, sent: sent)
    for interceptor in connection.interceptors { interceptor.callEnds(context, outcome) }
    span?.end(failure)
    connection.callEnded(self)
    if isOver { connection.callIsOver(self) }
  }

  /// Whether a server-streaming call has sent messages since the last time this was called, or waits for its client to
  /// read them: it may end soon.
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
  /// Counts a frame received for the call, `bytes` long.
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
  var inboxRoom: (limit: Int, budget: any MemoryBudget) { connection.inboxRoom(of: ownBytes) }

  func receive(in inbox: Inbox, first payload: UnsafeRawBufferPointer, _ arena: Arena) -> Bool {
    self.inbox = inbox
    if payload.count > 0 { deliver(payload, arena) }
    if flags.contains(.remoteClosed) { self.inbox?.end(nil) }
    return !isEnded
  }

  /// Delivers the next message of the client.
  func deliver(_ body: UnsafeRawBufferPointer, _ arena: Arena) {
    if isTooLong(body) { return }
    if let field = life.awaitedField { return authenticate(field, fromFirstMessage: body, arena) }
    received.messages += 1
    method.metrics.receivedMessage()
    switch inbox?.deliver(body, arena) {
    case .taken?, .takenForNow?, nil: break
    case .overflow?: refuseMessage(.unread)
    case .overBudget?: refuseMessage(.overBudget)
    case .malformed(let error, let message)?: stop(.malformed(error, message))
    }
  }

  /// Refuses the call when a message of its client is longer than the contract allows, before it is decoded.
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

  /// Ends the client's side of the stream.
  func inputEnded() {
    if let field = life.awaitedField {
      return authenticate(field, fromFirstMessage: UnsafeRawBufferPointer(start: nil, count: 0), connection.arena)
    }
    inbox?.end(nil)
  }
}

extension ServerCall: FrameOutlet {
  var executor: LoopExecutor { connection.executor }
  var output: FrameOutput { connection.output }

  func send(_ pack: (Arena) -> OutgoingMessage) throws(Status) {
    guard !isEnded else { throw failure ?? Status.callEnded }
    let refusal = countingSent {
      connection.queue(for: self) { frames, arena in frames.appendData(pack(arena), on: streamID) }
    }
    if let refusal {
      stop(refusal)
      throw refusal
    }
    sent.messages += 1
    method.metrics.sentMessage()
  }
}

import CTTRPCWire
import Logging
import LoopExecutor
import NIOCore
import ProtobufC

/// One client's connection: frames in, calls out, answers back.
///
/// Bytes are decoded in place, handlers start while their read is still being worked through, and the answers of the whole burst leave by
/// one write. Nothing here waits: a handler that does runs on, its answer joining a later burst.
final class ServerConnection: ChannelInboundHandler, ChannelOutboundHandler, @unchecked Sendable {
  // Unchecked: everything mutable is touched only on `executor.loop`; other threads come in by `loop.execute`.

  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let executor: LoopExecutor
  let output: FrameOutput
  let interceptors: [any ServerInterceptor]
  private let router: Router
  private let limits: RPCServer.Limits
  private let logger: Logger
  private let arena: Arena
  private let budget: ByteBudget

  private var context: ChannelHandlerContext?
  private var peer = "unknown"
  private var reader = FrameReader()
  private var streams = ServerStreams<ServerCall>()
  private var deadlines: DeadlineTimer
  private var isInBurst = false
  private var isDraining = false
  private var wantsRead = false

  init(
    executor: LoopExecutor, arena: Arena, router: Router, interceptors: [any ServerInterceptor],
    limits: RPCServer.Limits, logger: Logger
  ) {
    self.executor = executor
    self.arena = arena
    self.router = router
    self.interceptors = interceptors
    self.limits = limits
    self.logger = logger
    deadlines = DeadlineTimer(loop: executor.loop)
    output = FrameOutput(executor: executor, arena: arena)
    budget = ByteBudget(limit: limits.unreadBytesPerConnection)
  }

  // MARK: The channel's life

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    output.open(context)
    if let address = context.remoteAddress, let host = address.ipAddress { peer = "\(host):\(address.port ?? 0)" }
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    output.close()
    deadlines.cancel()
    for call in streams.calls { call.abandon() }
    endBurst()
    context.fireChannelInactive()
  }

  /// A channel that closes without having been active does not become inactive, and must not be kept for that.
  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    output.close()
  }

  /// A client that closes even its sending half has gone away: its calls are cancelled and the connection closed.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent { return close() }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    logger.debug("connection failed", metadata: ["peer": "\(peer)", "cause": "\(error)"])
    close()
  }

  private func close() {
    context?.close(promise: nil)
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    beginBurst()
    reader.read(unwrapInboundIn(data), take)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    endBurst()
    context.fireChannelReadComplete()
  }

  /// Reading pauses while the client does not take its answers, so that what waits for it stays bounded.
  func read(context: ChannelHandlerContext) {
    if context.channel.isWritable { context.read() } else { wantsRead = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if wantsRead, context.channel.isWritable {
      wantsRead = false
      context.read()
    }
    if context.channel.isWritable { output.becameWritable() }
    context.fireChannelWritabilityChanged()
  }

  private func beginBurst() {
    guard !isInBurst else { return }
    isInBurst = true
    executor.beginBurst()
  }

  private func endBurst() {
    guard isInBurst else { return }
    isInBurst = false
    executor.endBurst()
  }

  /// Acts on one frame; says whether the connection still is.
  private func take(_ event: FrameReader.Event) -> Bool {
    switch event {
    case .frame(let header, let body): receive(header, body)
    case .oversize(let header): refuse(.tooLarge(Int(header.length)), on: header.streamID)
    case .unskippable(let header):
      logger.info("connection closed: frame too long", metadata: ["peer": "\(peer)", "length": "\(header.length)"])
      close()
    }
    return context != nil
  }

  private func receive(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    if let refusal = ServerStreams<ServerCall>.refusal(ofID: header.streamID) {
      return refuse(refusal, on: header.streamID)
    }
    switch header.type {
    case .request:
      if let refusal = streams.admitRequest(header.streamID) { return refuse(refusal, on: header.streamID) }
      begin(header, body)
    case .data: receiveData(header, body)
    default: break
    }
  }

  private func receiveData(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    switch streams.receiveData(header, abandons: Abandonment.isSaid(by: body)) {
    case .deliver(let call, let isLast):
      call.deliver(body, arena)
      if isLast { call.inputEnded() }
    case .finish(let call): call.inputEnded()
    case .abandon(let call): call.abandon()
    case .refuse(let status, _): refuse(status, on: header.streamID)
    case .ignore: break
    }
  }

  /// Where the messages of one stream are to wait.
  func mailbox<Message>(_ codec: MessageCodec<Message>) -> Mailbox<Message> {
    Mailbox(codec, limit: limits.unreadBytesPerStream, budget: budget)
  }

  // MARK: Calls

  private func begin(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    let began = NIODeadline.now()
    let streamID = header.streamID
    guard let request = RequestEnvelope(body, in: arena) else {
      arena.reset()
      return refuse(.malformedRequest, on: streamID)
    }
    guard let method = router.method(service: request.service, name: request.method) else {
      let refusal: Status = request.namesAreText ? .unimplemented(request) : .malformedRequest
      arena.reset()
      return refuse(refusal, on: streamID)
    }
    if let refusal = refusalOfAnotherCall {
      arena.reset()
      return refuse(refusal, on: streamID)
    }
    let deadline = Deadline(timeoutNanoseconds: request.timeoutNanoseconds, from: began)
    let context = CallContext(
      method: method.descriptor, metadata: request.metadata, deadline: deadline, peer: peer, logger: logger)
    let call = ServerCall(
      streamID: streamID, flags: header.flags, method: method, context: context,
      deadline: deadline?.instant ?? began + limits.duration(of: method.descriptor.kind), began: began, connection: self
    )
    call.begin(request.payload, arena)
    arena.reset()
    if !call.isEnded { keep(call) }
  }

  private func keep(_ call: ServerCall) {
    streams.open(call.streamID, call, kind: call.method.descriptor.kind, flags: call.flags)
    deadlines.include(call.deadline) { self.expireCalls() }
  }

  private var refusalOfAnotherCall: Status? {
    if isDraining { return .unavailable("The service is stopping; call another replica, or this one again shortly") }
    if streams.count >= limits.callsPerConnection {
      return Status(
        .resourceExhausted, reason: "TOO_MANY_CALLS",
        "More than \(limits.callsPerConnection) calls are running on this connection", retryAfter: .milliseconds(100))
    }
    return nil
  }

  private func expireCalls() {
    deadlines.fired()
    let now = NIODeadline.now()
    for call in streams.calls where call.deadline <= now { call.expire() }
    if let next = streams.calls.map(\.deadline).min() { deadlines.include(next) { self.expireCalls() } }
  }

  func callEnded(_ streamID: UInt32) {
    streams.close(streamID)
    if isDraining, streams.isEmpty { finishDraining() }
  }

  // MARK: Writing

  /// Queues the answer of a call. A message that is too long to send is refused, and nothing is queued.
  func send<Message: ProtobufMessage>(_ message: Message, on streamID: UInt32) -> Status? {
    output.send { frames, arena in frames.appendResponse(message, on: streamID, in: arena) }
  }

  /// Queues the failure of a call.
  func send(_ status: Status, on streamID: UInt32) {
    _ = output.send { frames, arena in
      frames.appendResponse(status, on: streamID, in: arena)
      return nil
    }
  }

  /// Queues the good end of a stream.
  func sendEnd(on streamID: UInt32) {
    _ = output.send { frames, _ in
      frames.appendEnd(on: streamID)
      return nil
    }
  }

  /// Answers the stream of a frame that cannot be taken. A Response ends a call, so one that runs there has ended.
  private func refuse(_ status: Status, on streamID: UInt32) {
    if let call = streams.call(streamID) { call.stop(status) } else { send(status, on: streamID) }
  }

  // MARK: Draining

  /// Refuses new calls from now on and closes once the running ones have ended. From any thread.
  func drain() {
    executor.loop.execute {
      self.isDraining = true
      if self.streams.isEmpty { self.finishDraining() }
    }
  }

  /// Closes once the answers have left: closing drops what the socket has not taken yet.
  private func finishDraining() {
    output.write()
    guard let context, output.hasSent else { return close() }
    let last = context.eventLoop.makePromise(of: Void.self)
    last.futureResult.assumeIsolated().whenComplete { _ in self.close() }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: last)
  }

  /// Closes now, cancelling what runs. From any thread.
  func abort() {
    executor.loop.execute { self.close() }
  }
}

extension Status {
  fileprivate static let malformedRequest = Status(
    .invalidArgument, reason: "MALFORMED_REQUEST", "The request envelope is malformed")

  fileprivate static func unimplemented(_ request: RequestEnvelope) -> Status {
    let service = String(decoding: request.service.prefix(200), as: UTF8.self)
    let method = String(decoding: request.method.prefix(200), as: UTF8.self)
    return Status(
      .unimplemented, reason: "UNKNOWN_METHOD", "The service \(service) or its method \(method) does not exist here")
  }
}

import CTTRPCWire
import CGoogleRPC
import GoogleRPC
import LoopExecutor
import NIOCore
import ProtobufC
import TTRPCWire
import Synchronization

/// A client's connection: calls out, answers back in whatever order they come.
///
/// Ids are given out and requests queued on the event loop alone, so the order of ids is that of the wire.
final class ClientConnection: ChannelInboundHandler, FlushTarget, @unchecked Sendable {
  // Unchecked: everything mutable but `mailbox` and `hasEnded` is touched only on `executor.loop`.

  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let executor: LoopExecutor
  private let arena = Arena()
  private var context: ChannelHandlerContext?
  private var reader = FrameReader()
  private var streams = ClientStreams<ClientCall>()
  private var deadlines: DeadlineTimer
  private var output = FrameBuffer(allocator: ByteBufferAllocator())
  private var isFlushDue = false
  private var isInBurst = false

  /// Calls from other threads, which are let in by one hop however many they are.
  private let mailbox = Mutex<[ClientCall]>([])
  private let ended = Mutex(false)

  init(executor: LoopExecutor) {
    self.executor = executor
    deadlines = DeadlineTimer(loop: executor.loop)
  }

  /// Whether the connection is of no more use.
  var hasEnded: Bool { ended.withLock { $0 } }

  // MARK: Calls

  /// Sends the call, or fails it at once when the connection is gone. From any thread.
  func start(_ call: ClientCall) {
    if executor.loop.inEventLoop { return send(call) }
    let isFirst = mailbox.withLock { calls in
      calls.append(call)
      return calls.count == 1
    }
    if isFirst { executor.loop.execute { self.emptyMailbox() } }
  }

  private func emptyMailbox() {
    let calls = mailbox.withLock { calls in
      defer { calls.removeAll() }
      return calls
    }
    for call in calls { send(call) }
  }

  private func send(_ call: ClientCall) {
    call.isHandedOver = true
    guard !call.isAbandoned else { return call.fail(CancellationError()) }
    guard context != nil else { return call.fail(Status.connectionLost) }
    guard let streamID = streams.open(call) else {
      ended.withLock { $0 = true }
      return call.fail(Status.unavailable("The connection's stream ids ran out; a new one is needed"))
    }
    call.streamID = streamID
    defer { arena.reset() }
    if let refusal = output.appendRequest(call, on: streamID, in: arena) {
      _ = streams.close(streamID)
      return call.fail(refusal)
    }
    if let deadline = call.deadline { deadlines.include(deadline) { self.expireCalls() } }
    scheduleFlush()
  }

  /// Gives the call up; its answer, should one come, is ignored. From any thread.
  func abandon(_ call: ClientCall) {
    executor.loop.execute {
      call.isAbandoned = true
      // Before it is handed over its caller may not have begun to wait; then it is told by `send`.
      guard call.isHandedOver else { return }
      if let streamID = call.streamID { _ = self.streams.close(streamID) }
      call.fail(CancellationError())
    }
  }

  private func expireCalls() {
    deadlines.fired()
    let now = NIODeadline.now()
    for call in streams.calls {
      guard let deadline = call.deadline, deadline <= now, let streamID = call.streamID else { continue }
      _ = streams.close(streamID)
      call.fail(Status.deadlineExceeded)
    }
    if let next = streams.calls.compactMap(\.deadline).min() { deadlines.include(next) { self.expireCalls() } }
  }

  private func scheduleFlush() {
    guard !isFlushDue else { return }
    isFlushDue = true
    executor.flushAfterBurst(self)
  }

  func flush() {
    isFlushDue = false
    guard let context, !output.isEmpty else { return }
    context.writeAndFlush(wrapOutboundOut(output.take()), promise: nil)
  }

  /// Closes the connection; calls that wait fail. From any thread.
  func close() async {
    let closed = executor.loop.makePromise(of: Void.self)
    executor.loop.execute {
      guard let context = self.context else { return closed.succeed() }
      context.close(promise: closed)
    }
    do { try await closed.futureResult.get() } catch {
      // Closing what is closed already is what was wanted.
    }
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(Status.connectionLost)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(Status.unavailable("The connection failed: \(error)"))
    context.close(promise: nil)
  }

  private func end(_ reason: Status) {
    context = nil
    ended.withLock { $0 = true }
    deadlines.cancel()
    for call in streams.closeAll() { call.fail(reason) }
    endBurst()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !isInBurst {
      isInBurst = true
      executor.beginBurst()
    }
    reader.read(unwrapInboundIn(data), take)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    endBurst()
    context.fireChannelReadComplete()
  }

  private func endBurst() {
    guard isInBurst else { return }
    isInBurst = false
    executor.endBurst()
  }

  private func take(_ event: FrameReader.Event) -> Bool {
    switch event {
    case .frame(let header, let body): receive(header, body)
    case .oversize(let header): streams.close(header.streamID)?.fail(Status.tooLarge(Int(header.length)))
    case .unskippable: context?.close(promise: nil)
    }
    return context != nil
  }

  /// Takes an answer; frames for ids that nobody waits for are ignored.
  private func receive(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    guard header.type == .response, let call = streams.close(header.streamID) else { return }
    defer { arena.reset() }
    guard
      let response = arena.unpack(Ttrpc__Response.self, TTRPCWire.Response.cDescriptor, body)
    else { return call.fail(Status(.internal, "The server sent a malformed response")) }
    if let status = response.pointee.status, status.pointee.code != 0 {
      return call.fail(Self.failure(UnsafePointer(status)))
    }
    let payload = response.pointee.payload
    call.succeed(UnsafeRawBufferPointer(start: payload.data, count: payload.len), arena)
  }

  private static func failure(_ status: UnsafePointer<Google__Rpc__Status>) -> Status {
    do {
      return Status(
        wire: try status.withMemoryRebound(to: ProtobufCMessage.self, capacity: 1) { try GoogleRPC.Status.read($0) })
    } catch {
      return Status(.internal, "The server sent a malformed status")
    }
  }
}

extension Status {
  /// The connection went away under the call; whether the call took effect is not known.
  static let connectionLost = Status.unavailable("The connection to the server was lost")
}

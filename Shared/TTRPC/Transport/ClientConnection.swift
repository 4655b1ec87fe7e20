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
final class ClientConnection: ChannelInboundHandler, @unchecked Sendable {
  // Unchecked: everything mutable but `mailbox` and `hasEnded` is touched only on `executor.loop`.

  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let executor: LoopExecutor
  let output: FrameOutput
  private let arena = Arena()
  private let unreadLimit: Int
  private var context: ChannelHandlerContext?
  private var reader = FrameReader()
  private var streams = ClientStreams<ClientCall>()
  private var deadlines: DeadlineTimer
  private var isInBurst = false

  /// Calls from other threads, which are let in by one hop however many they are.
  private let mailbox = Mutex<[ClientCall]>([])
  private let ended = Mutex(false)

  /// - Parameter unreadLimit: bytes of one stream's messages that may wait for their reader.
  init(executor: LoopExecutor, unreadLimit: Int) {
    self.executor = executor
    self.unreadLimit = unreadLimit
    output = FrameOutput(executor: executor, arena: arena)
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
    if let refusal = output.send({ frames, arena in frames.appendRequest(call, on: streamID, in: arena) }) {
      _ = streams.close(streamID)
      return call.fail(refusal)
    }
    if let deadline = call.deadline { deadlines.include(deadline) { self.expireCalls() } }
    call.begun()
  }

  /// Where the messages of one stream are to wait.
  func mailbox<Message>(_ codec: MessageCodec<Message>) -> Mailbox<Message> {
    Mailbox(codec, limit: unreadLimit)
  }

  /// Says that the client sends no more on the call's stream. On the loop.
  func sendEnd(of call: ClientCall) {
    _ = output.send { frames, _ in
      frames.appendEnd(on: call.streamID)
      return nil
    }
  }

  /// Ends the call that its caller is done with, where the server has not ended it. From any thread.
  func leave(_ call: ClientCall) {
    if executor.loop.inEventLoop { return giveUp(call, Status.callEnded) }
    executor.loop.execute { self.giveUp(call, Status.callEnded) }
  }

  /// Ends a stream that the server has not ended, and tells it so. On the loop.
  func giveUp(_ call: ClientCall, _ reason: any Error) {
    if streams.close(call.streamID) != nil { sendAbandonment(of: call.streamID) }
    call.fail(reason)
  }

  private func sendAbandonment(of streamID: UInt32) {
    _ = output.send { frames, _ in
      frames.appendAbandonment(of: streamID)
      return nil
    }
  }

  /// Gives the call up; its answer, should one come, is ignored. From any thread.
  func abandon(_ call: ClientCall) {
    executor.loop.execute {
      call.isAbandoned = true
      // Before it is handed over its caller may not have begun to wait; then it is told by `send`.
      guard call.isHandedOver else { return }
      // Nothing tells a server that the answer to a unary call is no longer wanted, but its deadline.
      if call.method.kind == .unary { _ = self.streams.close(call.streamID) }
      self.giveUp(call, CancellationError())
    }
  }

  private func expireCalls() {
    deadlines.fired()
    let now = NIODeadline.now()
    for call in streams.calls {
      guard let deadline = call.deadline, deadline <= now else { continue }
      _ = streams.close(call.streamID)
      call.fail(Status.deadlineExceeded)
    }
    if let next = streams.calls.compactMap(\.deadline).min() { deadlines.include(next) { self.expireCalls() } }
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
    output.open(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(Status.connectionLost)
    context.fireChannelInactive()
  }

  /// A connection that was refused was never active, and so does not become inactive; its channel must not be kept for that.
  func handlerRemoved(context: ChannelHandlerContext) {
    end(Status.connectionLost)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(Status.unavailable("The connection failed: \(error)"))
    context.close(promise: nil)
  }

  private func end(_ reason: Status) {
    context = nil
    output.close()
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

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { output.becameWritable() }
    context.fireChannelWritabilityChanged()
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

  /// Takes a frame; those for ids that nobody waits for are ignored.
  private func receive(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    switch header.type {
    case .data: receiveData(header, body)
    case .response:
      if let call = streams.close(header.streamID) { receiveResponse(call, body) }
    default: break
    }
  }

  private func receiveData(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    guard let call = streams.call(header.streamID), call.method.kind.serverStreams else { return }
    let isLast = header.flags.contains(.remoteClosed)
    if !header.flags.contains(.noData), header.length > 0 || !isLast, call.deliver(body, arena) != nil {
      _ = streams.close(header.streamID)
      sendAbandonment(of: header.streamID)
    } else if isLast {
      _ = streams.close(header.streamID)
      call.finish()
    }
  }

  private func receiveResponse(_ call: ClientCall, _ body: UnsafeRawBufferPointer) {
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

import LoopExecutor
import NIOCore
import NIOSSL
import NIOTLS
import ProtobufC
import TTRPC
import TTRPCConnection
import TTRPCFrames

/// A client's connection: sends calls, receives responses in any order.
///
/// Confined to the event loop of `executor`. Ids are assigned and requests queued in one step, so the order of ids is
/// that of the wire.
///
/// `@unchecked Sendable`: what changes is touched only on `executor.loop`. NIO calls the handler's methods there;
/// calls, probes and the subchannel belong to the same loop and come in by `executor.loop.execute`, as does a reader
/// elsewhere that has room again (`StreamClientCall.readOn`). The others are constants.
final class ClientConnection: ChannelInboundHandler, ChannelOutboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What has to be done before calls can be made.
  enum Opening {
    case connected
    /// TLS, with a certificate for this name; `nil` where it must be for the address.
    case handshakeCompleted(serverName: String?)
  }

  let executor: LoopExecutor
  let output: FrameOutput
  private let arena = Arena(fieldLimit: .max)
  private let opening: Opening
  private let callLimit: Int
  private let subchannel: Subchannel
  private var context: ChannelHandlerContext?
  private var reader = FrameReader()
  private var streams: ClientStreams<ClientCall>
  private var deadlines: DeadlineTimer
  private var isInBurst = false
  private var isReading = false
  private var isWritable = true
  private var hasEnded = false
  /// Whether no more calls are taken and the connection closes after the last that runs.
  private(set) var isRetired = false
  /// Whether calls wait for room on a connection.
  var isAwaited = false
  /// Succeeds once the socket is closed; `nil` before there is one.
  private(set) var closed: EventLoopFuture<Void>?
  /// How many times the connection has read from the server.
  private(set) var readCount = 0

  /// Streams whose slow readers have paused reading.
  private var pausing: Set<UInt32> = []
  private var wantsRead = false

  /// Bytes of requests that are gathered within a burst before they are written, so that a peer that does not read is
  /// noticed.
  private static let burst = 1 << 20

  init(executor: LoopExecutor, opening: Opening, settings: RPCClient.Settings, subchannel: Subchannel) {
    self.executor = executor
    streams = ClientStreams(firstID: settings.firstStreamID)
    self.opening = opening
    callLimit = settings.callsPerConnection
    self.subchannel = subchannel
    output = FrameOutput(executor: executor, arena: arena)
    deadlines = DeadlineTimer(loop: executor.loop)
  }

  // MARK: Calls

  /// Whether another call can be sent now.
  var hasRoom: Bool { isWritable && streams.count < callLimit && !isRetired && context != nil }

  /// Sends a call whose deadline has not passed, or fails it.
  func send(_ call: ClientCall, _ now: NIODeadline) {
    guard context != nil else { return call.fail(AttemptFailure(status: .connectionLost, fate: .notBegun)) }
    guard let streamID = streams.open(call) else {
      // No stream ids are left.
      retire(nil)
      return startAgain(call)
    }
    call.streamID = streamID
    call.connection = self
    if let refusal = append(call, now) {
      _ = streams.close(streamID)
      return call.fail(refusal)
    }
    if let deadline = call.deadline { deadlines.include(deadline) { self.expireCalls() } }
    if output.pendingBytes > Self.burst { output.write() }
    call.begun()
  }

  /// - Parameter now: before the call's deadline; the time left is sent along.
  private func append(_ call: ClientCall, _ now: NIODeadline) -> Status? {
    output.send { frames, arena in
      frames.appendRequest(
        call.method, call.payload(in: arena), call.options.metadata,
        timeoutNanoseconds: call.deadline.map { UInt64(max(($0 - now).nanoseconds, 1)) } ?? 0, on: call.streamID)
    }
  }

  /// Ends the client's side of the call's stream.
  func sendEnd(of call: ClientCall) {
    _ = output.send { frames, _ in
      frames.appendEnd(on: call.streamID)
      return nil
    }
  }

  /// Ends a call that the server has not ended. The server of a stream is notified; that of a unary call is not, and
  /// its response, should one come, is ignored.
  func giveUp(_ call: ClientCall, _ reason: any Error) {
    if streams.close(call.streamID) != nil, call.method.kind != .unary { sendAbandonment(of: call.streamID) }
    call.fail(reason)
    roomChanged()
  }

  private func sendAbandonment(of streamID: UInt32) {
    _ = output.send { frames, _ in
      frames.appendAbandonment(of: streamID)
      return nil
    }
  }

  private func expireCalls() {
    let now = NIODeadline.now()
    deadlines.fired(lookingAt: streams.count, now)
    for call in streams.calls {
      guard let deadline = call.deadline, deadline <= now else { continue }
      _ = streams.close(call.streamID)
      call.fail(Status.deadlineExceeded)
    }
    if let next = streams.calls.compactMap(\.deadline).min() { deadlines.include(next) { self.expireCalls() } }
    roomChanged()
  }

  /// Sends a call that no server began on another connection.
  private func startAgain(_ call: ClientCall) {
    call.connection = nil
    subchannel.startAgain(call)
  }

  private func roomChanged() {
    if isRetired, streams.isEmpty { return close() }
    if isAwaited, hasRoom { subchannel.roomChanged() }
  }

  // MARK: The end

  /// Takes no more calls, and closes when those that run have ended.
  ///
  /// - Parameter refusal: the server's status; `nil` when the server is in order.
  func retire(_ refusal: Status?) {
    guard !isRetired else { return }
    isRetired = true
    subchannel.connectionRetired(self, refusal)
    if streams.isEmpty { close() }
  }

  /// Closes at once; calls in progress fail.
  func close() {
    context?.close(promise: nil)
  }

  /// Closes the connection; calls in progress fail with `reason`.
  func drop(_ reason: Status) {
    let context = context
    end(reason)
    context?.close(promise: nil)
  }

  private func end(_ reason: Status) {
    guard !hasEnded else { return }
    hasEnded = true
    context = nil
    output.close()
    deadlines.cancel()
    for call in streams.closeAll() { call.fail(AttemptFailure(status: reason, fate: .unknown)) }
    endBurst()
    subchannel.connectionEnded(self, reason)
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) {
    // The connection may have been closed before there was a socket.
    guard !hasEnded else { return context.close(promise: nil) }
    self.context = context
    closed = context.channel.closeFuture
    output.open(context)
  }

  /// A connection that was refused was never active, and so does not become inactive; it must release its channel here.
  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    output.close()
  }

  func channelActive(context: ChannelHandlerContext) {
    if case .connected = opening { subchannel.connectionOpened(self) }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.handshakeCompleted) = event as? TLSUserEvent, case .handshakeCompleted(let name) = opening {
      guard isServer(name, context) else {
        return errorCaught(context: context, error: NIOSSLError.unableToValidateCertificate)
      }
      subchannel.connectionOpened(self)
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Whether the server's certificate, which the handshake has verified, is for the expected name.
  private func isServer(_ name: String?, _ context: ChannelHandlerContext) -> Bool {
    guard let name else { return true }
    // A certificate that cannot be read is for no name.
    guard let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate() else { return false }
    return ServerName.isCarried(name, by: certificate)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(Status.connectionLost)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(Status.unreachable("The connection failed: \(error)"))
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // A write that fails within a read makes the channel drain its socket at once; it closes next.
    guard !isReading else { return }
    isReading = true
    defer { isReading = false }
    if !isInBurst {
      isInBurst = true
      executor.beginBurst()
    }
    readCount += 1
    reader.read(unwrapInboundIn(data), take)
  }

  // MARK: Reading

  /// Whether reading is paused because a caller does not read.
  var isPaused: Bool { !pausing.isEmpty }

  /// Stops reading until the stream's caller has caught up.
  func pauseReading(for streamID: UInt32) { pausing.insert(streamID) }

  func resumeReading(for streamID: UInt32) {
    guard pausing.remove(streamID) != nil, pausing.isEmpty else { return }
    // The server may have sent a sign of life meanwhile.
    readCount += 1
    guard wantsRead else { return }
    wantsRead = false
    context?.read()
  }

  func read(context: ChannelHandlerContext) {
    if isPaused { wantsRead = true } else { context.read() }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    roomChanged()
    endBurst()
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    isWritable = context.channel.isWritable
    if isWritable {
      output.becameWritable()
      roomChanged()
    }
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
    case .oversize(let header), .overBudget(let header):
      if let call = streams.call(header.streamID) { giveUp(call, Status.tooLarge(Int(header.length))) }
    case .unskippable: context?.close(promise: nil)
    }
    return context != nil
  }

  /// Handles a frame; frames for unknown stream ids are ignored.
  private func receive(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    switch header.type {
    case .data: receiveData(header, body)
    case .response:
      if let call = streams.close(header.streamID) { return receiveResponse(call, body) }
      if let notice = GoAway.read(header, body, arena) { retire(notice) }
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
    let response: ResponseEnvelope
    do {
      response = try ResponseEnvelope(body, in: arena)
    } catch {
      return call.fail(Status(.internal, "The server sent a malformed response"))
    }
    if let failure = response.failure { return receiveFailure(call, failure) }
    call.succeed(response.payload, arena)
  }

  private func receiveFailure(_ call: ClientCall, _ status: Status) {
    guard status.isDraining else { return call.fail(status) }
    retire(status)
    if call.canStartAgain { startAgain(call) } else { call.fail(status) }
  }
}

extension Status {
  /// The connection was lost during the call; whether the call took effect is unknown.
  static let connectionLost = Status.unreachable("The connection to the server was lost")
}

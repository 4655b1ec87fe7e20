import Logging
import LoopExecutor
import NIOCore
import NIOSSL
import NIOTLS
import ProtobufC
import TTRPC
import TTRPCConnection
import TTRPCFrames
import Tracing

/// One client's connection: receives frames, runs calls, sends responses.
///
/// Bytes are decoded in place, handlers start while their read is still being processed, and the responses of the whole
/// burst leave by one write. Nothing here waits: a handler that does runs on, and its response joins a later burst.
///
/// One file holds its state and how that is read and admitted, because those share properties that nothing else may
/// touch; what frames do, whose places calls take and how it drains are extensions beside it.
///
/// `@unchecked Sendable`: everything mutable is touched only on `executor.loop`; other threads come in by
/// `loop.execute`.
final class ServerConnection: ChannelInboundHandler, ChannelOutboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let executor: LoopExecutor
  /// The lane in which its calls run, in turns with those of other clients.
  private(set) var lane: LoopLane
  let output: FrameOutput
  let interceptors: [any ServerInterceptor]
  /// Records calls as spans; `nil` records none.
  let tracer: (any Tracer)?
  let load: ServerLoad
  private let router: Router
  let limits: RPCServer.Limits
  private let logger: Logger
  let arena: Arena
  /// The budget of the bytes received.
  private(set) var budget: ByteBudget
  /// The client that the connection's own bytes are counted against, and its calls until they authenticate another.
  private var principal: PrincipalHold { didSet { ownPrincipal = principal.principal } }
  /// The principal of `principal`, and the places of `load`, at hand because each call needs them.
  private(set) var ownPrincipal: Principal
  private let places: CallPlaces
  /// The caller of the last call that authenticated one.
  var lastCaller: PrincipalHold?
  /// The clients of a gateway that have called last, by name.
  var callers: [PrincipalName: PrincipalHold] = [:]
  /// What of the unsent responses is whose, where the clients of a gateway share the connection.
  var unsentShares = UnsentShares()

  var context: ChannelHandlerContext?
  private(set) var client: ConnectedClient
  /// Whether the connection counts against a service, not an address.
  private(set) var hasServiceShare = false
  /// Has the connection's handshake wait for its client's turn, until it is over.
  var handshakeGate: HandshakeGate?
  /// Called once the connection has proved to be a service's.
  var provedService: (() -> Void)?
  private var serviceOfCertificate: (@Sendable ([UInt8]) -> String?)?
  private(set) var reader: FrameReader
  private var age: ConnectionAge
  var life: ConnectionLife
  var streams = ServerStreams<ServerCall>()
  /// Calls whose handlers have not returned, whether or not they were answered.
  private(set) var callsAtWork = 0
  private var deadlines: DeadlineTimer
  private var isInBurst = false
  var pump = ReadPump()
  /// When the bytes that are being processed arrived.
  private var arrival = NIODeadline.now()
  /// When their processing began, or was resumed.
  private var workBegan = NIODeadline.now()
  /// The timer for the end of the client's time to act on the notice that the server stops.
  var noticeTimer: Scheduled<Void>?
  /// Frames handled of the read that is being processed.
  private var framesOfRead = 0

  /// Bytes in each direction that a connection may hold before they count against the server's.
  private static let allowance = 16_384

  init(
    executor: LoopExecutor, arena: Arena, router: Router, interceptors: [any ServerInterceptor],
    tracer: (any Tracer)?, load: ServerLoad, network: ClientNetwork, hasHandshake: Bool = false, logger: Logger
  ) {
    self.executor = executor
    self.arena = arena
    self.router = router
    self.interceptors = interceptors
    self.tracer = tracer
    self.load = load
    self.logger = logger
    client = ConnectedClient(address: "unknown", network: network, logger: logger)
    limits = load.limits
    life = ConnectionLife(hasHandshake: hasHandshake)
    deadlines = DeadlineTimer(loop: executor.loop)
    principal = load.principals.hold(.address(network))
    ownPrincipal = principal.principal
    lane = ownPrincipal.lane(on: executor)
    places = load.places
    let (unread, unsent) = Self.budgets(limits, of: principal.principal)
    output = FrameOutput(executor: executor, arena: arena, budget: unsent)
    budget = unread
    reader = FrameReader(longest: limits.messageBytes, budget: budget)
    age = ConnectionAge(limits, began: .now())
  }

  /// The budgets of the bytes that a connection is sent, and of those that it sends.
  private static func budgets(
    _ limits: RPCServer.Limits, of principal: Principal
  ) -> (unread: ByteBudget, unsent: ByteBudget) {
    (
      ByteBudget(limit: limits.unreadBytesPerConnection, allowance: allowance, within: principal.bytes),
      ByteBudget(limit: limits.unsentBytesPerConnection, allowance: allowance, within: principal.bytes)
    )
  }

  /// Sets how the service of the peer's certificate is found, once the handshake has verified it. Before the connection
  /// is active.
  func knowsServices(by serviceOfCertificate: @escaping @Sendable ([UInt8]) -> String?) {
    self.serviceOfCertificate = serviceOfCertificate
  }

  // MARK: The channel's life

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    output.open(context)
    if context.channel.isActive { perform(life.becameActive(at: .now())) }
    guard let address = context.remoteAddress, let host = address.ipAddress else { return }
    client = ConnectedClient(
      address: "\(host):\(address.port ?? 0)", network: ClientNetwork(address), logger: logger)
  }

  /// A connection that was accepted while the server stopped is notified here: before it was active it could not be.
  func channelActive(context: ChannelHandlerContext) {
    perform(life.becameActive(at: .now()))
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    life.disconnected()
    output.close()
    deadlines.cancel()
    noticeTimer?.cancel()
    _ = takeHeld()
    for call in streams.calls { call.abandon() }
    endBurst()
    context.fireChannelInactive()
  }

  /// A channel that closes without having been active does not become inactive; it must be released here.
  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    output.close()
    reader.close()
  }

  /// A client that closes even its sending half has disconnected: its calls are cancelled and the connection closed.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent { return close() }
    if case .some(.handshakeCompleted) = event as? TLSUserEvent {
      identifyPeer(context)
      perform(life.handshakeCompleted(at: .now()))
      handshakeGate?.open()
      handshakeGate = nil
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func identifyPeer(_ context: ChannelHandlerContext) {
    guard let serviceOfCertificate else { return }
    do {
      let certificate = try context.pipeline.syncOperations.nioSSL_peerCertificate()
      let service = try certificate.flatMap { serviceOfCertificate(try $0.toDERBytes()) }
      client = ConnectedClient(
        address: client.address, network: client.network, service: service, logger: logger)
      if let service, load.services?.contains(service) ?? true { belongs(to: service) }
    } catch {
      // Without a name it belongs to no service, and its calls are refused accordingly.
      logger.warning("client certificate not readable", metadata: ["peer": "\(client.address)", "cause": "\(error)"])
    }
  }

  /// Counts what is received from now on, nothing having been received before, against a service.
  private func belongs(to service: String) {
    hasServiceShare = true
    provedService?()
    provedService = nil
    principal = load.principals.hold(.service(service))
    lane = ownPrincipal.lane(on: executor)
    let (unread, unsent) = Self.budgets(limits, of: principal.principal)
    budget = unread
    reader = FrameReader(longest: limits.messageBytes, budget: unread)
    output.count(against: unsent)
  }

  /// The lane of the client of a place: a gateway's clients have one each.
  func lane(of place: CallPlace) -> LoopLane {
    guard hasServiceShare, case .of(let hold) = place else { return lane }
    return hold.principal.lane(on: executor)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    logger.debug("connection failed", metadata: ["peer": "\(client.address)", "cause": "\(error)"])
    close()
  }

  func close() {
    context?.close(promise: nil)
  }

  func close(because limit: ServerLimit) {
    load.refused(limit)
    logger.debug("connection closed", metadata: ["peer": "\(client.address)", "reason": "\(limit.rawValue)"])
    close()
  }

  /// Closes the connection when it has exceeded one of its time limits.
  func checkAge(_ now: NIODeadline) {
    guard context != nil else { return }
    let (unsent, taken) = output.countUnsent()
    let sample = ConnectionAge.Sample(
      isSecured: life.isSecured, isPlain: !life.hasHandshake, hasCalls: !streams.isEmpty, unsent: unsent, taken: taken,
      unfinishedFrame: reader.isInFrame && !pump.wantsRead ? reader.frames : nil, received: reader.received)
    if let limit = age.limitMet(by: sample, at: now) { close(because: limit) }
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // A write that fails within a read makes the channel drain its socket at once; it closes next.
    guard !life.isLeaving, !pump.isHandling else { return }
    // TLS may deliver one read of the socket in several pieces.
    if !isInBurst { lane.beginInput(from: self) }
    workThrough(unwrapInboundIn(data))
  }

  /// - Parameters:
  ///   - arrived: when the bytes arrived; `nil` for now.
  ///   - isTurn: whether it is the connection's turn, however much of the loop's time its client has had.
  private func workThrough(_ input: ByteBuffer, arrived: NIODeadline? = nil, isTurn: Bool = false) {
    if pump.isWaiting {
      hold(input, for: .turn)
      return
    }
    workBegan = .now()
    arrival = arrived ?? workBegan
    guard isTurn || lane.hasTimeForInput else { return waitForTurn(with: input) }
    pump.begin()
    beginBurst()
    framesOfRead = 0
    let rest = reader.read(input, take)
    lane.spendOnInput(.now() - workBegan)
    let isAnswerAwaited = isAnswerAwaited
    pump.finish()
    guard let rest else { return }
    guard context != nil else { return reader.close() }
    if isAnswerAwaited { hold(rest, for: .client) } else { waitForTurn(with: rest) }
  }

  private func waitForTurn(with rest: ByteBuffer) {
    hold(rest, for: .turn)
    executor.goOnInTurn(of: lane) { self.workThroughRest(isTurn: true) }
  }

  /// Keeps received bytes that have to wait. They count against the budget, even beyond its limit.
  private func hold(_ rest: ByteBuffer, for wait: ReadPump.Wait) {
    budget.take(regardless: rest.readableBytes)
    pump.hold(rest, for: wait)
  }

  private func takeHeld() -> ByteBuffer? {
    let held = pump.take()
    if let held { budget.give(back: held.readableBytes) }
    return held
  }

  /// Whether to continue with the next frame of a read: not when the connection is closed, nor while its client leaves
  /// failures unread, for a frame of ten bytes is refused in more than a hundred, and a read has thousands; nor when
  /// the read has used up its time, as other clients wait.
  func goesOn() -> Bool {
    guard context != nil, !isAnswerAwaited else { return false }
    framesOfRead += 1
    return !framesOfRead.isMultiple(of: Self.framesPerLook) || .now() < workBegan + executor.quantum
  }

  /// Frames between two readings of the clock.
  private static let framesPerLook = 8

  private var isAnswerAwaited: Bool { pump.hasFailed && output.isBackedUp }

  /// Continues with the rest of a read.
  private func workThroughRest(isTurn: Bool = false) {
    guard !life.isLeaving, let rest = takeHeld() else { return }
    let (isWithinBurst, arrived) = (isInBurst, arrival)
    workThrough(rest, arrived: arrived, isTurn: isTurn)
    if !isWithinBurst { endBurst() }
    readOn()
    if life.isDraining { leaveIfDone() }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    endBurst()
    context.fireChannelReadComplete()
  }

  /// Reading pauses while the client does not read its responses, and while received bytes wait, so that both stay
  /// bounded.
  func read(context: ChannelHandlerContext) {
    if pump.mayRead(isWritable: context.channel.isWritable) { context.read() }
  }

  private func readOn() {
    guard let context, pump.mayReadOn(isWritable: context.channel.isWritable) else { return }
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      // What was written before the notice has been read only now.
      let waited = pump.wantsRead
      output.becameWritable()
      // A connection that waits for its turn does not overtake the others because its client has read some responses.
      if !pump.isWaitingForTurn { workThroughRest() }
      readOn()
      if waited, !pump.wantsRead, life.isDraining { perform(life.caughtUp(at: .now())) }
    }
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

  // MARK: Calls

  func begin(_ header: FrameHeader, _ body: UnsafeRawBufferPointer) {
    let began = arrival
    let streamID = header.streamID
    guard let request = RequestEnvelope(body) else { return refuseCall(.malformed, on: streamID) }
    guard let method = router.method(service: request.service, name: request.method) else {
      return refuseCall(.unknownMethod(request), request, on: streamID)
    }
    let size = body.count + request.metadataPairs * Metadata.pairSize
    let cost = size > Self.ordinaryRequest ? size : 0
    let (place, forwarded): (CallPlace, PrincipalHold?)
    do throws(CallRefusal) { (place, forwarded) = try admit(request, method, cost: cost) } catch {
      return refuseCall(error, request, method, on: streamID)
    }
    let longest = Deadline(began + limits.duration(of: method.descriptor, isService: client.service != nil))
    let deadline = Deadline(timeoutNanoseconds: request.timeoutNanoseconds, from: began).map { min($0, longest) }
    let call = ServerCall(
      header, method: method,
      context: CallContext(method, from: client, metadata: request.metadata, deadline: deadline),
      longest: longest.instant, began: began, cost: cost, place: place, forwarded: forwarded, connection: self)
    call.countReceived(FrameHeader.size + body.count)
    call.begin(request.payload, arena)
    arena.reset()
    guard !call.isEnded else { return }
    // A write of the handler's may have shown that the client has disconnected.
    if self.context == nil { call.abandon() } else { keep(call) }
  }

  private func keep(_ call: ServerCall) {
    call.isKept = true
    streams.open(call.streamID, call, kind: call.method.descriptor.kind, flags: call.flags)
    deadlines.include(call.deadline) { self.expireCalls() }
  }

  /// Bytes of a request that are not charged: below them only the calls are counted.
  static let ordinaryRequest = 1_024

  /// Charges bytes of a call that became known later; false when there is no room.
  ///
  /// - Parameter owner: the budget that they count against beside the connection's.
  func takeMore(_ bytes: Int, of owner: ByteBudget?) -> Bool {
    guard budget.take(bytes) else { return false }
    if owner?.take(bytes) ?? true { return true }
    budget.give(back: bytes)
    return false
  }

  /// The refusal of a message that takes `bytes` of memory when decoded: retrying helps only where it could ever fit.
  func overBudget(by bytes: Int) -> CallRefusal {
    let most = limits.unreadBytesPerConnection
    return bytes > most ? CallRefusal(.messageBytes, .tooLarge(bytes, limit: most)) : .overBudget
  }

  /// Counts a call with the bytes of its request, or throws why it is refused.
  ///
  /// - Returns: whose place it takes, and the address that a gateway names.
  @inline(__always)
  private func admit(
    _ request: RequestEnvelope, _ method: AnyMethod, cost: Int
  ) throws(CallRefusal) -> (place: CallPlace, forwarded: PrincipalHold?) {
    if life.refusesCalls { throw .draining }
    if callsAtWork >= limits.callsPerConnection, !hasServiceShare {
      throw .tooMany(
        .callsPerConnection, "More than \(limits.callsPerConnection) calls are running on this connection")
    }
    guard request.metadataPairs <= limits.metadataPairs, request.metadataBytes <= limits.metadataBytes else {
      throw .metadata(limits)
    }
    guard budget.take(cost) else { throw .overBudget }
    do throws(CallRefusal) {
      let admitted = try takePlace(request, method)
      callsAtWork += 1
      return admitted
    } catch {
      budget.give(back: cost)
      throw error
    }
  }

  /// Refuses a call; what is known of it is counted and logged.
  func refuseCall(
    _ refusal: CallRefusal, _ request: RequestEnvelope? = nil, _ method: AnyMethod? = nil, on streamID: UInt32
  ) {
    method?.metrics.callRefused(refusal.status.code)
    load.refusedCall(refusal, method?.descriptor, from: client.network) {
      refusal.line(request, method?.descriptor, peer: client.address)
    }
    refuse(refusal.status, on: streamID)
  }

  private func expireCalls() {
    let now = NIODeadline.now()
    deadlines.fired(lookingAt: streams.count, now)
    for call in streams.calls where call.deadline <= now { call.expire() }
    if let next = streams.calls.map(\.deadline).min() { deadlines.include(next) { self.expireCalls() } }
  }

  func callEnded(_ call: ServerCall) {
    if call.isKept { streams.close(call.streamID) }
    // Later, because the connection may be in the midst of the read that ended the call.
    if life.isDraining, streams.isEmpty { executor.afterPoll { self.leaveIfDone() } }
  }

  /// Releases what a call took that has ended and whose handler has returned.
  func callIsOver(_ call: ServerCall) {
    callsAtWork -= 1
    budget.give(back: call.cost)
    places.leave()
    call.leavePlace()
  }
}

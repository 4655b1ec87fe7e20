import DequeModule
import LoopExecutor
import NIOCore
import Synchronization
import TTRPC
import TTRPCConnection

/// Distributes calls over the connections of a client in turn, and queues those that have to wait for one.
///
/// Connections whose server reported that it serves come first; only when there is none, the others are used. A call
/// waits, in order and up to its deadline, while connections are being opened or have no room. When there is no
/// connection and every address is backing off, it fails with UNAVAILABLE, unless it asked to wait.
///
/// `@unchecked Sendable`: everything mutable but `mailbox` is touched only on `executor.loop`.
final class LoadBalancer: @unchecked Sendable {
  let executor: LoopExecutor
  private let security: RPCClient.Security
  private let settings: RPCClient.Settings
  private let watch: AddressWatch
  /// The name of the addresses in a failure's message.
  private let target: String
  private var state = State.idle
  private var subchannels: [Subchannel] = []
  /// Connections to addresses that are no longer used, with calls that still run.
  private var leaving: [Subchannel] = []
  private var rotation = RoundRobin<ClientConnection>()
  private var waiting = Deque<ClientCall>()
  private var deadlines: DeadlineTimer

  /// Whether `state` is `running`, for other threads.
  private let isInUse = Atomic(false)
  /// Calls from other threads, which are taken over by one hop to the loop, however many they are.
  private let mailbox = Mutex<[ClientCall]>([])

  /// `running` from the first call on; `closed` for good.
  private enum State {
    case idle
    case running
    case closed
  }

  init(
    _ addresses: [RPCClient.Address], _ security: RPCClient.Security, _ settings: RPCClient.Settings,
    _ resolver: NameResolver, on executor: LoopExecutor
  ) {
    self.executor = executor
    self.security = security
    self.settings = settings
    target = addresses.map(\.description).joined(separator: ", ")
    watch = AddressWatch(addresses, resolver, settings, on: executor.loop)
    deadlines = DeadlineTimer(loop: executor.loop)
  }

  // MARK: Calls, from any thread

  /// Sends the call as soon as there is a connection for it, or fails it.
  func start(_ call: ClientCall) {
    if executor.loop.inEventLoop { return dispatch(call) }
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
    for call in calls { dispatch(call) }
  }

  /// Ends a call whose caller has finished before the server has.
  func leave(_ call: ClientCall) {
    if executor.loop.inEventLoop { return giveUp(call, Status.callEnded) }
    executor.loop.execute { self.giveUp(call, Status.callEnded) }
  }

  /// Ends a call because its caller was cancelled, in whatever state it is.
  func abandon(_ call: ClientCall) {
    executor.loop.execute {
      call.isAbandoned = true
      // Before the call is handed over its caller may not have begun to wait; then `dispatch` fails it.
      if call.isHandedOver { self.giveUp(call, CancellationError()) }
    }
  }

  // MARK: Calls, on the loop

  private func giveUp(_ call: ClientCall, _ reason: any Error) {
    if let connection = call.connection { return connection.giveUp(call, reason) }
    waiting.removeAll { $0 === call }
    call.fail(reason)
  }

  /// Sends the call where there is room, or queues it.
  func dispatch(_ call: ClientCall) {
    call.isHandedOver = true
    guard !call.isAbandoned else { return call.fail(CancellationError()) }
    let now = NIODeadline.now()
    if let deadline = call.deadline, deadline <= now { return call.fail(Status.deadlineExceeded) }
    if waiting.isEmpty, let connection = rotation.next(where: \.hasRoom) { return connection.send(call, now) }
    keep(call)
  }

  private func keep(_ call: ClientCall) {
    guard state != .closed else { return call.fail(Status.clientClosed) }
    guard waiting.count < settings.waitingCalls else { return call.fail(Status.tooManyWaiting(settings.waitingCalls)) }
    begin()
    if !call.options.waitForReady, let outage { return call.fail(outage) }
    waiting.append(call)
    if let deadline = call.deadline { deadlines.include(deadline) { self.expireCalls() } }
    sendWaiting()
  }

  /// Sends queued calls as far as there is room.
  func sendWaiting() {
    while !waiting.isEmpty, let connection = rotation.next(where: \.hasRoom), let call = waiting.popFirst() {
      connection.send(call, .now())
    }
    for connection in rotation.members { connection.isAwaited = !waiting.isEmpty }
  }

  private func expireCalls() {
    let now = NIODeadline.now()
    deadlines.fired(lookingAt: waiting.count, now)
    let expired = waiting.filter { ($0.deadline ?? .distantFuture) <= now }
    waiting.removeAll { ($0.deadline ?? .distantFuture) <= now }
    for call in expired { call.fail(Status.deadlineExceeded) }
    if let next = waiting.compactMap(\.deadline).min() { deadlines.include(next) { self.expireCalls() } }
  }

  // MARK: Connections

  /// Whether there is more than one address to call.
  var hasChoice: Bool { subchannels.contains { $0.address != subchannels[0].address } }

  private func begin() {
    guard state == .idle else { return }
    state = .running
    isInUse.store(true, ordering: .relaxed)
    watch.start { self.addressesChanged() }
  }

  private func addressesChanged() {
    if case .addresses(let addresses) = watch.knowledge { use(addresses) }
    connectionsChanged()
  }

  private func use(_ addresses: [SocketAddress]) {
    let old = subchannels
    let added = addresses.filter { address in !old.contains { $0.address == address } }
      .flatMap { Array(repeating: $0, count: settings.connectionsPerAddress) }
      .map { Subchannel($0, security, settings, of: self, on: executor) }
    subchannels = old.filter { addresses.contains($0.address) } + added
    for subchannel in added { subchannel.connect() }
    leaving.removeAll(where: \.isIdle)
    for subchannel in old where !addresses.contains(subchannel.address) {
      leaving.append(subchannel)
      subchannel.retire()
    }
  }

  /// Adapts to connections that were opened or closed, or changed their health.
  func connectionsChanged() {
    let open = subchannels.filter { $0.connection != nil }
    let serving = open.filter(\.isServing)
    rotation.members = (serving.isEmpty ? open : serving).compactMap(\.connection)
    sendWaiting()
    failHopeless()
  }

  /// Adapts to a connection that failed or was lost: the server's name may have other addresses by now.
  func connectionLost() {
    guard state == .running else { return }
    watch.refresh()
    connectionsChanged()
  }

  private func failHopeless() {
    guard !waiting.isEmpty, let outage else { return }
    let hopeless = waiting.filter { !$0.options.waitForReady }
    waiting.removeAll { !$0.options.waitForReady }
    for call in hopeless { call.fail(outage) }
  }

  /// Why no call can be made at present; `nil` while there is a connection or one is being opened.
  private var outage: AttemptFailure? {
    if case .unresolvable(let reason, let next) = watch.knowledge, subchannels.isEmpty { return outage(reason, next) }
    let outages = subchannels.compactMap(\.outage)
    guard outages.count == subchannels.count, let soonest = outages.min(by: { $0.nextAttempt < $1.nextAttempt }) else {
      return nil
    }
    return outage(soonest.reason, soonest.nextAttempt)
  }

  private func outage(_ reason: String, _ next: NIODeadline) -> AttemptFailure {
    let wait = max((next - .now()).nanoseconds, 0)
    let status = Status.unreachable(
      "There is no connection to \(target): \(reason)", retryAfter: .nanoseconds(wait))
    return AttemptFailure(status: status, fate: .notBegun)
  }

  // MARK: The end

  /// Closes every connection; calls fail from now on. From any thread.
  func close() async {
    let loop = executor.loop
    do {
      try await loop.flatSubmit { EventLoopFuture.andAllComplete(self.shutDown(), on: loop) }.get()
    } catch {
      // Closing what is closed already is what was wanted.
    }
  }

  /// Closes without waiting, unless closed already: for a client that was released without being closed, and would go
  /// on opening connections.
  func closeUnlessClosed() {
    guard isInUse.load(ordering: .relaxed) else { return }
    executor.loop.execute { _ = self.shutDown() }
  }

  /// - Returns: futures that succeed once the sockets are closed.
  private func shutDown() -> [EventLoopFuture<Void>] {
    state = .closed
    isInUse.store(false, ordering: .relaxed)
    watch.stop()
    deadlines.cancel()
    let failed = waiting
    waiting.removeAll()
    rotation.members = []
    for call in failed { call.fail(Status.clientClosed) }
    let closing = (subchannels + leaving).flatMap { $0.close() }
    subchannels = []
    leaving = []
    return closing
  }
}

extension Status {
  static let clientClosed = Status(.cancelled, "The client was closed")

  fileprivate static func tooManyWaiting(_ limit: Int) -> Status {
    Status(
      .resourceExhausted, reason: "CLIENT_QUEUE_FULL",
      "\(limit) calls wait for a connection with room already", retryAfter: .milliseconds(100))
  }
}

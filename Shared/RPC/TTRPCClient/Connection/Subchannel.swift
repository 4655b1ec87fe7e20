import LoopExecutor
import NIOCore
import NIOPosix
import NIOSSL
import SilentPeers
import TTRPC
import TTRPCConnection

/// The connection to one address, which is reopened whenever it is lost. Confined to the event loop of `executor`.
///
/// `@unchecked Sendable`: everything mutable is touched only on `executor.loop`.
final class Subchannel: @unchecked Sendable {
  /// Starts with `idle`. `connecting` becomes `open` or `backingOff`, which becomes `connecting` again; an `open` one
  /// that is lost becomes either. `closed` is final.
  private enum State {
    case idle
    case connecting(ClientConnection, timeout: Scheduled<Void>)
    case open(ClientConnection, since: NIODeadline, HealthProbe?)
    case backingOff(Outage, Scheduled<Void>)
    case closed
  }

  /// Why there is no connection, and when the next attempt begins.
  struct Outage {
    let reason: String
    let nextAttempt: NIODeadline
  }

  let address: SocketAddress
  private let executor: LoopExecutor
  private let security: RPCClient.Security
  private let settings: RPCClient.Settings
  private unowned let balancer: LoadBalancer
  private var state = State.idle
  private var failures = 0
  /// Connections that take no more calls, but still run some.
  private var retired: [ClientConnection] = []
  /// Whether the server reported that it serves.
  private(set) var isServing = false

  init(
    _ address: SocketAddress, _ security: RPCClient.Security, _ settings: RPCClient.Settings, of balancer: LoadBalancer,
    on executor: LoopExecutor
  ) {
    self.address = address
    self.security = security
    self.settings = settings
    self.balancer = balancer
    self.executor = executor
  }

  /// The connection, while there is one that takes calls.
  var connection: ClientConnection? {
    if case .open(let connection, _, _) = state { connection } else { nil }
  }

  /// Why there is no connection; `nil` while there is one or one is being opened.
  var outage: Outage? {
    if case .backingOff(let outage, _) = state { outage } else { nil }
  }

  /// Whether there is no connection in any state.
  var isIdle: Bool {
    switch state {
    case .connecting, .open: false
    case .idle, .backingOff, .closed: retired.isEmpty
    }
  }

  // MARK: Opening

  /// Opens the connection, and keeps it open from now on.
  func connect() {
    let connection = ClientConnection(
      executor: executor, opening: security.opening,
      settings: settings, subchannel: self)
    let limit = TimeAmount.nanoseconds(settings.connectTimeout.nanoseconds)
    let timeout = executor.loop.scheduleTask(in: limit) {
      guard case .connecting(connection, _) = self.state else { return }
      connection.drop(.unreachable("no connection after \(self.settings.connectTimeout)"))
    }
    state = .connecting(connection, timeout: timeout)
    bootstrap(connection).connect(to: address).assumeIsolated().whenFailure { error in
      // Where the connection itself noticed first, it has reported already.
      connection.drop(.unreachable("\(error)"))
    }
  }

  private func bootstrap(_ connection: ClientConnection) -> ClientBootstrap {
    let security = security
    return ClientBootstrap(group: executor.loop)
      // `connect` sets a limit of its own, which includes the handshake.
      .connectTimeout(.hours(1))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .endingSilentConnections()
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4_096, initial: 16_384, maximum: 65_536)
      )
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let handler = try security.handler() { try channel.pipeline.syncOperations.addHandler(handler) }
          try channel.pipeline.syncOperations.addHandler(connection)
        }
      }
  }

  private func backOff(_ reason: Status) {
    failures += 1
    let next = NIODeadline.now() + TimeAmount(settings.reconnecting.delay(after: failures, chance: settings.chance()))
    let attempt = executor.loop.scheduleTask(deadline: next) {
      // A due timer fires even when it was cancelled earlier in the same turn of the loop.
      if case .backingOff = self.state { self.connect() }
    }
    state = .backingOff(Outage(reason: reason.message, nextAttempt: next), attempt)
  }

  // MARK: From the connection

  func connectionOpened(_ connection: ClientConnection) {
    guard case .connecting(connection, let timeout) = state else { return }
    timeout.cancel()
    isServing = false
    let probe = settings.healthCheck.map { check in
      HealthProbe(connection, check) { self.take(isServing: $0, of: connection) }
    }
    state = .open(connection, since: .now(), probe)
    // Where there is no choice of servers, the first call need not wait for a check.
    if balancer.hasChoice { probe?.start() } else { probe?.startLater() }
    balancer.connectionsChanged()
  }

  private func take(isServing: Bool, of connection: ClientConnection) {
    guard case .open(connection, _, _) = state, isServing != self.isServing else { return }
    self.isServing = isServing
    balancer.connectionsChanged()
  }

  /// Handles a connection that takes no more calls: another is opened beside it, later where the server refuses
  /// connections.
  func connectionRetired(_ connection: ClientConnection, _ refusal: Status?) {
    guard case .open(connection, _, let probe) = state else { return }
    probe?.stop()
    retired.append(connection)
    failures = 0
    if let refusal { backOff(refusal) } else { connect() }
    balancer.connectionsChanged()
  }

  func connectionEnded(_ connection: ClientConnection, _ reason: Status) {
    retired.removeAll { $0 === connection }
    switch state {
    case .connecting(connection, let timeout):
      timeout.cancel()
      backOff(reason)
    case .open(connection, let since, let probe):
      probe?.stop()
      // A server that only accepts and disconnects is not contacted again at once.
      let wasOfUse = connection.readCount > 0 && .now() - since >= .nanoseconds(settings.reconnecting.first.nanoseconds)
      if wasOfUse { failures = 0 }
      if wasOfUse { connect() } else { backOff(reason) }
    default: return
    }
    balancer.connectionLost()
  }

  func roomChanged() { balancer.sendWaiting() }

  func startAgain(_ call: ClientCall) { balancer.dispatch(call) }

  // MARK: The end

  /// Takes no more calls and lets those in progress end, because the address is no longer the server's.
  func retire() {
    let old = state
    state = .closed
    stopTimers(of: old)
    switch old {
    case .connecting(let connection, _): connection.drop(.connectionLost)
    case .open(let connection, _, _):
      retired.append(connection)
      connection.retire(nil)
    case .idle, .backingOff, .closed: break
    }
  }

  /// Closes every connection; calls in progress fail.
  ///
  /// - Returns: futures that succeed once the sockets are closed.
  func close() -> [EventLoopFuture<Void>] {
    var connections = retired
    switch state {
    case .connecting(let connection, _), .open(let connection, _, _): connections.append(connection)
    case .idle, .backingOff, .closed: break
    }
    stopTimers(of: state)
    state = .closed
    for connection in connections { connection.drop(.clientClosed) }
    return connections.compactMap(\.closed)
  }

  private func stopTimers(of state: State) {
    switch state {
    case .connecting(_, let timer), .backingOff(_, let timer): timer.cancel()
    case .open(_, _, let probe): probe?.stop()
    case .idle, .closed: break
    }
  }
}

/// Matches a state by the connection that it holds.
private func ~= (pattern: ClientConnection, value: ClientConnection) -> Bool { pattern === value }

extension RPCClient.Security {
  fileprivate var opening: ClientConnection.Opening {
    switch self {
    case .plaintext: .connected
    case .tls(_, let serverName), .renewedTLS(_, let serverName): .handshakeCompleted(serverName: serverName)
    }
  }

  /// The TLS handler of one new connection; `nil` for plaintext.
  fileprivate func handler() throws -> NIOSSLClientHandler? {
    switch self {
    case .plaintext: nil
    case .tls(let context, let serverName): try NIOSSLClientHandler(context: context, serverHostname: serverName)
    case .renewedTLS(let source, let serverName):
      try NIOSSLClientHandler(context: source.context(), serverHostname: serverName)
    }
  }
}

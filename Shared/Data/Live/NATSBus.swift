import Backoff
import Environment
import Logging
import Postgres
import ServiceLifecycle

/// The bus over NATS: one server or a cluster, for many replicas and many messages.
///
/// A batch counts as sent when the server has answered a ping behind it, and is sent again after a reconnection when it
/// has not. A channel is a subject: `tandem.live.` and the name with dashes for its dots, which separate the tokens of
/// a subject.
public final class NATSBus: LiveBus, Service {
  /// Below the server's usual limit of 1 MiB for a message, and above the longest payload.
  private static let frameBytes = LiveLimits.payloadBytes + LiveFrame.headerBytes

  private let servers: [NATSServer]
  private let name: String
  let hub: LiveHub
  private let outbox: LiveOutbox
  private let link: NATSLink
  private let events: NATSEvents
  private let logger: Logger

  /// Describes a bus without connecting; ``run()`` connects.
  ///
  /// - Parameters:
  ///   - servers: tried in turn.
  ///   - name: shown in the server's list of connections.
  public convenience init(
    _ servers: [NATSServer], name: String, randomness: any Randomness, logger: Logger
  ) {
    self.init(servers, name: name, publisher: randomness.uint64(), logger: logger)
  }

  init(
    _ servers: [NATSServer], name: String, publisher: UInt64, sending limits: LiveOutbox.Limits = .init(),
    logger: Logger
  ) {
    precondition(!servers.isEmpty, "a bus needs a server")
    self.servers = servers
    self.name = name
    self.logger = logger
    let metrics = LiveMetrics()
    let link = NATSLink()
    let (ears, hub) = (
      WeakHub(), LiveHub(metrics: metrics, listen: { link.listen(to: $0) }, unlisten: { link.unlisten(to: $0) })
    )
    ears.set(hub)
    events = .immortal(
      heard: { payload, subject in
        guard let channel = NATSSubject.channel(of: subject), let frame = LiveFrame(payload) else { return }
        ears.value?.heard(frame, on: channel)
      }, dropped: { ears.value?.missed($0.flatMap(NATSSubject.channel)) }, closed: { link.lose($0) })
    outbox = LiveOutbox(publisher: publisher, frameBytes: Self.frameBytes, limits: limits, metrics: metrics)
    self.hub = hub
    self.link = link
  }

  public func publish(_ payload: [UInt8], to channel: LiveChannel) { outbox.append(payload, to: channel) }

  public func subscribe(to channel: LiveChannel) -> LiveSubscription { hub.subscribe(to: channel) }

  /// Stays connected and sends what is published until the service stops; then sends the rest, unless NATS is
  /// unavailable, and ends all subscriptions.
  public func run() async throws {
    await withTaskGroup { group in
      group.addTask { await self.stayConnected() }
      await withGracefulShutdownHandler {
        await outbox.send(by: link) { error in
          logger.warning("live messages cannot be sent", metadata: ["cause": "\(error)"])
        }
      } onGracefulShutdown: {
        self.outbox.close()
      }
      group.cancelAll()
    }
    outbox.close()
    hub.end()
  }

  private func stayConnected() async {
    var backoff = Backoff(first: .microseconds(18_750), max: .milliseconds(1_500), jitter: 1.0 / 3)
    var isAway = false
    var turn = 0
    while !Task.isCancelled {
      do {
        let server = servers[turn % servers.count]
        turn += 1
        let (name, events) = (name, events)
        let connection = try await BackgroundThread.run { try NATSConnection(server, name: name, events: events) }
        defer { connection.close() }
        if isAway { logger.info("NATS is back", metadata: ["server": "\(server)"]) }
        isAway = false
        backoff.reset()
        try await follow(connection)
      } catch {
        if Task.isCancelled { return }
        if !isAway { logger.warning("NATS is away", metadata: ["cause": "\(error)"]) }
        isAway = true
      }
      hub.lost()
      // It throws only the cancellation that ends the loop.
      try? await Task.sleep(for: backoff.next())
    }
  }

  /// Passes subscriptions to the server as long as the connection lasts.
  private func follow(_ connection: NATSConnection) async throws {
    link.use(connection)
    defer { link.lose(connection.id) }
    for await _ in link.wakes {
      while let change = try link.nextChange() {
        try await BackgroundThread.run { try connection.apply(change) }
        hub.listening(to: change.listen)
      }
    }
  }
}

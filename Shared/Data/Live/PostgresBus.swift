import Base64
import Environment
import Logging
import LoopExecutor
import Postgres
import ServiceLifecycle

/// The bus over PostgreSQL's `LISTEN` and `NOTIFY`: needs no other server, and is enough for a few replicas.
///
/// Payloads are sent in batches on a connection of their own, because a transaction that notifies holds a lock of the
/// whole server while it commits. A payload that does not fit one notification is sent as several of one transaction,
/// which are delivered together or not at all. One more connection listens. Both are made at their first use, and
/// neither works through a pooler that shares connections between transactions.
public final class PostgresBus: LiveBus, Service {
  /// The longest payload of a notification is 7,999 bytes of text (PostgreSQL manual, NOTIFY); four characters carry three bytes.
  private static let frameBytes = 5_900
  /// Connections that a bus has to the database.
  public static let connections = 2

  let hub: LiveHub
  private let outbox: LiveOutbox
  private let listener: ChannelListener
  private let database: Database
  private let executor: LoopExecutor
  private let logger: Logger

  /// Describes a bus without connecting; ``run()`` connects.
  ///
  /// - Parameter configuration: the database that all processes of the service share.
  /// - Throws: ``PostgresError`` of kind `parameter` when the URL cannot be read.
  public convenience init(
    _ configuration: DatabaseConfiguration, on executor: LoopExecutor, randomness: any Randomness, logger: Logger
  ) throws(PostgresError) {
    try self.init(configuration, on: executor, publisher: randomness.uint64(), logger: logger)
  }

  init(
    _ configuration: DatabaseConfiguration, on executor: LoopExecutor, publisher: UInt64,
    sending limits: LiveOutbox.Limits = .init(), logger: Logger
  ) throws(PostgresError) {
    let metrics = LiveMetrics()
    let ears = Ears()
    let listener = try ChannelListener(configuration, on: executor, logger: logger, observer: ears)
    hub = LiveHub(metrics: metrics, listen: { listener.listen(to: $0) }, unlisten: { listener.unlisten(to: $0) })
    ears.hub.set(hub)
    outbox = LiveOutbox(publisher: publisher, frameBytes: Self.frameBytes, limits: limits, metrics: metrics)
    // Notifications do not survive a crash in any case; a subscriber that reconnects has a gap.
    var sending = configuration
    sending.isDurable = false
    database = try Database(sending, loops: [executor], logger: logger)
    self.listener = listener
    self.executor = executor
    self.logger = logger
  }

  public func publish(_ payload: [UInt8], to channel: LiveChannel) { outbox.append(payload, to: channel) }

  public func subscribe(to channel: LiveChannel) -> LiveSubscription { hub.subscribe(to: channel) }

  /// Sends what is published until the service stops; then sends the rest, unless the database is unavailable, and ends
  /// all subscriptions.
  public func run() async throws {
    await withGracefulShutdownHandler {
      await withTaskExecutorPreference(executor) {
        await outbox.send(by: Notifier(database: database)) { error in
          logger.warning("live messages cannot be sent", metadata: ["cause": "\(error)"])
        }
      }
    } onGracefulShutdown: {
      self.outbox.close()
    }
    outbox.close()
    hub.end()
    listener.close()
    await database.close()
  }

  /// Sends frames as notifications.
  private struct Notifier: LiveCarrier {
    let database: Database

    func send(_ frames: [OutgoingFrame]) async throws {
      try await database.write(Notify(frames))
    }
  }

  /// Receives notifications. Separate from the bus, so that the listener's reference does not keep a released bus
  /// alive.
  private final class Ears: ChannelObserver {
    let hub = WeakHub()

    func listening(to channels: [String]) { hub.value?.listening(to: channels) }

    func lost() { hub.value?.lost() }

    func heard(_ payload: [UInt8], on channel: String) {
      // A notification that is not a frame comes from another program.
      guard let bytes = Base64URL.decode(payload), let frame = LiveFrame(bytes) else { return }
      hub.value?.heard(frame, on: channel)
    }
  }
}

/// Notifies the channels in order, in one transaction.
struct Notify: Statement {
  typealias Row = Void
  static let sql = "select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as frames (channel, payload)"
  let channels: [String]
  let payloads: [String]

  init(_ frames: [OutgoingFrame]) {
    channels = frames.map(\.channel)
    payloads = frames.map { Base64URL.encode($0.frame.bytes) }
  }

  func bind(_ p: inout Parameters) {
    p.append(channels)
    p.append(payloads)
  }
}

extension PostgresBus {
  /// The statements of this module, so that a test can prepare them all.
  static let statements: [any Statement.Type] = [Notify.self]
}

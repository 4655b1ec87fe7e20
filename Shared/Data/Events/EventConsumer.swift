import Backoff
public import Environment
public import Logging
import LoopExecutor
public import Postgres
public import ServiceLifecycle
public import TTRPC
public import TandemEvents

/// The handlers of a service for another's events, each of which takes effect exactly once and in order ([C-9]).
///
/// A consumer has a position in the producer's log, stored in this service's database and moved in the transaction of
/// the effects. It is the service's: however many replicas follow, one of them applies an event and the others skip it.
public struct EventSubscription: Sendable {
  /// Restores the data of a service that has missed events for good: asks the producer for its present state, outside
  /// of any transaction, and returns a closure that stores it in one.
  public typealias Resync =
    @Sendable (ResyncSource) async throws -> (@Sendable (Transaction) async throws -> Void)

  /// What is done with the events of a transaction before their handlers run: locks what all of them lock, in one order.
  /// It runs again where the transaction is repeated, and throws where an event cannot be read.
  public typealias Preparation = @Sendable ([Event], Transaction) async throws -> Void

  /// Where a consumer without a position begins.
  public enum Beginning: Sendable {
    /// With the oldest event that is kept: for a consumer that does not need what happened before.
    case oldestKept
    /// With the first event of the log: where some of the events are gone already, the consumer resyncs.
    case first
  }

  /// The service whose events are followed.
  public let producer: String
  /// Distinguishes the service's consumers of the same producer; empty for the first.
  public let name: String
  public let beginning: Beginning
  /// The handlers of events; several for one type run in this order, each for the whole batch.
  public let handlers: [EventHandler]
  /// What comes before the handlers of a transaction; `nil` for nothing.
  public let preparation: Preparation?
  /// `nil` where missed events need an operator.
  public let resync: Resync?
  /// Whether the resync restores everything that events up to then reported: then parked events are removed, as they
  /// would overwrite newer data. Otherwise they are kept, as their content is nowhere else.
  public let resyncRestoresAll: Bool

  /// - Parameters:
  ///   - name: a-z, 0-9 and `-`.
  ///   - resyncRestoresAll: by default true only for a consumer that begins with the first event, as it depends on every
  ///     event.
  public init(
    of producer: String, name: String = "", beginning: Beginning = .oldestKept, handlers: [EventHandler],
    preparation: Preparation? = nil, resyncRestoresAll: Bool? = nil, resync: Resync? = nil
  ) {
    precondition(!handlers.isEmpty, "a consumer of \(producer) does something")
    self.producer = producer
    self.name = name
    self.beginning = beginning
    self.handlers = handlers
    self.preparation = preparation
    self.resync = resync
    self.resyncRestoresAll = resyncRestoresAll ?? (beginning == .first)
  }
}

/// What a resync reads from and writes to.
public struct ResyncSource: Sendable {
  /// The channel to the producer.
  public let producer: any RPCChannel
  /// The consumer's own database.
  public let database: Database
}

/// Follows another service's events and applies them.
public struct EventConsumer: Service {
  private let plan: EventSubscription
  private let key: CursorKey
  private let client: EventStreamClient
  private let channel: any RPCChannel
  private let database: Database
  private let application: EventApplication
  private let clock: any WallClock
  private let logger: Logger
  private let maxWait: Duration
  private let parkingLook: Duration
  private let watch: EventStreamWatch

  /// - Parameters:
  ///   - service: the service that consumes.
  ///   - channel: the channel to the producer, authenticated as `service`.
  ///   - maxWait: the longest wait between two attempts.
  ///   - look: the interval of checks whether the producer is followed at all.
  ///   - parking: the limits of failing events.
  public init(
    _ plan: EventSubscription, for service: String, through channel: any RPCChannel, database: Database,
    clock: any WallClock, logger: Logger, maxWait: Duration = .seconds(5), look: Duration = .seconds(30),
    parking: ParkingLimits = ParkingLimits()
  ) {
    self.plan = plan
    let key = CursorKey(producer: plan.producer, consumer: plan.name.isEmpty ? service : "\(service).\(plan.name)")
    self.key = key
    client = EventStreamClient(channel: channel)
    self.channel = channel
    self.database = database
    self.clock = clock
    var logger = logger
    logger[metadataKey: "producer"] = "\(key.producer)"
    logger[metadataKey: "consumer"] = "\(key.consumer)"
    self.logger = logger
    self.maxWait = maxWait
    watch = EventStreamWatch(every: look, logger: logger)
    parkingLook = parking.look
    application = EventApplication(
      key, plan, database: database, clock: clock, logger: logger, limits: parking)
  }

  /// Follows the producer until the service stops.
  public func run() async throws {
    let owner = WorkOwner(.background, "events of \(key.producer) for \(key.consumer)")
    await WorkOwner.$ofTask.withValue(owner) { await work() }
  }

  private func work() async {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { await watch.run() }
        group.addTask { await tryParked() }
        await followAlways()
        group.cancelAll()
      }
    }
  }

  private func followAlways() async {
    var backoff = Backoff(first: .milliseconds(20), max: maxWait)
    var failures = FollowFailures()
    var start: EventPosition?
    while !Task.isCancelled {
      do {
        start = try await database.first(CursorOf(key: key))
        defer { watch.ended() }
        try await follow(after: start) {
          watch.began()
          backoff.reset()
          failures.reset()
        }
      } catch is CancellationError {
        return
      } catch let status as Status where status.errorInfo?.reason == Status.eventsGoneReason {
        await resync(from: start ?? .beginning)
      } catch is EventFailure {
        // It was logged with the event.
      } catch {
        let level = failures.level(of: error)
        logger.log(level: level, "events are not followed for now", metadata: ["cause": "\(error)"])
      }
      // It throws only the cancellation that ends the loop.
      do { try await Task.sleep(for: backoff.next()) } catch { return }
    }
  }

  /// Applies parked events when they are due, whether or not the producer is available.
  private func tryParked() async {
    while true {
      // It throws only the cancellation that ends the loop.
      do { try await Task.sleep(for: parkingLook) } catch { return }
      do { try await application.applyParked() } catch {
        // The service as a whole reports that the database is unavailable.
        logger.debug("parked events were not tried", metadata: ["cause": "\(error)"])
      }
    }
  }

  /// Applies the events after the stored position; `nil` is that of a consumer which never received any.
  private func follow(after position: EventPosition?, _ succeeded: () -> Void) async throws {
    var size = BatchSize()
    try await client.run(subscription(start(after: position))) { answer in
      try await application.apply(answer, &size)
      succeeded()
    }
  }

  private func start(after position: EventPosition?) -> Subscription.Start {
    guard let position = position ?? (plan.beginning == .first ? .beginning : nil) else { return .beginning(.oldest) }
    return .after(position.wire)
  }

  private func subscription(_ start: Subscription.Start) -> Subscription {
    let topics = Set(plan.handlers.map(\.topic.name)).sorted()
    return Subscription(consumer: key.consumer, topics: topics, producer: key.producer, start: start)
  }

  // MARK: Resync

  /// The first response has been used, so its stream is over.
  private enum ResyncOutcome: Error {
    case here
    /// Another replica did the resync.
    case elsewhere
  }

  /// Replaces data that are right only up to a position, and continues with the newest events.
  private func resync(from refused: EventPosition) async {
    guard let resync = plan.resync else {
      return logger.error("events were removed before they were followed; this service's data may be wrong")
    }
    logger.warning("events were removed before they were followed; resyncing")
    do {
      // The position is read first: changes while the data are gathered are then received again as events.
      try await client.run(subscription(.beginning(.newest))) { answer in
        let store = try await resync(ResyncSource(producer: channel, database: database))
        let isDone = try await application.replace(
          refused, by: answer, forgettingParked: plan.resyncRestoresAll, store)
        throw isDone ? ResyncOutcome.here : .elsewhere
      }
    } catch let resynced as ResyncOutcome {
      logger.notice(resynced == .here ? "resynced" : "another replica has resynced")
    } catch {
      logger.error("resyncing failed", metadata: ["cause": "\(error)"])
    }
  }
}

/// Which failures to follow a producer are worth a warning.
struct FollowFailures {
  private var count = 0

  /// Begins again, once the producer has answered.
  mutating func reset() { count = 0 }

  /// A failure that nobody else reports is a warning when it is the first, second, fourth, eighth and so on in a row, so that
  /// one that stays does not fill the log. All others are for debugging: ``EventStreamWatch`` tells where following fails for long.
  mutating func level(of error: any Error) -> Logger.Level {
    if Self.isReportedElsewhere(error) { return .debug }
    count += 1
    return count & (count - 1) == 0 ? .warning : .debug
  }

  /// A server that restarts, and a service whose database fails over, say of themselves that they are not ready.
  private static func isReportedElsewhere(_ error: any Error) -> Bool {
    switch error {
    case let status as Status: status.isPassing
    case let error as PostgresError: error.isUnavailable || error.isOverloaded
    default: false
    }
  }
}

import Backoff
public import Environment
public import Logging
public import Postgres
public import ServiceLifecycle
public import TTRPC
import TandemEvents

/// What a service does about another's events, each exactly once and in order ([C-9]).
///
/// A consumer has a position in the other's log, kept in this service's database and moved in the transaction of the effects. It is the
/// service's: however many replicas follow, one of them applies an event and the others find it done.
public struct EventSubscription: Sendable {
  /// What makes a service whole again that missed events for good: asks the producer for what there is now, outside of any transaction,
  /// and gives what then stores it, in one.
  public typealias Resync =
    @Sendable (ResyncSource) async throws -> (@Sendable (Transaction) async throws -> Void)

  /// Where a consumer begins that has no position yet.
  public enum Beginning: Sendable {
    /// With the oldest event that is kept: what happened before is of no use to it.
    case oldestKept
    /// With the first event that there ever was: a service that comes later than the news, and finds some of it gone, resyncs.
    case first
  }

  /// The service that is followed.
  public let producer: String
  /// Sets it apart from the service's other consumers of the same producer; empty for the first.
  public let name: String
  /// Where it begins.
  public let beginning: Beginning
  /// What is done; several for one type are done in this order.
  public let handlers: [EventHandler]
  /// `nil` where only a user can help.
  public let resync: Resync?
  /// Whether the resync gives everything that events told until then: parked ones are forgotten with it, as they would undo what is newer.
  /// Otherwise they are kept, for what they tell is nowhere else.
  public let resyncRestoresAll: Bool

  /// - Parameters:
  ///   - name: a-z, 0-9 and `-`.
  ///   - resyncRestoresAll: by default only for one that begins with the first event, as it depends on that.
  public init(
    of producer: String, name: String = "", beginning: Beginning = .oldestKept, handlers: [EventHandler],
    resyncRestoresAll: Bool? = nil, resync: Resync? = nil
  ) {
    precondition(!handlers.isEmpty, "a consumer of \(producer) does something")
    self.producer = producer
    self.name = name
    self.beginning = beginning
    self.handlers = handlers
    self.resync = resync
    self.resyncRestoresAll = resyncRestoresAll ?? (beginning == .first)
  }
}

/// Whom a resync asks.
public struct ResyncSource: Sendable {
  /// Leads to the producer.
  public let producer: any RPCChannel
  /// The consumer's own.
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
  ///   - service: whose consumer it is.
  ///   - channel: leads to the producer and proves that `service` calls.
  ///   - maxWait: between two attempts, when many have failed.
  ///   - look: how often is looked whether the producer is followed at all.
  ///   - parking: what becomes of events that fail.
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
      key, plan.handlers, database: database, clock: clock, logger: logger, limits: parking)
  }

  /// Follows until the service stops.
  public func run() async throws {
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
    var said: String?
    var start: EventPosition?
    while !Task.isCancelled {
      do {
        start = try await database.first(CursorOf(key: key))
        defer { watch.ended() }
        try await follow(after: start) {
          watch.began()
          backoff.reset()
          said = nil
        }
      } catch is CancellationError {
        return
      } catch let status as Status where status.errorInfo?.reason == Status.eventsGoneReason {
        await resync(from: start ?? .beginning)
      } catch {
        note(error, &said)
      }
      // What is thrown is the cancellation that ends the loop.
      do { try await Task.sleep(for: backoff.next()) } catch { return }
    }
  }

  /// Tries parked events when they are due, whether or not the producer is there.
  private func tryParked() async {
    while true {
      // What is thrown is the cancellation that ends the loop.
      do { try await Task.sleep(for: parkingLook) } catch { return }
      do { try await application.applyParked() } catch {
        // Of a database that is away the service as a whole has its say.
        logger.debug("parked events were not tried", metadata: ["cause": "\(error)"])
      }
    }
  }

  /// Applies what comes after the stored position; `nil` is that of a consumer which never got anything.
  private func follow(after position: EventPosition?, _ succeeded: () -> Void) async throws {
    try await client.run(subscription(start(after: position))) { answer in
      try await application.apply(answer)
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

  /// Logs why a stream ended, once for each reason.
  private func note(_ error: any Error, _ said: inout String?) {
    // What an event does wrong was said already, with the event.
    if error is EventFailure { return }
    let cause = "\(error)"
    let isNews = (error as? Status)?.isPassing != true && cause != said
    logger.log(level: isNews ? .warning : .debug, "events are not followed for now", metadata: ["cause": "\(cause)"])
    said = cause
  }

  // MARK: When events are gone

  /// The first answer has been used.
  private enum ResyncOutcome: Error {
    case here
    /// Another replica was first.
    case elsewhere
  }

  /// Makes the data whole again that were right up to a position, and goes on with the newest.
  private func resync(from refused: EventPosition) async {
    guard let resync = plan.resync else {
      return logger.error("events were removed before they were followed; this service's data may be wrong")
    }
    logger.warning("events were removed before they were followed; resyncing")
    do {
      // The position comes first: what changes while the data are gathered is then told again.
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

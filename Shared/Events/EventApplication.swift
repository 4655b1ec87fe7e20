import Ambient
import Identifiers
import Logging
import Metrics
import Postgres
import TandemEvents

/// An event whose effect failed; it has been logged.
struct EventFailure: Error {}

/// Gives events their effects in this service's database.
struct EventApplication: Sendable {
  private let key: CursorKey
  private let effects: [String: [EventEffect]]
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger
  private let metrics: ConsumerMetrics

  init(_ key: CursorKey, _ effects: [EventEffect], database: Database, clock: any WallClock, logger: Logger) {
    self.key = key
    self.effects = Dictionary(grouping: effects, by: \.type)
    self.database = database
    self.clock = clock
    self.logger = logger
    metrics = ConsumerMetrics(key)
  }

  /// Applies an answer's events, those that this or another replica has not applied, and moves the cursor with them.
  ///
  /// - Throws: ``EventFailure`` when one event fails; what came before it has taken effect then, and nothing that comes after it.
  func apply(_ answer: FollowResponse) async throws {
    guard let end = answer.position.map({ EventPosition($0) }) else { return }
    do {
      try await apply(answer.events, upTo: end)
    } catch let error where answer.events.count > 1 && !(error is CancellationError) {
      // One by one, so that those before the one that failed are not held up by it.
      for event in answer.events { try await apply(alone: event) }
      try await apply([], upTo: end)
    } catch let error where answer.events.count == 1 && !(error is CancellationError) {
      throw failure(error, of: answer.events[0])
    }
    metrics.blocked.record(0)
  }

  private func apply(alone event: Event) async throws {
    do {
      try await apply([event], upTo: event.place)
    } catch let error where !(error is CancellationError) {
      throw failure(error, of: event)
    }
  }

  private func apply(_ events: [Event], upTo end: EventPosition) async throws {
    // Effects use the transaction alone, so they may be repeated: two consumers may need the same rows in different orders.
    let applied = try await database.repeatableTransaction { tx -> [Event] in
      let cursor = try await tx.first(LockedCursor(key: key, now: clock.now)) ?? .beginning
      let fresh = events.filter { $0.place > cursor }
      for event in fresh {
        for effect in effects[event.type] ?? [] { try await effect.apply(event, tx) }
      }
      if end > cursor { try await tx.execute(MoveCursor(key: key, position: end, now: clock.now)) }
      return fresh
    }
    let now = clock.now
    for event in applied { metrics.lag.recordNanoseconds((now - event.occurredAt).nanoseconds) }
    if !applied.isEmpty { metrics.applied.increment(by: applied.count) }
  }

  /// Stores what was rebuilt and goes on after the answer's position, unless another replica has done so meanwhile: what was told since would
  /// take effect again.
  ///
  /// - Parameter refused: after which nothing is known any more; it may be a later one than the answer's, of another log.
  /// - Returns: whether it was done here.
  func replace(
    _ refused: EventPosition, by answer: FollowResponse, _ store: @Sendable (Transaction) async throws -> Void
  ) async throws -> Bool {
    guard let position = answer.position.map({ EventPosition($0) }) else { return false }
    return try await database.transaction { tx in
      guard try await tx.first(LockedCursor(key: key, now: clock.now)) == refused else { return false }
      try await store(tx)
      try await tx.execute(MoveCursor(key: key, position: position, now: clock.now))
      return true
    }
  }

  private func failure(_ error: any Error, of event: Event) -> any Error {
    // A database that is away is nobody's fault here, and the service as a whole has its say about it.
    if let error = error as? PostgresError, error.isUnavailable || error.isOverloaded { return error }
    metrics.failures.increment()
    metrics.blocked.record(1)
    logger.error(
      "an event has no effect; it holds up everything after it and is tried again",
      metadata: [
        "type": "\(event.type)", "position": "\(event.place)", "key": "\(event.key)", "cause": "\(error)",
        "traceparent": "\(event.traceParent)",
      ])
    return EventFailure()
  }
}

/// The handles of one consumer's metrics, made once.
struct ConsumerMetrics: Sendable {
  let applied: Counter
  let failures: Counter
  let lag: Metrics.Timer
  let blocked: Gauge

  init(_ key: CursorKey) {
    let dimensions = [("producer", key.producer), ("consumer", key.consumer)]
    applied = Counter(label: "events_applied", dimensions: dimensions)
    failures = Counter(label: "events_failures", dimensions: dimensions)
    lag = Metrics.Timer(label: "events_lag", dimensions: dimensions)
    blocked = Gauge(label: "events_blocked", dimensions: dimensions)
  }
}

/// What the metrics of events mean.
public enum EventMetrics {
  /// By label.
  public static let descriptions: [String: String] = [
    "events_applied": "Events of another service that took effect here.",
    "events_failures": "Attempts to apply an event that failed.",
    "events_lag": "From an event's happening to its effect here, by the two services' clocks.",
    "events_blocked": "1 while an event that fails holds up all that come after it.",
    "events_removed": "Events that were removed because they are old and everybody has dealt with them.",
  ]
}

extension Duration {
  /// Never negative: the other service's clock may be ahead.
  fileprivate var nanoseconds: Int64 { max(0, wholeMicroseconds) * 1_000 }
}

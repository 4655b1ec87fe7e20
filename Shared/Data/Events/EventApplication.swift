import Backoff
import Environment
import Identifiers
import Logging
import Metrics
import Postgres
import TandemEvents
import Timestamps

/// The effect of an event failed; the failure has been logged.
struct EventFailure: Error {}

/// Applies events to this service's database.
///
/// An event that fails repeatedly is parked, in the transaction that moves the cursor beyond it, and all later ones of
/// its line behind it.
struct EventApplication: Sendable {
  private let key: CursorKey
  private let handlers: [String: [EventHandler]]
  private let preparation: EventSubscription.Preparation?
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger
  private let metrics: ConsumerMetrics
  private let limits: ParkingLimits

  init(
    _ key: CursorKey, _ plan: EventSubscription, database: Database, clock: any WallClock, logger: Logger,
    limits: ParkingLimits
  ) {
    self.key = key
    handlers = Dictionary(grouping: plan.handlers, by: \.type)
    preparation = plan.preparation
    self.database = database
    self.clock = clock
    self.logger = logger
    self.limits = limits
    metrics = ConsumerMetrics(key)
  }

  /// Applies the events of a response that neither this nor another replica has applied, and moves the cursor with
  /// them.
  ///
  /// - Parameter size: how many in one transaction; adapted to how long it takes.
  /// - Throws: ``EventFailure`` when one event fails and is to be tried again before any other; the events before it
  ///   have taken effect then, and none of those after it.
  func apply(_ answer: FollowResponse, _ size: inout BatchSize) async throws {
    guard let end = answer.position.map({ EventPosition($0) }) else { return }
    var rest = answer.events[...]
    repeat {
      let batch = rest.prefix(size.count)
      rest = rest[batch.endIndex...]
      let begun = ContinuousClock.now
      try await apply(batch, upTo: self.end(of: batch, before: rest, end))
      size.adapt(to: ContinuousClock.now - begun, for: batch.count)
    } while !rest.isEmpty
    metrics.blocked.record(0)
  }

  /// The position to move to with a batch: that of its last event, or of the response behind the last batch.
  private func end(
    of batch: ArraySlice<Event>, before rest: ArraySlice<Event>, _ end: EventPosition
  ) -> EventPosition {
    rest.isEmpty ? end : batch.last?.place ?? end
  }

  /// Applies events in one transaction; where that fails, in two halves, and so on, so that an event that fails is alone
  /// in the end and undoes no other.
  private func apply(_ batch: ArraySlice<Event>, upTo end: EventPosition) async throws {
    do {
      return try await commit(batch, upTo: end)
    } catch let error where !batch.isEmpty && !error.isNobodysFault {
      if batch.count > 1 { metrics.splits.increment() }
    }
    guard batch.count > 1 else {
      for event in batch { try await apply(alone: event) }
      return try await commit([], upTo: end)
    }
    let (first, second) = (batch.prefix(batch.count / 2), batch.dropFirst(batch.count / 2))
    try await apply(first, upTo: self.end(of: first, before: second, end))
    try await apply(second, upTo: end)
  }

  /// Applies an event, or parks it after some attempts.
  private func apply(alone event: Event) async throws {
    var (backoff, attempts) = (Backoff(first: .milliseconds(20), max: .seconds(1)), 0)
    while true {
      do {
        return try await commit([event], upTo: event.place)
      } catch let error where !error.isNobodysFault {
        attempts += 1
        if try await park(event, after: attempts, because: error) { return }
      }
      // The wait between two attempts.
      try await Task.sleep(for: backoff.next())
    }
  }

  /// Applies events and moves the cursor, in one transaction.
  private func commit(_ events: ArraySlice<Event>, upTo end: EventPosition) async throws {
    // Effects use the transaction alone, so they may be repeated: two consumers may lock the same rows in different
    // orders.
    let applied = try await database.repeatableTransaction { tx -> [Event] in
      let (cursor, parked) = try await locked(tx)
      let fresh = events.filter { $0.place > cursor && handlers[$0.type] != nil }
      let free = parked == 0 ? fresh : try await parkFollowers(of: fresh, beside: parked, tx)
      try await apply(free, tx)
      if end > cursor { try await tx.execute(MoveCursor(key: key, position: end, now: clock.now)) }
      return free
    }
    note(applied)
  }

  /// Locks the cursor; returns it, and how many events are parked at that time.
  private func locked(_ tx: Transaction) async throws -> (cursor: EventPosition, parked: Int64) {
    // Two statements in one round trip: a part of the first would count what was parked before it waited for another
    // replica.
    let (cursor, parked) = try await tx.rows(LockedCursor(key: key, now: clock.now), CountParkedEvents(key: key))
    return (cursor.first ?? .beginning, parked.first?.waiting ?? 0)
  }

  private func apply(_ events: [Event], _ tx: Transaction) async throws {
    if !events.isEmpty { try await preparation?(events, tx) }
    for group in EventBatch(events).groups {
      for effect in handlers[group.type] ?? [] { try await effect.apply(group.events, tx) }
    }
  }

  private func note(_ applied: [Event]) {
    let now = clock.now
    for event in applied {
      // An event without a time has no effect.
      if let occurredAt = event.occurTime.flatMap({ Instant(valid: $0) }) {
        metrics.lag.recordNanoseconds((now - occurredAt).nanoseconds)
      }
    }
    if !applied.isEmpty { metrics.applied.increment(by: applied.count) }
  }

  /// Stores the result of a resync and moves the cursor to the response's position, unless another replica has done so
  /// meanwhile: events since then would take effect again.
  ///
  /// - Parameters:
  ///   - refused: the position after which events are missing; it may be after the response's, in another log.
  ///   - forgettingParked: whether the result includes the effects of parked events.
  /// - Returns: whether it was stored here.
  func replace(
    _ refused: EventPosition, by answer: FollowResponse, forgettingParked: Bool,
    _ store: @Sendable (Transaction) async throws -> Void
  ) async throws -> Bool {
    guard let position = answer.position.map({ EventPosition($0) }) else { return false }
    return try await database.transaction { tx in
      guard try await tx.first(LockedCursor(key: key, now: clock.now)) == refused else { return false }
      try await store(tx)
      if forgettingParked { try await forgetParked(tx) }
      try await tx.execute(MoveCursor(key: key, position: position, now: clock.now))
      return true
    }
  }

  /// Removes all parked events, and logs how many there were.
  private func forgetParked(_ tx: Transaction) async throws {
    guard let count = try await tx.first(DeleteParkedEvents(key: key)), count > 0 else { return }
    tx.afterCommit { [logger] in
      logger.notice("parked events were forgotten; the resync gave what they told", metadata: ["count": "\(count)"])
    }
  }

  // MARK: Failures

  /// Records that an event failed, and parks it once it has failed often enough.
  ///
  /// - Returns: whether it is parked.
  /// - Throws: ``EventFailure`` when it can be neither applied nor parked.
  private func park(_ event: Event, after count: Int, because error: any Error) async throws -> Bool {
    metrics.failures.increment()
    metrics.blocked.record(1)
    let cause = "\(error)"
    if count == 1 {
      log(.error, "an event has no effect; it holds up everything after it and is tried again", event, cause)
    }
    do {
      if let refusal = error as? ParkingRefusal { throw refusal }
      guard count >= limits.attemptsBefore else { return false }
      try await park(event, cause, Int32(clamping: count))
    } catch let refusal as ParkingRefusal {
      log(.error, "an event cannot be put aside; it holds up everything after it: \(refusal)", event, cause)
      throw EventFailure()
    }
    metrics.blocked.record(0)
    log(.error, "an event is parked; it is tried again from time to time, and later ones of its key wait", event, cause)
    return true
  }

  private func log(_ level: Logger.Level, _ message: Logger.Message, _ event: Event, _ cause: String) {
    logger.log(
      level: level, message,
      metadata: [
        "type": "\(event.type)", "position": "\(event.place)", "key": "\(event.key)", "cause": "\(cause)",
        "traceparent": "\(event.traceParent)",
      ])
  }

  /// Parks an event that failed, and moves the cursor behind it.
  private func park(_ event: Event, _ failure: String, _ count: Int32) async throws {
    let parking = try ParkEvents(
      [event], of: key, attempts: count, failure: failure, wait: limits.wait(after: count))
    try await database.repeatableTransaction { tx in
      let (cursor, parked) = try await locked(tx)
      guard event.place > cursor else { return }
      if parked >= limits.events { throw ParkingRefusal.full }
      try await tx.execute(parking)
      try await tx.execute(MoveCursor(key: key, position: event.place, now: clock.now))
    }
  }

  /// Parks the events that belong behind parked ones, and returns the others.
  ///
  /// - Throws: ``ParkingRefusal`` when too many would be parked.
  private func parkFollowers(of events: [Event], beside parked: Int64, _ tx: Transaction) async throws -> [Event] {
    let lines = Set(events.map { EventLine($0) })
    let rows = try await tx.rows(ParkedLines(key: key, lines: Array(lines)))
    var counts = Dictionary(rows.map { ($0.line, $0.count) }, uniquingKeysWith: max)
    let followers = events.filter { counts[EventLine($0)] != nil }
    if followers.isEmpty { return events }
    for event in followers { counts[EventLine(event), default: 0] += 1 }
    guard parked + Int64(followers.count) <= limits.events, counts.values.allSatisfy({ $0 <= limits.eventsOfKey })
    else {
      throw ParkingRefusal.full
    }
    try await tx.execute(try ParkEvents(followers, of: key))
    return events.filter { counts[EventLine($0)] == nil }
  }

  // MARK: Parked events

  /// Applies the parked events that are due, until none is.
  func applyParked() async throws {
    let count = try await database.first(CountParkedEvents(key: key))
    metrics.parked.record(count?.waiting ?? 0)
    metrics.skipped.record(count?.skipped ?? 0)
    guard (count?.waiting ?? 0) > 0 else { return }
    while try await applyOneParked() { try Task.checkCancellation() }
  }

  /// - Returns: whether one was due.
  private func applyOneParked() async throws -> Bool {
    let tried = Tried()
    do {
      let applied = try await database.repeatableTransaction { tx -> Event? in
        tried.parked = nil
        // The cursor's lock keeps events of the same key from overtaking, and other replicas from trying too.
        _ = try await tx.first(LockedCursor(key: key, now: clock.now))
        guard let id = try await tx.first(DueParkedEvent(key: key)),
          let row = try await tx.first(LockedParkedEvent(id: id))
        else { return nil }
        let event = try Event(serialized: row.event)
        tried.parked = (id, row.attempts, event)
        try await apply([event], tx)
        try await tx.execute(DeleteParkedEvent(id: id))
        return event
      }
      guard let applied else { return false }
      note([applied])
      log(.notice, "a parked event has taken effect", applied, "")
    } catch let error where !error.isNobodysFault {
      guard let (id, attempts, event) = tried.parked else { throw error }
      metrics.failures.increment()
      let (cause, wait) = ("\(error)", limits.wait(after: attempts + 1))
      try await database.write(NoteParkedFailure(id: id, attempts: attempts, failure: cause, wait: wait))
      log(.warning, "a parked event has failed again; `tandem events skip` leaves it out", event, cause)
    }
    return true
  }

  /// The parked event that a failed transaction was for.
  private final class Tried {
    var parked: (id: UUID7, attempts: Int32, event: Event)?
  }
}

extension Error {
  /// Whether the error is not caused by an event: the task was cancelled, or the database is unavailable, which the
  /// service as a whole reports.
  fileprivate var isNobodysFault: Bool {
    if let error = self as? PostgresError { return error.isUnavailable || error.isOverloaded }
    return self is CancellationError
  }
}

/// The handles of one consumer's metrics.
struct ConsumerMetrics: Sendable {
  let applied: Counter
  let failures: Counter
  let splits: Counter
  let lag: Metrics.Timer
  let blocked: Gauge
  let parked: Gauge
  let skipped: Gauge

  init(_ key: CursorKey) {
    let dimensions = [("producer", key.producer), ("consumer", key.consumer)]
    applied = Counter(label: "events_applied", dimensions: dimensions)
    failures = Counter(label: "events_failures", dimensions: dimensions)
    splits = Counter(label: "events_batch_splits", dimensions: dimensions)
    lag = Metrics.Timer(label: "events_lag", dimensions: dimensions)
    blocked = Gauge(label: "events_blocked", dimensions: dimensions)
    parked = Gauge(label: "events_parked", dimensions: dimensions)
    skipped = Gauge(label: "events_skipped", dimensions: dimensions)
  }
}

/// The metrics of events.
public enum EventMetrics {
  /// The description of each metric, by its label.
  public static let descriptions: [String: String] = [
    "events_applied": "Events of another service that took effect here.",
    "events_failures": "Attempts to apply an event that failed.",
    "events_batch_splits": "Batches of events that failed and were applied in halves.",
    "events_lag": "From an event's happening to its effect here, by the two services' clocks.",
    "events_blocked": "1 while an event that fails holds up all that come after it.",
    "events_parked": "Events that failed, and later ones of their keys, while others pass them by.",
    "events_skipped": "Events that an operator had left out.",
    "events_removed": "Events that were removed because they are old and everybody has dealt with them.",
  ]
}

extension Duration {
  /// Never negative: the other service's clock may be ahead.
  fileprivate var nanoseconds: Int64 { min(max(0, wholeMicroseconds), .max / 1_000) * 1_000 }
}

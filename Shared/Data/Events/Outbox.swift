public import Environment
public import Live
public import Postgres
public import ProtobufC
import TTRPC

/// Publishes a service's events: an event is written in the transaction of the change, or not at all.
public struct Outbox: Sendable {
  private let live: any LiveBus
  private let channel: LiveChannel
  private let clock: any WallClock
  private let isOpen: @Sendable () -> Bool

  /// The outbox of `service`; `live` wakes its followers.
  ///
  /// - Parameter isOpen: whether events are known to be numbered above all earlier ones, see ``EventEpochs``.
  public init(
    of service: String, live: any LiveBus, clock: any WallClock, isOpen: @escaping @Sendable () -> Bool = { true }
  ) {
    self.live = live
    self.clock = clock
    self.isOpen = isOpen
    channel = .events(of: service)
  }

  /// Writes `event` in `tx`; its commit wakes the followers.
  ///
  /// Events of one key are in the order in which they are published by transactions that wait for each other, by a lock
  /// on the key's row for example.
  /// - Throws: ``PostgresError`` with `40001`, for which the transaction has to be run again, when a later transaction
  ///   has already published an event of the key: the log is in the order of transactions, and this one began before
  ///   the other and waited for it. An unavailable one, when the service has only just started.
  public func publish<E: PublishedEvent>(_ event: E, in tx: Transaction) async throws {
    try expectOpen()
    try Self.expectPublished(try await tx.first(row(event)))
    wake(after: tx)
  }

  /// Writes two events in `tx`, in this order and in one round trip; otherwise like ``publish(_:in:)``.
  public func publish<First: PublishedEvent, Second: PublishedEvent>(
    _ first: First, _ second: Second, in tx: Transaction
  ) async throws {
    try expectOpen()
    let (one, other) = try await tx.rows(row(first), row(second))
    try Self.expectPublished(one.first)
    try Self.expectPublished(other.first)
    wake(after: tx)
  }

  /// Runs `change` and then writes `event` in `tx`, in one round trip; otherwise like ``publish(_:in:)``.
  ///
  /// - Returns: the rows of `change`. Where they say that it changed nothing, the caller has to throw: the event is written.
  public func publish<E: PublishedEvent, Change: Statement>(
    _ event: E, after change: Change, in tx: Transaction
  ) async throws -> [Change.Row] {
    try expectOpen()
    let (rows, published) = try await tx.rows(change, row(event))
    try Self.expectPublished(published.first)
    wake(after: tx)
    return rows
  }

  /// Runs `change` and then writes two events in `tx`, in this order and in one round trip; otherwise like ``publish(_:after:in:)``.
  public func publish<First: PublishedEvent, Second: PublishedEvent, Change: Statement>(
    _ first: First, _ second: Second, after change: Change, in tx: Transaction
  ) async throws -> [Change.Row] {
    try expectOpen()
    let (rows, one, other) = try await tx.rows(change, row(first), row(second))
    try Self.expectPublished(one.first)
    try Self.expectPublished(other.first)
    wake(after: tx)
    return rows
  }

  /// Writes events in `tx`, in this order and in few round trips; otherwise like ``publish(_:in:)``.
  public func publish<E: PublishedEvent>(each events: [E], in tx: Transaction) async throws {
    guard !events.isEmpty else { return }
    try expectOpen()
    for published in try await tx.rows(each: events.map { row($0) }) { try Self.expectPublished(published.first) }
    wake(after: tx)
  }

  private func row<E: PublishedEvent>(_ event: E) -> InsertEvent {
    InsertEvent(
      topic: E.topic.name, key: event.eventKey, type: E.protobufName, payload: event.serialized(),
      occurredAt: clock.now, traceParent: CurrentTrace.traceparent)
  }

  private func expectOpen() throws {
    if isOpen() { return }
    // The error of a database that is starting.
    throw PostgresError(
      kind: .unavailable, sqlState: "57P03", message: "the service has yet to look how events are numbered",
      table: "events")
  }

  private static func expectPublished(_ id: InsertEvent.Row?) throws {
    guard id == nil else { return }
    throw PostgresError(
      sqlState: .serializationFailure, message: "a later transaction has published an event of the same key",
      table: "events")
  }

  private func wake(after tx: Transaction) {
    tx.afterCommit { [live, channel] in live.publish([], to: channel) }
  }
}

extension LiveChannel {
  /// The channel on which followers of a service's events are woken.
  static func events(of service: String) -> LiveChannel { LiveChannel("\(service).events") }
}

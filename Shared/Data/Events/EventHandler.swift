import GoogleProtobuf
public import Identifiers
public import Postgres
public import ProtobufC
public import TandemEvents
import Timestamps

/// An event as its consumer receives it.
public struct ReceivedEvent<Message: Sendable>: Sendable {
  /// The event itself.
  public let message: Message
  /// Its position in the producer's log.
  public let position: EventPosition
  /// The key: the id of the one thing that it happened to.
  public let key: String
  /// When it happened, by the producer's clock.
  public let occurredAt: Instant
  /// The trace of the call that caused it, as W3C's `traceparent`.
  public let traceParent: String?
}

/// What a consumer does with one type of event.
public struct EventHandler: Sendable {
  let topic: EventTopic
  let type: String
  let apply: @Sendable ([Event], Transaction) async throws -> Void

  /// Applies events of the type one by one: for those that are rare.
  ///
  /// - Parameter effect: changes this service's database, by the transaction alone: it also moves the consumer's
  ///   cursor, and so the effect happens exactly once. It must not call other services. An error is logged, and the
  ///   event tried again until it succeeds or an operator skips it; until then no later event of its key takes effect.
  public init<E: PublishedEvent>(
    of type: E.Type, _ effect: @escaping @Sendable (ReceivedEvent<E>, Transaction) async throws -> Void
  ) {
    self.init(batchesOf: type) { events, tx in
      for event in events { try await effect(event, tx) }
    }
  }

  /// Applies several events of the type at a time, those of one key in the order in which they happened.
  ///
  /// - Parameter effect: as of the other initializer, but for one or more events together: best by one statement with
  ///   arrays as its parameters, else by ``Postgres/Transaction/rows(each:)``. An error undoes the effect of all; they
  ///   are then applied in ever smaller batches until the event that fails is alone.
  public init<E: PublishedEvent>(
    batchesOf type: E.Type, _ effect: @escaping @Sendable ([ReceivedEvent<E>], Transaction) async throws -> Void
  ) {
    topic = E.topic
    self.type = E.protobufName
    apply = { events, tx in try await effect(try events.map { try ReceivedEvent($0) }, tx) }
  }
}

extension ReceivedEvent where Message: PublishedEvent {
  /// Reads an event that another service published.
  ///
  /// - Throws: when the payload is not a message of the type, or the time is out of range.
  public init(_ event: Event) throws {
    self.init(
      message: try Message(serialized: event.payload), position: event.place, key: event.key,
      occurredAt: try event.occurredAt, traceParent: event.traceParent.isEmpty ? nil : event.traceParent)
  }
}

extension Event {
  var place: EventPosition { position.map { EventPosition($0) } ?? .beginning }

  /// When it happened.
  var occurredAt: Instant {
    get throws(TimeOutOfRange) { try Instant(wire: occurTime ?? Timestamp()) }
  }
}

import Identifiers
import Postgres
import TandemEvents

/// How events that fail are parked, and how many at most.
public struct ParkingLimits: Sendable {
  /// Attempts at an event before it is parked; all other events wait meanwhile, about half a second in all.
  public var attemptsBefore = 5
  /// Parked events of one key.
  public var eventsOfKey: Int64 = 1_000
  /// Parked events of one consumer. At this limit, as at the one of a key, the position stays where it is, and the
  /// producer keeps later events.
  public var events: Int64 = 10_000
  /// Between two checks whether a parked event is due.
  public var look = Duration.seconds(2)
  /// Before the first attempt at a parked event; each further wait is twice as long.
  public var shortestWait = Duration.seconds(1)
  /// The longest of these waits.
  public var maxWait = Duration.seconds(300)

  public init() {}

  /// How long to wait after `attempts` attempts in all.
  func wait(after attempts: Int32) -> Duration {
    let doublings = min(max(Int(attempts) - attemptsBefore, 0), 20)
    return min(shortestWait * (1 << doublings), maxWait)
  }
}

/// Why an event cannot be parked.
struct ParkingRefusal: Error, CustomStringConvertible {
  let description: String

  static let full = ParkingRefusal(description: "too many events wait already for others of their keys")
  static let tooLong = ParkingRefusal(description: "it is too long to be kept")
}

/// A topic and a key: the events of one are applied in order.
struct EventLine: Hashable, Sendable {
  let topic: String
  let key: String

  init(_ event: Event) {
    (topic, key) = (Self.storable(event.topic), Self.storable(event.key))
  }

  init(topic: String, key: String) { (self.topic, self.key) = (topic, key) }

  /// The longest text that is stored of an event, in bytes.
  private static let maxLength = 200

  /// The text as PostgreSQL can store it. No correct log has other texts; a broken producer must not break this
  /// consumer.
  static func storable(_ text: String) -> String {
    if text.utf8.count <= maxLength, !text.utf8.contains(0) { return text }
    var bytes = 0
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }.prefix { scalar in
          bytes += UTF8.width(scalar)
          return bytes <= maxLength
        }))
  }

  /// A text that PostgreSQL can store, of any length.
  static func withoutZeros(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : text
  }
}

// MARK: Statements

extension ParkedLines {
  init(key: CursorKey, lines: [EventLine]) {
    self.init(
      producer: key.producer, consumer: key.consumer, topics: lines.map(\.topic), keys: lines.map(\.key))
  }
}

extension ParkedLines.Row {
  var line: EventLine { EventLine(topic: topic, key: key) }
}

extension ParkEvents {
  /// The longest event that is stored, in bytes: twice the limit of a log.
  static let maxLength = 131_072

  /// - Throws: for an event that is too long.
  init(
    _ events: [Event], of key: CursorKey, attempts: Int32 = 0, failure: String? = nil, wait: Duration = .zero
  ) throws(ParkingRefusal) {
    let (lines, bytes) = (events.map { EventLine($0) }, events.map { $0.serialized() })
    guard bytes.allSatisfy({ $0.count <= Self.maxLength }) else { throw .tooLong }
    self.init(
      producer: key.producer, consumer: key.consumer, attempts: attempts, failure: failure.map(EventLine.withoutZeros),
      waitMicroseconds: wait.wholeMicroseconds, topics: lines.map(\.topic), keys: lines.map(\.key),
      transactionIDs: events.map(\.place.transactionID), eventIDs: events.map(\.place.id),
      types: events.map { EventLine.storable($0.type) }, events: bytes)
  }
}

extension DueParkedEvent {
  init(key: CursorKey) { self.init(producer: key.producer, consumer: key.consumer) }
}

extension DeleteParkedEvents {
  init(key: CursorKey) { self.init(producer: key.producer, consumer: key.consumer) }
}

extension NoteParkedFailure {
  init(id: UUID7, attempts: Int32, failure: String, wait: Duration) {
    self.init(
      failure: EventLine.withoutZeros(failure), waitMicroseconds: wait.wholeMicroseconds, id: id, attempts: attempts)
  }
}

extension CountParkedEvents {
  init(key: CursorKey) { self.init(producer: key.producer, consumer: key.consumer) }
}

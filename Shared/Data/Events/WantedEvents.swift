import ProtobufC
import struct GoogleRPC.BadRequest
import TTRPC
import TandemEvents

/// A valid subscription.
struct WantedEvents: Sendable {
  /// Where it begins.
  enum Start: Sendable, Equatable {
    /// For a consumer with a stored position.
    case after(EventPosition)
    case oldest
    case newest
    /// For a follower without a stored position.
    case recent(Duration)

    /// The position of ``Start/after(_:)``, else the beginning.
    var position: EventPosition { if case .after(let position) = self { position } else { .beginning } }
  }

  /// `nil` for a follower without a stored position.
  let consumer: String?
  let topics: [String]
  let start: Start

  private static let maxTopics = 50
  /// Twice the longest lifetime of an access token, with room for clocks that differ.
  private static let maxRecent = Duration.seconds(1_800)

  /// Validates the subscription that `caller` sent to `service`.
  ///
  /// - Throws: INVALID_ARGUMENT that names all bad fields; PERMISSION_DENIED for another service's name;
  ///   FAILED_PRECONDITION where another service's events are requested.
  init(_ wanted: Subscription, caller: String, of service: String) throws(Status) {
    guard wanted.producer.isEmpty || wanted.producer == service else {
      throw .logOfAnother(than: service)
    }
    var wrong: [BadRequest.FieldViolation] = []
    if !wanted.consumer.isEmpty, !Self.isConsumer(wanted.consumer) {
      wrong.append(.init(field: "consumer", description: "This is no consumer's name", reason: "CONSUMER_INVALID"))
    }
    if wanted.topics.isEmpty || wanted.topics.count > Self.maxTopics {
      let text = "There must be 1 to \(Self.maxTopics) topics"
      wrong.append(.init(field: "topics", description: text, reason: "TOPICS_REQUIRED"))
    }
    if !wanted.topics.allSatisfy(EventTopic.isName) {
      wrong.append(.init(field: "topics", description: "A topic is no topic's name", reason: "TOPIC_INVALID"))
    }
    let start = Self.start(wanted)
    guard let start, wrong.isEmpty else {
      let text = "A consumer begins after a position, with the oldest or with the newest; who is none with the recent"
      if start == nil { wrong.append(.init(field: "start", description: text, reason: "START_INVALID")) }
      throw .invalidArgument(wrong)
    }
    consumer = wanted.consumer.isEmpty ? nil : wanted.consumer
    topics = wanted.topics
    self.start = start
    guard let consumer, consumer != caller, !consumer.hasPrefix("\(caller).") else { return }
    throw .consumerOfAnother(consumer, caller: caller)
  }

  private static func start(_ wanted: Subscription) -> Start? {
    let keepsPosition = !wanted.consumer.isEmpty
    switch wanted.start {
    case .after(let position) where keepsPosition && position.id >= 0: return .after(EventPosition(position))
    case .beginning(.oldest) where keepsPosition: return .oldest
    case .beginning(.newest) where keepsPosition: return .newest
    case .recent(let time) where !keepsPosition:
      let duration = Duration.seconds(min(max(time.seconds, -1), 1 << 32)) + .nanoseconds(Int64(time.nanos))
      return duration > .zero && duration <= maxRecent ? .recent(duration) : nil
    default: return nil
    }
  }

  private static func isConsumer(_ text: String) -> Bool {
    (1...60).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: ".")
      }
  }
}

/// The topic of events, by which a consumer chooses what it follows.
public struct EventTopic: Hashable, Sendable {
  /// The topic on the wire.
  public let name: String

  /// - Parameter name: 1 to 60 of a-z, 0-9, `_` and `.`, beginning with the name of the service where one alone publishes it.
  public init(_ name: String) {
    precondition(Self.isName(name), "\(name) is not a topic")
    self.name = name
  }

  /// Whether a text can be the name of a topic.
  public static func isName(_ text: String) -> Bool {
    (1...60).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: ".")
      }
  }
}

/// A message that is published as an event: its contract has the option `tandem.rpc.v1.event`, and generated code conforms it.
public protocol PublishedEvent: ProtobufMessage {
  static var topic: EventTopic { get }
  /// What the event happened to, 1 to 200 bytes. Events of one topic and key take effect in the order in which they were published.
  var eventKey: String { get }
}

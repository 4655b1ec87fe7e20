/// The name of a channel of the bus: 1 to 60 of `a-z 0-9 _ .`.
///
/// A channel belongs to one service, whose name it begins with: `tracking.group.7f3a…`.
public struct LiveChannel: Hashable, Sendable {
  public let name: String

  /// The channel of that name; a malformed name is a programming error.
  public init(_ name: String) {
    precondition(Self.isName(name), "a channel's name has 1 to 60 of a-z 0-9 _ .")
    self.name = name
  }

  static func isName(_ name: String) -> Bool {
    (1...60).contains(name.utf8.count)
      && name.utf8.allSatisfy { character in
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}

/// What a subscriber receives.
public enum LiveMessage: Sendable, Hashable {
  /// A published payload.
  case payload([UInt8])
  /// Messages may have been missed: catch up from the database. The first message of every subscription, and sent again
  /// after the bus was unavailable and where the subscriber or a publisher could not keep up.
  case gap
}

/// Notifies subscribers in every process that something has just changed.
///
/// Best effort, and quick: what is published must be in the database as well, from where subscribers catch up at each
/// ``LiveMessage/gap``.
public protocol LiveBus: Sendable {
  /// Queues `payload` for sending and returns at once; call it after the commit of the change.
  ///
  /// Each subscriber receives it once, those in the publisher's own process included; payloads of one publisher on one
  /// channel in their order. A payload that cannot be sent, because the bus is unavailable for long or the payload
  /// exceeds ``LiveLimits/payloadBytes``, becomes a gap.
  func publish(_ payload: [UInt8], to channel: LiveChannel)

  /// Subscribes to what is published on `channel` from now on; begins with a gap.
  ///
  /// The subscription ends with the task that reads it, with its last reference, or when the service stops. What waits
  /// for a slow reader is bounded by ``LiveLimits``: the reader gets a gap in place of what it missed.
  func subscribe(to channel: LiveChannel) -> LiveSubscription
}

/// The bounds of what a bus holds.
public enum LiveLimits {
  /// The longest payload. A longer one is not sent: its subscribers get a gap.
  public static let payloadBytes = 256 << 10
  /// Messages that wait for one subscriber.
  public static let messagesPerSubscriber = 1_024
  /// Bytes that wait for one subscriber; subscribers of one channel share them.
  public static let bytesPerSubscriber = 1 << 20
  /// Messages of this process that wait to be sent.
  public static let messagesToSend = 8_192
  /// Bytes of this process that wait to be sent.
  public static let bytesToSend = 8 << 20
}

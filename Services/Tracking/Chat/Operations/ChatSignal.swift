import ChatDomain
import Identifiers
import Live

/// What replicas tell each other about a conversation over the live bus.
///
/// Bytes: the kind (1), the conversation (16), then the user (16) and the number of a message (8, big-endian), where it has them.
package enum ChatSignal: Sendable, Hashable {
  /// There are messages, or changes of messages, to be read from the database.
  case messages(ConversationID)
  /// The members may have changed, or whether they may talk.
  case members(ConversationID)
  /// Members may have come online or gone offline.
  case presence(ConversationID)
  /// A user is typing. It is stored nowhere.
  case typing(ConversationID, UserID)
  /// A user has read up to a message.
  case readMark(ConversationID, UserID, Int64)

  package var bytes: [UInt8] {
    switch self {
    case .messages(let conversation): [1] + conversation.uuid.bytes
    case .members(let conversation): [2] + conversation.uuid.bytes
    case .presence(let conversation): [3] + conversation.uuid.bytes
    case .typing(let conversation, let user): [4] + conversation.uuid.bytes + user.uuid.bytes
    case .readMark(let conversation, let user, let sequence):
      [5] + conversation.uuid.bytes + user.uuid.bytes + withUnsafeBytes(of: sequence.bigEndian) { Array($0) }
    }
  }

  /// Decodes ``bytes``; `nil` for anything else, such as a kind of a later version.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 17 else { return nil }
    func id(at offset: Int) -> UUID7 { bytes[offset..<offset + 16].withUnsafeBytes { UUID7(bytes: $0) } }
    let conversation = ConversationID(id(at: 1))
    switch (bytes[0], bytes.count) {
    case (1, 17): self = .messages(conversation)
    case (2, 17): self = .members(conversation)
    case (3, 17): self = .presence(conversation)
    case (4, 33): self = .typing(conversation, UserID(id(at: 17)))
    case (5, 41):
      self = .readMark(conversation, UserID(id(at: 17)), bytes[33...].reduce(0) { $0 << 8 | Int64($1) })
    default: return nil
    }
  }
}

/// Sends signals to every replica, this one included. What is stored is signalled after its commit.
package struct ChatSignals: Sendable {
  private let live: any LiveBus

  /// One channel for all conversations: a replica subscribes once, and picks what its streams have open.
  package static let channel = LiveChannel("tracking.chat")

  package init(live: any LiveBus) { self.live = live }

  package func send(_ signal: ChatSignal) { live.publish(signal.bytes, to: Self.channel) }

  package func send(_ signals: some Sequence<ChatSignal>) {
    for signal in signals { send(signal) }
  }
}

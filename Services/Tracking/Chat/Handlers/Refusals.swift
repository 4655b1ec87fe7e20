import ChatDomain
import TTRPC
import TandemChat
import UserCalls

extension SendOutcome {
  /// Why a message was not stored; `nil` if it was.
  var refusal: Status? {
    switch self {
    case .stored: return nil
    case .conversationNotFound: return .conversationNotFound
    case .offline: return Status(ChatReason.notConnected, "Connect to the conversation before you send")
    case .recipientGone: return Status(ChatReason.recipientGone, "The other user has deleted the account")
    case .repliedMessageNotFound:
      return Status(ChatReason.repliedMessageNotFound, "The message that this one replies to is not there")
    case .pictureNotFound: return .pictureNotFound
    case .pictureUsed: return Status(ChatReason.pictureUsed, "The picture belongs to another message")
    case .tooManyMessages: return .storageQuotaExceeded(.messages)
    case .tooManyBytes: return .storageQuotaExceeded(.bytes)
    }
  }
}

extension Status {
  /// Whether it refuses a message whose sender has no stream with the conversation open.
  var isNotConnected: Bool { errorInfo?.reason == ChatReason.notConnected.rawValue }

  static let conversationNotFound = Status(ChatReason.conversationNotFound, "There is no such conversation")
  static let messageNotFound = Status(ChatReason.messageNotFound, "There is no such message")
  static let notTheSender = Status(ChatReason.notTheSender, "Only the sender of a message may do this")
  static let systemMessage = Status(ChatReason.systemMessage, "This is no message of a user")
  static let userNotFound = Status(ChatReason.userNotFound, "There is no such user")
  static let pictureNotFound = Status(ChatReason.pictureNotFound, "There is no such picture")
  static let clientSilent = Status(ChatReason.clientSilent, "Nothing was received for a minute")
  static let eventsUnread = Status(
    ChatReason.eventsUnread, "The client does not read fast enough; connect again", retryAfter: .zero)
  static let tooManyStreams = Status(
    ChatReason.tooManyStreams, "Too many streams of the user are open", retryAfter: .seconds(10))

  static func tooManyNewConversations(retryAfter: Duration) -> Status {
    Status(
      ChatReason.tooManyNewConversations,
      "You have begun \(NewConversations.maxOfDay) conversations with other users within a day; wait before you begin another",
      retryAfter: retryAfter)
  }

  static func sentTooMuch(retryAfter: Duration) -> Status {
    Status(ChatReason.sentTooMuch, "You have sent very many messages; wait a moment", retryAfter: retryAfter)
  }

  static func storageQuotaExceeded(_ excess: MessageStorage.Excess) -> Status {
    Status(
      ChatReason.storageQuotaExceeded,
      "This is more than may be stored of you in conversations: at most \(excess.limit) \(excess.rawValue)",
      metadata: ["kind": excess.rawValue, "limit": "\(excess.limit)"])
  }

  /// What waits to be stored exceeds its limit.
  static let logOverloaded = Status(
    .resourceExhausted, reason: "OVERLOADED", "Too many messages wait to be stored", retryAfter: .seconds(1))
}

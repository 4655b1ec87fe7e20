import ChatDomain
import ChatOperations
import FieldViolations
import TTRPC
import TandemChat
import UserCalls

/// The statuses of refusals: one place for every reason and text.
extension ChatRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchConversation: .conversationNotFound
    case .noSuchMessage: Status(ChatReason.messageNotFound, "There is no such message")
    case .noSuchPicture: .pictureNotFound
    case .noSuchUser: Status(ChatReason.userNotFound, "There is no such user")
    case .notTheSender: Status(ChatReason.notTheSender, "Only the sender of a message may do this")
    case .systemMessage: Status(ChatReason.systemMessage, "This is no message of a user")
    case .textMissing: BadFields("text", "The message is empty", ChatReason.textInvalid).status
    case .storageExceeded(let excess): .storageQuotaExceeded(excess)
    case .tooManyNewConversations(let wait):
      Status(
        ChatReason.tooManyNewConversations,
        "You have begun \(NewConversations.maxOfDay) conversations with other users within a day; wait before you begin another",
        retryAfter: wait)
    }
  }
}

extension SendRefusal: StatusConvertible {
  public var status: Status {
    switch outcome {
    case .stored: preconditionFailure("a message that is stored is not refused")
    case .conversationNotFound: .conversationNotFound
    case .offline: Status(ChatReason.notConnected, "Connect to the conversation before you send")
    case .recipientGone: Status(ChatReason.recipientGone, "The other user has deleted the account")
    case .repliedMessageNotFound:
      Status(ChatReason.repliedMessageNotFound, "The message that this one replies to is not there")
    case .pictureNotFound: .pictureNotFound
    case .pictureUsed: Status(ChatReason.pictureUsed, "The picture belongs to another message")
    case .tooManyMessages: .storageQuotaExceeded(.messages)
    case .tooManyBytes: .storageQuotaExceeded(.bytes)
    }
  }
}

extension ChatFailure: StatusConvertible {
  package var status: Status {
    switch self {
    case .noAccount: .notAUser
    case .overloaded:
      Status(
        .resourceExhausted, reason: "OVERLOADED", "Too many messages wait to be stored", retryAfter: .seconds(1))
    case .stopping: .stopping
    }
  }
}

extension Status {
  static let stopping = Status.unavailable("The service is stopping")

  static let conversationNotFound = Status(ChatReason.conversationNotFound, "There is no such conversation")
  static let pictureNotFound = Status(ChatReason.pictureNotFound, "There is no such picture")
  static let clientSilent = Status(ChatReason.clientSilent, "Nothing was received for a minute")
  static let eventsUnread = Status(
    ChatReason.eventsUnread, "The client does not read fast enough; connect again", retryAfter: .zero)
  static let tooManyStreams = Status(
    ChatReason.tooManyStreams, "Too many streams of the user are open", retryAfter: .seconds(10))

  static func sentTooMuch(retryAfter: Duration) -> Status {
    Status(ChatReason.sentTooMuch, "You have sent very many messages; wait a moment", retryAfter: retryAfter)
  }

  static func storageQuotaExceeded(_ excess: MessageStorage.Excess) -> Status {
    Status(
      ChatReason.storageQuotaExceeded,
      "This is more than may be stored of you in conversations: at most \(excess.limit) \(excess.rawValue)",
      metadata: ["kind": excess.rawValue, "limit": "\(excess.limit)"])
  }
}

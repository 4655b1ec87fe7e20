/// Why the chat's rules refuse what a user asks for ([TR-30] to [TR-35]).
public enum ChatRefusal: Error, Sendable, Hashable {
  case noSuchConversation
  case noSuchMessage
  case noSuchPicture
  case noSuchUser
  case notTheSender
  /// A notice of the service, which has no sender.
  case systemMessage
  /// Nothing would be left of a message.
  case textMissing
  case storageExceeded(MessageStorage.Excess)
  case tooManyNewConversations(wait: Duration)
}

/// What became of a message that a user sent ([TR-32], [TR-34]).
public enum SendOutcome: String, Sendable, Hashable, CaseIterable {
  /// Stored, now or by an earlier call.
  case stored = "STORED"
  /// The sender is no member, or one of two users has blocked the other.
  case conversationNotFound = "CONVERSATION_NOT_FOUND"
  /// No stream of the sender has the conversation open.
  case offline = "OFFLINE"
  case recipientGone = "RECIPIENT_GONE"
  case repliedMessageNotFound = "REPLIED_MESSAGE_NOT_FOUND"
  case pictureNotFound = "PICTURE_NOT_FOUND"
  case pictureUsed = "PICTURE_USED"
  case tooManyMessages = "TOO_MANY_MESSAGES"
  case tooManyBytes = "TOO_MANY_BYTES"
}

/// Why a message that a user sent was not stored.
public struct SendRefusal: Error, Sendable, Hashable {
  /// Any but ``SendOutcome/stored``.
  public let outcome: SendOutcome

  /// - Returns: `nil` for a message that is stored.
  public init?(_ outcome: SendOutcome) {
    guard outcome != .stored else { return nil }
    self.outcome = outcome
  }
}

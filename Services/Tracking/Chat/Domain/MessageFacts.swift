public import Identifiers

/// What decides how a message may be changed ([TR-33]).
public struct MessageFacts: Sendable, Hashable {
  /// `nil` for a user who deleted the account.
  public let senderID: UserID?
  public let isNotice: Bool
  public let isDeleted: Bool
  public let hasPicture: Bool

  public init(senderID: UserID?, isNotice: Bool, isDeleted: Bool, hasPicture: Bool) {
    (self.senderID, self.isNotice, self.isDeleted, self.hasPicture) = (senderID, isNotice, isDeleted, hasPicture)
  }

  /// Whether its text may become another.
  ///
  /// - Parameter isEmpty: whether no text would be left.
  public func checkEdit(by user: UserID, isEmpty: Bool) throws(ChatRefusal) {
    guard !isDeleted else { throw .noSuchMessage }
    guard senderID == user, !isNotice else { throw .notTheSender }
    guard !isEmpty || hasPicture else { throw .textMissing }
  }

  /// Whether a member may react to it.
  public func checkReaction() throws(ChatRefusal) {
    guard !isDeleted else { throw .noSuchMessage }
    guard !isNotice else { throw .systemMessage }
  }
}

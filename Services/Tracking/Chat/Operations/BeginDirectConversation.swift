import ChatDomain
import Identifiers
import Postgres
import TrackingStore

extension ChatOperations {
  /// The conversation of two users, which begins with the first call ([TR-30]).
  ///
  /// - Returns: the conversation as `user` sees it, and its last message.
  package func beginDirectConversation(
    of pair: UserPair, by user: UserID, _ tx: Transaction
  ) async throws -> (ConversationColumns, last: StoredMessage?) {
    try await tx.execute(EnterChatUser(userID: user))
    let id = try await conversation(of: pair, begunBy: user, tx)
    guard let stored = try await tx.first(ConversationOfMember(userID: user, conversationID: id)) else {
      throw ChatRefusal.noSuchUser
    }
    return (stored, try await tx.rows(LastMessages(conversationIDs: [id], userID: user)).first?.message)
  }

  private func conversation(
    of pair: UserPair, begunBy user: UserID, _ tx: Transaction
  ) async throws -> ConversationID {
    let now = clock.now
    let begin = BeginDirectConversation(
      firstUserID: pair.first, secondUserID: pair.second, conversationID: environment.newID(), now: now)
    if let begun = try await tx.first(begin) {
      let count = CountBegunConversation(userID: user, now: now, expiredAt: now - NewConversations.window)
      // A refusal undoes both.
      if let begun = try await tx.first(count),
        let wait = NewConversations.wait(begun.begun, since: begun.beganAt, at: now)
      {
        throw ChatRefusal.tooManyNewConversations(wait: wait)
      }
      return begun
    }
    // It was there before, or began meanwhile.
    let known = DirectConversation(firstUserID: pair.first, secondUserID: pair.second)
    guard let id = try await tx.first(known) else { throw ChatRefusal.noSuchUser }
    return id
  }
}

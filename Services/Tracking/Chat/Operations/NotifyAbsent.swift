import ChatDomain
import Identifiers
import Postgres
import TandemEvents
import TrackingStore

extension ChatOperations {
  /// What a notification says instead of a group's name.
  private static let direct = "a direct conversation"

  /// Notifies members who were offline when messages came, once until they connect or read ([TR-32]).
  ///
  /// - Parameter limit: conversations.
  /// - Returns: of how many conversations.
  package func notifyAbsent(most limit: Int64, _ tx: Transaction) async throws -> Int64 {
    let due = try await tx.rows(DueChatNotices(now: clock.now, limit: limit))
    guard !due.isEmpty else { return 0 }
    let (_, members) = try await tx.rows(
      HoldMembersToNotify(conversationIDs: due), TakeChatNotices(conversationIDs: due))
    for group in Dictionary(grouping: members, by: \.notice).values {
      guard let first = group.first, let sender = first.senderID else { continue }
      let news = NotificationRequested.ChatNews(
        senderID: sender.description, conversation: first.name.isEmpty ? Self.direct : first.name)
      try await events.publish(
        NotificationRequested(
          notificationKey: "chats/\(first.conversationID)/\(first.lastSequence)/\(sender)",
          recipientIds: group.map { $0.userID.description }, subject: "chats/\(first.conversationID)",
          news: .chatMessage(news)), in: tx)
    }
    return Int64(due.count)
  }
}

/// Members are notified of a conversation's messages together, by their last sender.
private struct NoticeGroup: Hashable {
  let conversation: ConversationID
  let sender: UserID?
}

extension TakeChatNotices.Row {
  fileprivate var notice: NoticeGroup { NoticeGroup(conversation: conversationID, sender: senderID) }
}

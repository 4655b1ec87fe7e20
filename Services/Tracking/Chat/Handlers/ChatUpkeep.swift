import ChatDomain
import Environment
import Events
import HeavyWork
import Identifiers
import Logging
import PeriodicTask
import Postgres
import ServiceLifecycle
import Synchronization
import TandemEvents
import TrackingStore

/// Does later what messages and deletions of accounts require: notifies members who are offline, and removes what deleted users wrote. At first it
/// begins the conversations of groups that have none.
///
/// Every replica looks for what is due; one that another is at work on is passed over.
final class ChatUpkeep: Service {
  private let database: Database
  private let clock: any WallClock
  private let events: Outbox
  private let signals: ChatSignals
  private let membership: ConversationMembership
  private let logger: Logger
  private let hasBegunMissing = Mutex(false)

  private static let interval = Duration.seconds(1)
  /// Conversations, and messages, of one transaction.
  private static let (conversations, messages): (Int64, Int64) = (50, 500)
  /// What a notification says instead of a group's name.
  private static let direct = "a direct conversation"

  init(database: Database, clock: any WallClock, events: Outbox, signals: ChatSignals, logger: Logger) {
    (self.database, self.clock, self.events, self.signals, self.logger) = (database, clock, events, signals, logger)
    membership = ConversationMembership(signals: signals, clock: clock)
  }

  func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "the chat's upkeep did not end") { _ in
      if !self.hasBegunMissing.withLock({ $0 }) {
        try await self.membership.beginMissing(in: self.database)
        self.hasBegunMissing.withLock { $0 = true }
      }
      while try await self.notifyOffline() == Self.conversations { try Task.checkCancellation() }
      while try await self.eraseSome() { try Task.checkCancellation() }
      while try await self.addWords() == Self.messages { try Task.checkCancellation() }
    }
  }

  /// Notifies members who were offline when messages came, once until they connect or read ([TR-32]); returns of how many conversations.
  private func notifyOffline() async throws -> Int64 {
    try await database.repeatableTransaction { tx in
      let due = try await tx.rows(DueChatNotices(now: clock.now, limit: Self.conversations))
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

  /// Adds the words that are searched of some messages that were stored before there were any; returns of how many.
  private func addWords() async throws -> Int64 {
    try await database.repeatableTransaction { tx in
      let messages = try await tx.rows(MessagesWithoutWords(limit: Self.messages))
      guard !messages.isEmpty else { return 0 }
      let words = try await HeavyWork.shared.run(for: nil) { messages.map { SearchedWords.vector(of: $0.text) } }
      try await tx.execute(
        PutWords(
          conversationIDs: messages.map(\.conversationID), sequences: messages.map(\.sequence),
          words: words))
      return Int64(messages.count)
    }
  }

  /// Removes some of what a user who deleted the account wrote ([C-9]); false when nothing is left of any user.
  private func eraseSome() async throws -> Bool {
    try await database.repeatableTransaction { tx in
      guard let user = try await tx.first(DueErasure()) else { return false }
      let messages = try await tx.rows(MessagesToErase(userID: user, limit: Self.messages))
      let reactions = try await tx.rows(ReactionsToErase(userID: user, limit: Self.messages))
      guard !messages.isEmpty || !reactions.isEmpty else {
        try await tx.execute(EndErasure(userID: user))
        return true
      }
      let conversations = Set(messages.map(\.conversationID) + reactions.map(\.conversationID))
      try await tx.execute(LockConversations(conversationIDs: Array(conversations)))
      try await tx.execute(
        EraseMessages(
          conversationIDs: messages.map(\.conversationID), sequences: messages.map(\.sequence), now: clock.now))
      try await tx.rows(
        each: reactions.map {
          SetReaction(conversationID: $0.conversationID, sequence: $0.sequence, userID: user, emoji: nil)
        })
      tx.afterCommit { [signals] in signals.send(conversations.map { .messages($0) }) }
      return true
    }
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

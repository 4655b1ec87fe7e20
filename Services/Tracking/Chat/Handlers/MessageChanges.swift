import ChatDomain
import FieldViolations
import Idempotency
import Identifiers
import Postgres
import TTRPC
import TandemChat
import TrackingStore

extension Chat {
  /// Replaces the text of one of the caller's messages ([TR-33]).
  package func editMessage(_ call: EditMessageRequest, _ context: CallContext) async throws -> Message {
    let caller = try heard(context)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (conversation, number) = (bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    let text = bad.messageText(call.text, isOptional: true)
    let (id, sequence, words) = try bad.all(conversation, number, text)
    try rates.count(caller)
    let vector = await SearchedWords.vectorOffLoop(of: words)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let stored = try await locked(sequence, of: id, for: caller, tx)
      guard stored.deletedAt == nil else { throw Status.messageNotFound }
      guard stored.senderID == caller, stored.notice == nil else { throw Status.notTheSender }
      if words.isEmpty, stored.pictureID == nil {
        _ = try MessageText.read(call.text).mapError { BadFields("text", $0.description, ChatReason.textInvalid) }.get()
      }
      if stored.text == words { return try await shown(stored, to: caller, tx) }
      let growth = Int64(words.utf8.count - stored.text.utf8.count)
      if growth > 0, let used = try await tx.rows(LockChatStorage(userIDs: [caller])).first,
        used.bytes + growth > MessageStorage.maxBytes
      {
        throw Status.storageQuotaExceeded(.bytes)
      }
      try await tx.execute(ForgetWords(conversationID: id, sequence: sequence))
      try await tx.execute(
        EditText(conversationID: id, text: words, sequence: sequence, words: vector, now: clock.now))
      return try await changed(sequence, of: id, for: caller, tx)
    }
  }

  /// Deletes one of the caller's messages ([TR-33]).
  package func deleteMessage(_ call: DeleteMessageRequest, _ context: CallContext) async throws -> Message {
    let caller = try heard(context)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (id, sequence) = try bad.all(bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    try rates.count(caller)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await tx.execute(LockConversations(conversationIDs: [id]))
      // Also from before the caller left and joined again: what one has written one may take back.
      let own = OwnMessage(userID: caller, conversationID: id, sequence: sequence)
      guard let stored = try await tx.first(own) else {
        _ = try await locked(sequence, of: id, for: caller, tx)
        throw Status.notTheSender
      }
      if stored.deletedAt != nil { return try await shown(stored, to: caller, tx) }
      try await tx.execute(DeleteContent(conversationID: id, sequence: sequence, now: clock.now))
      tx.afterCommit { [signals] in signals.send(.messages(id)) }
      guard let deleted = try await tx.first(own) else { throw Status.messageNotFound }
      return try await shown(deleted, to: caller, tx)
    }
  }

  /// Sets or removes the caller's reaction to a message.
  package func react(_ call: ReactRequest, _ context: CallContext) async throws -> Message {
    let caller = try heard(context)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (conversation, number) = (bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    let emoji =
      call.emoji.isEmpty ? nil : bad.require("emoji", Emoji(call.emoji), Emoji.refusal, ChatReason.emojiInvalid)
    let (id, sequence) = try bad.all(conversation, number)
    try rates.count(caller)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let stored = try await locked(sequence, of: id, for: caller, tx)
      guard stored.deletedAt == nil else { throw Status.messageNotFound }
      guard stored.notice == nil else { throw Status.systemMessage }
      if stored.reactions.first(where: { $0.userID == caller })?.emoji == emoji?.text {
        return try await shown(stored, to: caller, tx)
      }
      try await tx.execute(
        SetReaction(conversationID: id, sequence: sequence, userID: caller, emoji: emoji?.text))
      return try await changed(sequence, of: id, for: caller, tx)
    }
  }

  /// A message that the user sees, of a conversation that is locked until the transaction ends.
  private func locked(
    _ sequence: Int64, of id: ConversationID, for user: UserID, _ tx: Transaction
  ) async throws -> StoredMessage {
    let (_, found) = try await tx.rows(
      LockConversations(conversationIDs: [id]),
      MessageOfMember(userID: user, conversationID: id, sequence: sequence))
    if let message = found.first { return message }
    let isMember = try await tx.first(MemberAccess(conversationID: id, userID: user)) != nil
    throw isMember ? Status.messageNotFound : .conversationNotFound
  }

  /// The message after its change, which is signalled after the commit.
  private func changed(
    _ sequence: Int64, of id: ConversationID, for user: UserID, _ tx: Transaction
  ) async throws -> Message {
    tx.afterCommit { [signals] in signals.send(.messages(id)) }
    let statement = MessageOfMember(userID: user, conversationID: id, sequence: sequence)
    guard let stored = try await tx.first(statement) else { throw Status.messageNotFound }
    return try await shown(stored, to: user, tx)
  }

  private func shown(_ message: StoredMessage, to user: UserID, _ tx: Transaction) async throws -> Message {
    let statement = HiddenAmong(userIDs: message.others(than: user), userID: user)
    return Message(message, for: user, folding: Set(try await tx.rows(statement)))
  }
}

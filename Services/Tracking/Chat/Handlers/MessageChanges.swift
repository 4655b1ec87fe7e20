import ChatDomain
import ChatOperations
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemChat

extension Chat {
  /// Replaces the text of one of the caller's messages ([TR-33]).
  package func editMessage(_ call: EditMessageRequest, _ context: CallContext) async throws -> Message {
    let caller = try heard(context)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (conversation, number) = (bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    let content = bad.messageText(call.text, isOptional: true)
    let (id, sequence, text) = try bad.all(conversation, number, content)
    try rates.count(caller)
    let words = await SearchedWords.vectorOffLoop(of: text)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      Message(
        try await operations.editMessage(sequence, of: id, by: caller, to: text, foundBy: words, tx), for: caller)
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
      Message(try await operations.deleteMessage(sequence, of: id, by: caller, tx), for: caller)
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
      Message(try await operations.react(to: sequence, of: id, by: caller, with: emoji, tx), for: caller)
    }
  }
}

extension Message {
  fileprivate init(_ seen: SeenMessage, for reader: UserID) {
    self.init(seen.message, for: reader, folding: seen.hidden)
  }
}

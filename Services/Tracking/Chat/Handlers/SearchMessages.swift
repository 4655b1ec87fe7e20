import ChatDomain
import FieldViolations
import Identifiers
import Pagination
import TTRPC
import TandemChat
import TrackingStore

extension Chat {
  private static let nothingFound = "No messages found"

  /// Searches the messages that the caller sees, by words.
  package func searchMessages(
    _ call: SearchMessagesRequest, _ context: CallContext
  ) async throws -> SearchMessagesResponse {
    let caller = try heard(context)
    var bad = Violations()
    let words = bad.require("query", SearchWords.read(call.query), ChatReason.queryInvalid)
    let only = call.conversationID.isEmpty ? nil : bad.conversationID(call.conversationID)
    let page = try pages.page(of: call, context, &bad, by: Instant.self, ConversationID.self, Int64.self)
    let query = try bad.all(words)
    if let only { _ = try await access(of: caller, to: only) }
    // One that only says which words are not there finds nothing: no index helps to find the rest.
    guard let searched = SearchedWords.query(query.text) else {
      return SearchMessagesResponse(notice: Self.nothingFound)
    }
    let found = try await database.rows(
      FoundMessages(
        userID: caller, onlyConversationID: only?.uuid, words: searched, beforeAt: page.after?.0,
        beforeConversationID: page.after?.1.uuid, beforeSequence: page.after?.2, limit: page.limit))
    let (shown, next) = try page.cut(found) { ($0.message.createdAt, $0.conversationID, $0.message.sequence) }
    // Senders whom a block hides are not found; who reacted may be one.
    let hidden = try await database.hidden(from: caller, of: shown.map(\.message))
    return SearchMessagesResponse(
      messages: shown.map {
        FoundMessage(
          conversationID: $0.conversationID.description, message: Message($0.message, for: caller, folding: hidden))
      }, nextPageToken: next, notice: shown.isEmpty ? Self.nothingFound : "")
  }
}

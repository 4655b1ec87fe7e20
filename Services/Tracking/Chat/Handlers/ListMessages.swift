import FieldViolations
import TTRPC
import TandemChat
import TrackingStore

extension Chat {
  /// Messages of a conversation before or after one, or the last ones ([TR-33]).
  package func listMessages(_ call: ListMessagesRequest, _ context: CallContext) async throws -> ListMessagesResponse {
    let caller = try heard(context)
    var bad = Violations()
    let conversation = bad.conversationID(call.conversationID)
    if call.pageSize < 0 { bad.add("page_size", "The page_size cannot be negative", ChatReason.pageSizeInvalid) }
    switch call.cursor {
    case .before(let number) where number < 1:
      bad.add("before", "Messages have numbers from 1", ChatReason.sequenceInvalid)
    case .after(let number) where number < 0:
      bad.add("after", "A number is not negative", ChatReason.sequenceInvalid)
    default: break
    }
    let id = try bad.all(conversation)
    let size = call.pageSize == 0 ? 50 : min(Int(call.pageSize), 200)
    // One more than is shown says whether there are more.
    let limit = Int64(size + 1)
    let found: [StoredMessage]
    if case .after(let number) = call.cursor {
      found = try await database.rows(
        MessagesBehind(conversationID: id, after: number, userID: caller, limit: limit))
    } else {
      var end = Int64.max
      if case .before(let number) = call.cursor { end = number }
      found = try await database.rows(
        MessagesBefore(conversationID: id, before: end, userID: caller, limit: limit))
    }
    // The statements themselves read nothing for who is not a member ([TR-34]).
    if found.isEmpty { _ = try await access(of: caller, to: id) }
    let shown = found.prefix(size).sorted { $0.sequence < $1.sequence }
    let hidden = try await database.hidden(from: caller, of: shown)
    return ListMessagesResponse(
      messages: shown.map { Message($0, for: caller, folding: hidden) }, hasMore: found.count > size)
  }
}

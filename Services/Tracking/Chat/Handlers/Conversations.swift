import ChatDomain
import ChatOperations
import FieldViolations
import Idempotency
import Identifiers
import Pagination
import Postgres
import TTRPC
import TandemChat
import TrackingStore

extension Chat {
  /// The direct conversation with another user, which begins with the first call ([TR-30]).
  package func getOrCreateDirectConversation(
    _ call: GetOrCreateDirectConversationRequest, _ context: CallContext
  ) async throws -> Conversation {
    let caller = try heard(context)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let other = bad.require("user_id", UserID(call.userID), "This is not the id of a user", ChatReason.userIDInvalid)
    if other == caller { bad.add("user_id", "A conversation has two users", ChatReason.ownUserID) }
    guard let pair = UserPair(caller, try bad.all(other)) else { throw ChatRefusal.noSuchUser }
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let (begun, last) = try await operations.beginDirectConversation(of: pair, by: caller, tx)
      // Between two of whom one has blocked the other there is none.
      return Conversation(begun, last: last, for: caller, folding: [])
    }
  }

  /// A conversation as the caller sees it.
  package func getConversation(_ call: GetConversationRequest, _ context: CallContext) async throws -> Conversation {
    let caller = try heard(context)
    var bad = Violations()
    let id = try bad.all(bad.conversationID(call.conversationID))
    guard let stored = try await database.first(ConversationOfMember(userID: caller, conversationID: id)) else {
      throw ChatRefusal.noSuchConversation
    }
    let last = try await database.rows(LastMessages(conversationIDs: [id], userID: caller)).first?.message
    let hidden = try await database.hidden(from: caller, of: last.map { [$0] } ?? [])
    return Conversation(stored, last: last, for: caller, folding: hidden)
  }

  /// A page of the caller's conversations, the newest first ([TR-33], [C-5]).
  package func listConversations(
    _ call: ListConversationsRequest, _ context: CallContext
  ) async throws -> ListConversationsResponse {
    let caller = try heard(context)
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: ConversationID.self)
    try bad.check()
    let found = try await database.rows(
      ConversationsOfMember(userID: caller, before: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    let last = try await database.rows(LastMessages(conversationIDs: shown.map(\.id), userID: caller))
    let hidden = try await database.hidden(from: caller, of: last.map(\.message))
    let messages = Dictionary(last.map { ($0.conversationID, $0.message) }) { first, _ in first }
    return ListConversationsResponse(
      conversations: shown.map { Conversation($0, last: messages[$0.id], for: caller, folding: hidden) },
      nextPageToken: next)
  }

  /// The members of a conversation, who is online, and who has read what ([TR-31]).
  package func listMembers(_ call: ListMembersRequest, _ context: CallContext) async throws -> ListMembersResponse {
    let caller = try heard(context)
    var bad = Violations()
    let id = try bad.all(bad.conversationID(call.conversationID))
    let members = try await database.rows(MembersOfConversation(conversationID: id))
    let hidden = HiddenMembers(among: members)
    guard members.contains(where: { $0.userID == caller }) else { throw ChatRefusal.noSuchConversation }
    return ListMembersResponse(members: members.map { Member($0, for: caller, hidden) })
  }

  /// What the user may see of a conversation now.
  func access(of user: UserID, to id: ConversationID) async throws -> MemberAccess.Row {
    guard let access = try await database.first(MemberAccess(conversationID: id, userID: user)) else {
      throw ChatRefusal.noSuchConversation
    }
    return access
  }
}

import ChatDomain
import FieldViolations
import TTRPC
import TandemChat
import TrackingStore

extension Chat {
  /// A message that the caller sees, with the content of one that lists fold ([C-10]).
  package func getMessage(_ call: GetMessageRequest, _ context: CallContext) async throws -> Message {
    let caller = try heard(context)
    var bad = Violations()
    let (conversation, number) = (bad.conversationID(call.conversationID), bad.sequence(call.sequence))
    let (id, sequence) = try bad.all(conversation, number)
    let statement = MessageOfMember(userID: caller, conversationID: id, sequence: sequence)
    guard let stored = try await database.first(statement) else {
      _ = try await access(of: caller, to: id)
      throw ChatRefusal.noSuchMessage
    }
    return Message(stored, for: caller, folding: [])
  }
}

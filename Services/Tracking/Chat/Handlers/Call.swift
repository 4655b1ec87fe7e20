import ChatDomain
import FieldViolations
import Identifiers
import TTRPC
import TandemChat

extension Violations {
  /// Parses the id of a conversation from the field of that name.
  mutating func conversationID(_ text: String, _ field: String = "conversation_id") -> ConversationID? {
    require(
      field, ConversationID(text), "This is not the id of a conversation", ChatReason.conversationIDInvalid)
  }

  /// Parses the number of a message from the field `sequence`.
  mutating func sequence(_ number: Int64) -> Int64? {
    require("sequence", number > 0 ? number : nil, "Messages have numbers from 1", ChatReason.sequenceInvalid)
  }

  /// Reads the text of a message; one that is blank is allowed beside a picture, and is then empty.
  mutating func messageText(_ text: String, isOptional: Bool) -> String? {
    if isOptional, MessageText.isBlank(text) { return "" }
    return require("text", MessageText.read(text), ChatReason.textInvalid)?.text
  }
}

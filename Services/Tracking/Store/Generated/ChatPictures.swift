// Made from chat_pictures.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Locks what is stored of a user in conversations until the transaction ends, so that the user's pictures are added one after the other.
package struct EnterChatStorage: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into chat_storage (user_id, messages, bytes) values ($1, 0, 0)
    on conflict on constraint chat_storage_pkey do update set messages = chat_storage.messages
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Stores that a user uploaded a picture to a conversation.
package struct AddChatPicture: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into chat_pictures (id, conversation_id, uploader_id, uploaded_at) values ($1, $2, $3, $4)
    """
  package let chatPictureID: ChatPictureID
  package let conversationID: ConversationID
  package let userID: UserID
  package let now: Instant

  package init(chatPictureID: ChatPictureID, conversationID: ConversationID, userID: UserID, now: Instant) {
    self.chatPictureID = chatPictureID
    self.conversationID = conversationID
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(chatPictureID)
    p.append(conversationID)
    p.append(userID)
    p.append(now)
  }
}

/// Whether a user sees a picture of a conversation: that of a message that the user sees, or an own one.
package struct VisibleChatPicture: SingleRowStatement {
  package typealias Row = ChatPictureID
  package static let sql = """
    select picture.id as chat_picture_id
    from chat_pictures as picture
    join chat_conversations as conversation on conversation.id = picture.conversation_id
    join chat_members as member on member.conversation_id = picture.conversation_id and member.user_id = $1
    where picture.id = $2 and picture.conversation_id = $3
      and (picture.sequence >= member.first_sequence or picture.sequence is null and picture.uploader_id = $1)
      and not exists (
      select from blocks
      where (blocker_id = conversation.first_user_id and blocked_id = conversation.second_user_id) or (blocker_id = conversation.second_user_id and blocked_id = conversation.first_user_id)
    )
    """
  package let userID: UserID
  package let chatPictureID: ChatPictureID
  package let conversationID: ConversationID

  package init(userID: UserID, chatPictureID: ChatPictureID, conversationID: ConversationID) {
    self.userID = userID
    self.chatPictureID = chatPictureID
    self.conversationID = conversationID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(chatPictureID)
    p.append(conversationID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

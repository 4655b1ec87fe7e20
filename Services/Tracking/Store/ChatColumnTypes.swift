import AccountDeletions
import ChatDomain
import Expiry
import Postgres

// What columns of the chat hold, in the domain's types.

extension ConversationKind: ColumnValue {}
extension SystemNotice: ColumnValue {}
extension SendOutcome: ColumnValue {}

extension ForgetChatUser: AccountDeletionStatement {
  package static let users = """
    select user_id from chat_members
    union all select sender_id from chat_messages
    union all select user_id from chat_reactions
    union all select uploader_id from chat_pictures
    union all select user_id from chat_quotas
    union all select user_id from chat_presence
    union all select first_user_id from chat_conversations
    union all select second_user_id from chat_conversations
    """
}

extension DeleteUnsentPictures: ExpiryStatement {
  /// As long as a client may take between uploading a picture and sending it.
  package static let kept = Duration.seconds(24 * 3_600)
}

extension DeleteOldChatQuotas: ExpiryStatement {
  package static let kept = NewConversations.window
}

extension DeleteAbandonedMessages: ExpiryStatement {
  package static let kept = Duration.zero
}

extension DeleteAbandonedConversations: ExpiryStatement {
  package static let kept = Duration.zero
}

extension AccessTable {
  /// Conversations; `tandem.chat.v1.Chat`. The owner and the member are in a group with a conversation.
  static let chat = """
    fields message = sequence sender_id text create_time notice? client_message_id?
    fields conversation = conversation_id kind name last_sequence first_sequence read_sequence unread_count?
    fields picture = picture_id renditions.size renditions.media_type renditions.width renditions.height renditions.byte_count upload_time
    fields opened = conversation_id opened.members.user_id opened.members.online? opened.members.read_sequence opened.position.sequence opened.position.epoch
    tandem.chat.v1.Chat at tracking
                              nobody   stranger member   owner    blocked  revoked  service  operator
      # A refusal is an event of the stream.
      Connect                 token    ok       ok       ok       ok       session  token    token
        request {"tag": "t", "open": {"conversationId": "{chat}"}}
        answer  conversation_id tag refusal.code refusal.reason refusal.description
        answer to member owner: tag $opened
      # A conversation that the caller is no member of is closed at once; the stream stays open for others.
      Follow                  token    ok       ok       ok       ok       session  token    token
        request {"conversations": [{"conversationId": "{chat}"}]}
        answer to stranger: conversation_id closed.reason
        answer to blocked: conversation_id closed.reason
        answer  $opened
      SendMessage             token    chat     ok       ok       chat     session  token    token
        before  connected
        request {"conversationId": "{chat}", "clientMessageId": "01900000-0000-4000-8000-000000000001", "text": "hello"}
        answer  client_message_id sequence create_time
      GetOrCreateDirectConversation token ok   ok       self     person   session  token    token
        request {"userId": "{ownerId}"}
        answer  conversation_id kind other_user_id first_sequence
      GetConversation         token    chat     ok       ok       chat     session  token    token
        before  message
        request {"conversationId": "{chat}"}
        answer  $conversation last_message.$message
      ListConversations       token    ok       ok       ok       ok       session  token    token
        before  message
        request {"pageSize": 1}
        answer  conversations.$conversation? conversations.other_user_id? conversations.last_message.$message? next_page_token?
      ListMembers             token    chat     ok       ok       chat     session  token    token
        request {"conversationId": "{chat}"}
        answer  members.user_id members.read_sequence
      ListMessages            token    chat     ok       ok       chat     session  token    token
        before  message
        request {"conversationId": "{chat}"}
        answer  messages.$message has_more?
      GetMessage              token    chat     ok       ok       chat     session  token    token
        before  message
        request {"conversationId": "{chat}", "sequence": "3"}
        answer  $message
      GetStorage              token    ok       ok       ok       ok       session  token    token
        before  message
        request {}
        answer  used? used.messages? used.bytes? used.pictures? limits.messages limits.bytes limits.pictures
      EditMessage             token    chat     sender   ok       chat     session  token    token
        before  message
        request {"conversationId": "{chat}", "sequence": "3", "text": "good day"}
        answer  $message edit_time
      DeleteMessage           token    chat     sender   ok       chat     session  token    token
        before  message
        request {"conversationId": "{chat}", "sequence": "3"}
        answer  sequence sender_id create_time delete_time
      React                   token    chat     ok       ok       chat     session  token    token
        before  message
        request {"conversationId": "{chat}", "sequence": "3", "emoji": "👍"}
        answer  $message reactions.user_id reactions.emoji
      MarkRead                token    chat     ok       ok       chat     session  token    token
        before  message
        request {"conversationId": "{chat}", "sequence": "3"}
        answer  read_sequence
      SearchMessages          token    chat     ok       ok       chat     session  token    token
        before  message
        request {"query": "hello", "conversationId": "{chat}"}
        answer  messages.conversation_id messages.message.$message
      UploadPicture           token    chat     ok       ok       chat     session  token    token
        request {"chunk": "{picture}", "conversationId": "{chat}"}
        answer  $picture
      DownloadPicture         token    chat     ok       ok       chat     session  token    token
        request {"conversationId": "{chat}", "pictureId": "{chatPicture}"}
        answers 2
        answer  picture.$picture chunk

    """
}

-- name: EnterChatStorage :exec
-- Locks what is stored of a user in conversations until the transaction ends, so that the user's pictures are added one after the other.
insert into chat_storage (user_id, messages, bytes) values (:user_id, 0, 0)
on conflict on constraint chat_storage_pkey do update set messages = chat_storage.messages;

-- name: AddChatPicture :exec
-- Stores that a user uploaded a picture to a conversation.
insert into chat_pictures (id, conversation_id, uploader_id, uploaded_at) values (:chat_picture_id, :conversation_id, :user_id, :now);

-- name: VisibleChatPicture :one
-- Whether a user sees a picture of a conversation: that of a message that the user sees, or an own one.
select picture.id as chat_picture_id
from chat_pictures as picture
join chat_conversations as conversation on conversation.id = picture.conversation_id
join chat_members as member on member.conversation_id = picture.conversation_id and member.user_id = :user_id
where picture.id = :chat_picture_id and picture.conversation_id = :conversation_id
  and (picture.sequence >= member.first_sequence or picture.sequence is null and picture.uploader_id = :user_id)
  and {{may_talk(conversation)}};

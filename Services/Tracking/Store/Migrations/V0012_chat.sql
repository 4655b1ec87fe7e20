-- Conversations of groups and of two users, their members and messages, and who is online.
--
-- The table of pictures was made by the step before this one and is empty: nothing is scanned, no transaction waits.
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint

create table chat_conversations (
  id uuid not null,
  kind text not null,
  first_user_id uuid,
  second_user_id uuid,
  last_sequence bigint not null default 0,
  last_revision bigint not null default 0,
  member_version bigint not null default 0,
  created_at timestamptz not null,
  notice_due_at timestamptz,
  abandoned_at timestamptz,
  constraint chat_conversations_pkey primary key (id),
  constraint chat_conversations_users_key unique (first_user_id, second_user_id),
  constraint chat_conversations_kind_known check (kind in ('GROUP', 'DIRECT')),
  constraint chat_conversations_users_ordered check (first_user_id < second_user_id),
  constraint chat_conversations_group_userless check (
    kind = 'DIRECT' or (first_user_id is null and second_user_id is null)
  ),
  constraint chat_conversations_counted check (last_sequence >= 0 and last_revision >= 0 and member_version >= 0)
) with (fillfactor = 70);

create index chat_conversations_second_user_idx on chat_conversations (second_user_id) where second_user_id is not null;
create index chat_conversations_notice_due_idx on chat_conversations (notice_due_at) where notice_due_at is not null;
create index chat_conversations_abandoned_idx on chat_conversations (abandoned_at) where abandoned_at is not null;

comment on table chat_conversations is
'Conversations (TR-30). What adds or changes a message, or a member, locks the row and takes the next numbers, so that '
'both are committed in their order and without gaps.';
comment on column chat_conversations.id is 'UUIDv7; of a group''s conversation the group''s id.';
comment on column chat_conversations.kind is 'GROUP or DIRECT.';
comment on column chat_conversations.first_user_id is
'Of a direct conversation the user with the smaller id; null for a group, and for one who deleted the account.';
comment on column chat_conversations.second_user_id is 'The other user of a direct conversation; null as before.';
comment on column chat_conversations.last_sequence is 'The number of the last message.';
comment on column chat_conversations.last_revision is 'The number of the last change to a message.';
comment on column chat_conversations.member_version is 'Rises when the members change, or whether they may talk.';
comment on column chat_conversations.created_at is 'When the conversation began.';
comment on column chat_conversations.notice_due_at is
'When members who are offline are to be notified of new messages; null where nothing is new.';
comment on column chat_conversations.abandoned_at is
'When the last member left: messages are removed, and then the conversation.';

create table chat_members (
  conversation_id uuid not null,
  user_id uuid not null,
  membership_id uuid,
  first_sequence bigint not null,
  read_sequence bigint not null,
  is_notified boolean not null default false,
  constraint chat_members_pkey primary key (conversation_id, user_id),
  constraint chat_members_conversation_fkey foreign key (conversation_id) references chat_conversations (id)
  on delete cascade,
  constraint chat_members_sequences check (first_sequence > 0 and read_sequence >= 0)
) with (fillfactor = 70);

create index chat_members_user_idx on chat_members (user_id, conversation_id);

comment on table chat_members is
'Members of conversations, as of now. The conversation''s row is locked before.';
comment on column chat_members.conversation_id is 'The conversation.';
comment on column chat_members.user_id is 'The member.';
comment on column chat_members.membership_id is
'The membership of the group: who joins again has another one; null in a direct conversation.';
comment on column chat_members.first_sequence is 'The first message that the member sees (TR-33).';
comment on column chat_members.read_sequence is 'The last message that the member has read.';
comment on column chat_members.is_notified is
'Whether the member was notified of new messages since being online or reading here last (TR-32).';

create table chat_messages (
  conversation_id uuid not null,
  sequence bigint not null,
  sender_id uuid,
  client_message_id uuid,
  notice text,
  text text not null,
  reply_to bigint,
  picture_id uuid,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  revision bigint not null default 0,
  has_reactions boolean not null default false,
  constraint chat_messages_pkey primary key (conversation_id, sequence),
  constraint chat_messages_client_message_key unique (sender_id, conversation_id, client_message_id),
  constraint chat_messages_conversation_fkey foreign key (conversation_id) references chat_conversations (id),
  constraint chat_messages_notice_known check (notice in ('JOINED', 'LEFT')),
  constraint chat_messages_text_length check (char_length(text) <= 4000),
  constraint chat_messages_sequence_counted check (sequence > 0 and revision >= 0),
  constraint chat_messages_reply_earlier check (reply_to < sequence),
  constraint chat_messages_content check (
    case
      when deleted_at is not null then text = '' and picture_id is null and not has_reactions
      else notice is not null or text <> '' or picture_id is not null
    end
  )
);

create index chat_messages_revision_idx on chat_messages (conversation_id, revision) where revision > 0;
create index chat_messages_words_idx on chat_messages using gin (to_tsvector('simple', text))
where notice is null and deleted_at is null;

comment on table chat_messages is
'Messages. A deleted one stays without content, so that a conversation''s numbers have no gaps (TR-32).';
comment on column chat_messages.conversation_id is 'The conversation.';
comment on column chat_messages.sequence is 'The number in the conversation, from 1 and without gaps.';
comment on column chat_messages.sender_id is
'Who sent it, or whom a notice is about; null for one who deleted the account.';
comment on column chat_messages.client_message_id is
'The id that the sender''s client gave it, so that a repetition adds nothing; null for a notice.';
comment on column chat_messages.notice is 'What the service reports: JOINED or LEFT; null for a user''s message.';
comment on column chat_messages.text is 'The text; empty for a deleted message, a notice, or a picture without text.';
comment on column chat_messages.reply_to is 'The number of the message that it replies to.';
comment on column chat_messages.picture_id is 'The picture that belongs to it: a row of chat_pictures.';
comment on column chat_messages.created_at is 'When it was sent.';
comment on column chat_messages.edited_at is 'When its text was replaced last.';
comment on column chat_messages.deleted_at is 'When it was deleted.';
comment on column chat_messages.revision is 'The number of its last change; 0 while it is as it was sent.';
comment on column chat_messages.has_reactions is 'Whether chat_reactions has rows of it.';

create table chat_reactions (
  conversation_id uuid not null,
  sequence bigint not null,
  user_id uuid not null,
  emoji text not null,
  constraint chat_reactions_pkey primary key (conversation_id, sequence, user_id),
  constraint chat_reactions_message_fkey foreign key (conversation_id, sequence)
  references chat_messages (conversation_id, sequence) on delete cascade,
  constraint chat_reactions_emoji_length check (char_length(emoji) between 1 and 32)
);

create index chat_reactions_user_idx on chat_reactions (user_id);

comment on table chat_reactions is 'Reactions to messages, one of a user to each.';
comment on column chat_reactions.conversation_id is 'The conversation.';
comment on column chat_reactions.sequence is 'The message.';
comment on column chat_reactions.user_id is 'Who reacts.';
comment on column chat_reactions.emoji is 'One emoji.';

create table chat_pictures (
  id uuid not null,
  conversation_id uuid not null,
  uploader_id uuid not null,
  uploaded_at timestamptz not null,
  sequence bigint,
  constraint chat_pictures_pkey primary key (id),
  constraint chat_pictures_message_fkey foreign key (conversation_id, sequence)
  references chat_messages (conversation_id, sequence) on delete cascade,
  constraint chat_pictures_conversation_fkey foreign key (conversation_id) references chat_conversations (id)
  on delete cascade
);

create index chat_pictures_uploader_idx on chat_pictures (uploader_id);
create index chat_pictures_unsent_idx on chat_pictures (uploaded_at) where sequence is null;
create index chat_pictures_message_idx on chat_pictures (conversation_id, sequence);

comment on table chat_pictures is
'Pictures that were uploaded to conversations, the holders of rows of pictures; removed after a day unless sent.';
comment on column chat_pictures.id is 'UUIDv7, made by the service.';
comment on column chat_pictures.conversation_id is 'The conversation.';
comment on column chat_pictures.uploader_id is 'Who uploaded it.';
comment on column chat_pictures.uploaded_at is 'When it was uploaded.';
comment on column chat_pictures.sequence is 'The message that it belongs to; null until it is sent.';

alter table pictures
add constraint pictures_holder_fkey foreign key (holder_id) references chat_pictures (id) on delete cascade;

create table chat_replicas (
  id uuid not null,
  expires_at timestamptz not null,
  constraint chat_replicas_pkey primary key (id)
) with (fillfactor = 50);

comment on table chat_replicas is
'Processes of the service that have streams open. Each renews its lease; one that does not is taken as gone (TR-31).';
comment on column chat_replicas.id is 'Made when the process starts.';
comment on column chat_replicas.expires_at is 'When the lease ends, by the database''s clock.';

create table chat_presence (
  conversation_id uuid not null,
  user_id uuid not null,
  replica_id uuid not null,
  constraint chat_presence_pkey primary key (conversation_id, user_id, replica_id),
  constraint chat_presence_replica_fkey foreign key (replica_id) references chat_replicas (id) on delete cascade
);

create index chat_presence_replica_idx on chat_presence (replica_id);
create index chat_presence_user_idx on chat_presence (user_id);

comment on table chat_presence is
'Who has a conversation open at which process, in however many streams (TR-31).';
comment on column chat_presence.conversation_id is 'The conversation.';
comment on column chat_presence.user_id is 'Who is online.';
comment on column chat_presence.replica_id is 'The process; with its lease the row counts for nothing.';

create table chat_erasures (
  user_id uuid not null,
  constraint chat_erasures_pkey primary key (user_id)
);

comment on table chat_erasures is
'Users who deleted their accounts and of whom messages or reactions may be left: they are removed in parts (C-9).';
comment on column chat_erasures.user_id is 'The user.';

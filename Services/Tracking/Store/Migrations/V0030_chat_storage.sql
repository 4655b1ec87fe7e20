-- How much is stored of each user in conversations, so that a quota is judged without counting messages.
--
-- A version from before counts nothing: what it stores while this one starts is not counted.

create table chat_storage (
  user_id uuid not null,
  messages bigint not null,
  bytes bigint not null,
  constraint chat_storage_pkey primary key (user_id),
  constraint chat_storage_counted check (messages >= 0 and bytes >= 0)
);

comment on table chat_storage is
'What is stored of users in conversations (TR-32); changed with the messages, in their transactions.';
comment on column chat_storage.user_id is 'The user.';
comment on column chat_storage.messages is 'Messages that the user sent, deleted ones included: their numbers stay.';
comment on column chat_storage.bytes is 'Bytes of the texts of messages that were not deleted, in UTF-8.';

insert into chat_storage (user_id, messages, bytes)
select
  sender_id,
  count(*) as messages,
  coalesce(sum(octet_length(text)), 0) as bytes
from chat_messages
where sender_id is not null and notice is null
group by sender_id;

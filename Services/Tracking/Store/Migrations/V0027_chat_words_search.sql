-- The search by the words of messages.
--
-- The first index is empty when it is built, the second one small: writers wait for one look through the messages each.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion

set local lock_timeout = '5s';

create index chat_messages_words_idx on chat_messages
using gin ((words || array_to_tsvector(array['#' || conversation_id::text])))
where words is not null;

create index chat_messages_wordless_idx on chat_messages (conversation_id, sequence)
where words is null and notice is null and deleted_at is null;

drop index chat_messages_search_idx;

-- The search in one's own conversations.
--
-- Messages are few as yet: building the index keeps writers waiting for seconds at most.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion

drop index chat_messages_words_idx;

create index chat_messages_search_idx on chat_messages
using gin ((to_tsvector('simple', text) || array_to_tsvector(array['#' || conversation_id::text])))
where notice is null and deleted_at is null;

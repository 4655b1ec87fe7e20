-- The words that are searched of messages, as the service compares them: without case and accents (SearchedWords). The
-- database has no locale, so it knows neither beyond ASCII.
--
-- The service adds the words of messages that were stored without them, in batches (ChatUpkeep). A replica of the
-- version before knows nothing of words: the trigger removes those of a text that it changes or deletes.
--
-- No row has words yet, so that the constraint holds for all.
-- squawk-ignore-file constraint-missing-not-valid

set local lock_timeout = '5s';

alter table chat_messages add column words tsvector;
alter table chat_messages add constraint chat_messages_words_shown check (
  words is null or (deleted_at is null and notice is null)
) not valid;

comment on column chat_messages.words is
'The words of the text as they are compared; null until the service has added them, and of what is not searched.';

create function forget_chat_words() returns trigger language plpgsql as $$
begin
  new.words := null;
  return new;
end
$$;

comment on function forget_chat_words() is 'Removes the words of a message whose text was changed without them.';

create trigger chat_messages_forget_words before update on chat_messages
for each row
when (
  old.words is not null and new.words is not distinct from old.words
  and (new.text is distinct from old.text or new.deleted_at is not null)
)
execute function forget_chat_words();

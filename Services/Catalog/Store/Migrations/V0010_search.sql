-- Searches that take about as long among a million books as among a thousand (CA-25).
--
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion, ban-drop-function

-- Who searches must not have to read through what waits to get into the index.
drop index books_words_idx;
create index books_words_idx on books using gin (words) with (fastupdate = off) where deleted_at is null;

-- By the most common words of these statistics the service knows which ones are not worth a look into the index.
alter table books alter column words set statistics 300;

create table name_words (
  word text not null,
  constraint name_words_pkey primary key (word)
);

create index name_words_beginning_idx on name_words (left(word, 1), char_length(word));
create index name_words_trigrams_idx on name_words using gin (word extensions.gin_trgm_ops) with (fastupdate = off);

comment on table name_words is
'The words of titles and authors, which misspelt keywords are compared with; a word may outlive the last book that '
'has it.';
comment on column name_words.word is 'As the service spells it: without case and accents.';

insert into name_words (word)
select distinct found.word
from books cross join lateral unnest(string_to_array(books.names, ' ')) as found (word)
where books.deleted_at is null and found.word <> ''
order by found.word;

comment on column books.names is 'The words of title and authors; they are also in name_words.';

drop index books_names_idx;
drop function similar_books(text[], text[], text[]);

-- Which plans are good is known here, and not to a planner that guesses what is asked for: so these are functions.

create function books_with_words(
  rare tsquery, every tsquery, statuses text[], viewer uuid, most bigint
)
returns table (id uuid, score double precision)
language sql stable
set enable_seqscan = off
as $$
  select found.id, ts_rank('{0.1, 0.1, 0.5, 1}', found.words, every, 1)::double precision
  from (
    select books.id, books.words from books
    where books.deleted_at is null and books.words @@ rare
      -- Not a condition that an index could serve: reading the lists of common words takes longer.
      and (books.words @@ every) is true
      and books.status = any(statuses)
      and books.owner_id <> all(array(
        select blocked_id from blocks where blocker_id = viewer
        union all
        select blocker_id from blocks where blocked_id = viewer
      ))
    limit most
  ) as found
$$;

comment on function books_with_words is
'Books with every keyword and how well they fit: the index finds those with the rare ones. A keyword in a title counts '
'ten times one in a description; words that stand in longer texts count less. Of more books than most some are left '
'out.';

create function newest_books_with_words(
  every tsquery, statuses text[], viewer uuid, before uuid, most bigint
)
returns table (id uuid)
language sql stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  select books.id from books
  where books.deleted_at is null and books.words @@ every and books.id < before
    and books.status = any(statuses)
    and books.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = viewer
      union all
      select blocker_id from blocks where blocked_id = viewer
    ))
  order by books.id desc
  limit most
$$;

comment on function newest_books_with_words is
'Books with every keyword, the newest first: books are looked through in that order until there are enough.';

create function words_like(keyword text)
returns table (word text, edits integer)
language sql stable
set "pg_trgm.similarity_threshold" = '0.4'
as $$
  select near.word, near.edits
  from (
    select found.word, extensions.levenshtein_less_equal(keyword, found.word, 2) as edits
    from (
      select name_words.word from name_words
      where left(name_words.word, 1) = left(keyword, 1)
        and char_length(name_words.word) between char_length(keyword) - 2 and char_length(keyword) + 2
      union
      select name_words.word from name_words where name_words.word operator(extensions.%) keyword
    ) as found
  ) as near
  where near.edits <= case when char_length(keyword) < 4 then 1 else 2 end
  order by near.edits, near.word
  limit 20
$$;

comment on function words_like is
'Words of titles and authors that are the keyword but for two letters, one in keywords of up to three; the closest '
'first.';

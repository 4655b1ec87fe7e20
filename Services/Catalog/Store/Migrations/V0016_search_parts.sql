-- The words of books in eight indexes, each of an eighth of them: of words that thousands of books have, one or two of
-- the indexes are read and not the whole of one (CA-25).
--
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion, ban-drop-function

create index books_words_0_idx on books using gin (words) with (fastupdate = off)
where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 0;
create index books_words_1_idx on books using gin (words) with (fastupdate = off)
where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 1;
create index books_words_2_idx on books using gin (words) with (fastupdate = off)
where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 2;
create index books_words_3_idx on books using gin (words) with (fastupdate = off)
where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 3;
create index books_words_4_idx on books using gin (words) with (fastupdate = off)
where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 4;
create index books_words_5_idx on books using gin (words) with (fastupdate = off)
where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 5;
create index books_words_6_idx on books using gin (words) with (fastupdate = off)
where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 6;
create index books_words_7_idx on books using gin (words) with (fastupdate = off)
where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 7;

drop index books_words_idx;
drop function books_with_words(tsquery, tsquery, text[], uuid, bigint);

-- Which plan is good is known here, and not to a planner that guesses what is asked for; it is made once for a
-- connection.
create function books_with_words(
  rare tsquery, every tsquery, statuses text[], viewer uuid, most bigint
)
returns table (id uuid, score double precision)
language plpgsql stable
set enable_seqscan = off
set jit = off
set plan_cache_mode = force_generic_plan
as $$
declare
  hidden uuid[] := array(
    select blocked_id from blocks where blocker_id = viewer
    union all
    select blocker_id from blocks where blocked_id = viewer
  );
begin
  return query
  select found.id, ts_rank('{0.1, 0.1, 0.5, 1}', found.words, every, 1)::double precision
  from (
    -- One after the other, until there are enough. That every keyword occurs is no condition that an index could
    -- serve: reading the lists of common words takes longer.
    select books.id, books.words from books
    where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 0 and books.words @@ rare
      and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
    union all
    select books.id, books.words from books
    where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 1 and books.words @@ rare
      and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
    union all
    select books.id, books.words from books
    where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 2 and books.words @@ rare
      and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
    union all
    select books.id, books.words from books
    where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 3 and books.words @@ rare
      and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
    union all
    select books.id, books.words from books
    where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 4 and books.words @@ rare
      and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
    union all
    select books.id, books.words from books
    where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 5 and books.words @@ rare
      and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
    union all
    select books.id, books.words from books
    where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 6 and books.words @@ rare
      and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
    union all
    select books.id, books.words from books
    where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 7 and books.words @@ rare
      and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
    limit most
  ) as found;
end
$$;

comment on function books_with_words is
'Books with every keyword and how well they fit: the indexes find those with the rare ones. A keyword in a title '
'counts ten times one in a description; words that stand in longer texts count less. Of more books than most '
'some are left out.';

-- Searches list exact titles and names first, and find words whose letters are exchanged (CA-2, CA-10, CA-25).
--
-- Functions that the previous version calls stay for its replicas, which run until this one has started.
-- squawk-ignore-file require-concurrent-index-creation, ban-drop-function

-- The words of the title, which come first among a book's words, without those of the name of a series.
create function title_key_of(title text, words tsvector, isbn bigint) returns text
language sql immutable
as $$
  select left(regexp_replace(
    coalesce(
      nullif(array_to_string(spelled.words[1:cardinality(spelled.words) - series.words], ' '), ''),
      array_to_string(spelled.words, ' ')
    ),
    '^(a|an|the|der|die|das|ein|eine|le|la|les|l|un|une|el|los|las|una|il|lo|gli|de|het|een|o|os|as|um|uma) (?=.)', ''
  ), 200)
  from (
    select coalesce(array_agg(entry.lexeme order by place.position), '{}') as words
    from unnest(words) as entry (lexeme, positions, weights)
    cross join unnest(entry.positions) as place (position)
    where place.position < (
      select min(number.position) from unnest(words) as own (lexeme, positions, weights)
      cross join unnest(own.positions, own.weights) as number (position, weight)
      where own.lexeme = isbn::text and number.weight = 'A'
    )
  ) as spelled
  cross join (
    select count(*)::integer as words
    -- Runs of anything but the signs and spaces of ASCII.
    from regexp_matches(
      translate(coalesce(substring(title from '[(\[].*$'), ''), '''’', ''), '[^ -/:-@\[-`{-~]+', 'g'
    )
  ) as series
$$;
update books
set
  title_key = title_key_of(title, words, isbn),
  -- Of a name with other letters than English ones it is there once the book is edited.
  surname = case
    when char_length(authors[1]) = octet_length(authors[1])
      then coalesce(substring(lower(replace(authors[1], '''', '')) from '([a-z0-9]+)[^a-z0-9]*$'), '')
    else ''
  end
where deleted_at is null;
drop function title_key_of(text, tsvector, bigint);

-- A name with other letters than English ones is found first again once its file is loaded again.
update gyms set
  name_key = left(
    btrim(regexp_replace(lower(replace(name, '''', '')), '[^a-z0-9]+', ' ', 'g')), 200
  )
where char_length(name) = octet_length(name);
update exercises
set name_keys = array[btrim(regexp_replace(lower(replace(name, '''', '')), '[^a-z0-9]+', ' ', 'g'))]
where char_length(name) = octet_length(name);

create index books_title_key_idx on books (title_key) where deleted_at is null;
create index gyms_name_key_idx on gyms (name_key);

create function with_letters_exchanged(keyword text) returns table (word text)
language sql immutable
as $$
  select overlay(keyword placing reverse(substr(keyword, place, 2)) from place for 2)
  from generate_series(1, char_length(keyword) - 1) as place
$$;

comment on function with_letters_exchanged(text) is
'A word with each two neighbouring letters exchanged in turn: a single slip when typing, but two edits.';

create or replace function words_like(keyword text)
returns table (word text, edits integer)
language sql stable
set "pg_trgm.similarity_threshold" = '0.3'
as $$
  select near.word, min(near.edits)
  from (
    select found.word, extensions.levenshtein_less_equal(keyword, found.word, 2) as edits
    from (
      select name_words.word from name_words
      where left(name_words.word, 1) = left(keyword, 1)
        and char_length(name_words.word) between char_length(keyword) - 2 and char_length(keyword) + 2
      union
      select name_words.word from name_words where name_words.word operator(extensions.%) keyword
    ) as found
    union all
    select name_words.word, 1
    from with_letters_exchanged(keyword) as meant
    join name_words on name_words.word = meant.word
    where meant.word <> keyword
  ) as near
  where near.edits <= case when char_length(keyword) < 4 then 1 else 2 end
  group by near.word
  order by min(near.edits), near.word
  limit 20
$$;

comment on function words_like is
'Words of titles and authors that are the keyword but for two letters, one in keywords of up to three; two '
'neighbouring letters that are exchanged count as one. The closest first.';


-- A statement of its own for each query, as before: conditions that stand apart are keys of their own to the index.
create function gyms_with_words(queries text[], words text[], keys text[], most integer)
returns table (id uuid, score double precision)
language plpgsql stable
set synchronize_seqscans = off
set max_parallel_workers_per_gather = 0
as $$
declare
  fits text := (select string_agg(format('gyms.words @@ %L::tsquery', query), ' and ') from unnest(queries) as query);
  has_words text := (select string_agg(format('gyms.words @@ %L::tsquery', word), ' and ') from unnest(words) as word);
begin
  return query execute format(
    $query$
    select candidate.id, (
      case when candidate.name_key = any(%1$L::text[]) then 2 when candidate.words @@ %2$L::tsquery then 1 else 0 end
      + ts_rank('{0.1, 0.1, 0.5, 1}', candidate.words, %3$L::tsquery, 1 | 32)
    )::double precision
    from (
      (select gyms.id, gyms.words, gyms.name_key from gyms where gyms.name_key = any(%1$L::text[]) limit %4$s)
      union all
      (
        select gyms.id, gyms.words, gyms.name_key from gyms
        where %5$s and gyms.name_key <> all(%1$L::text[])
        limit %4$s
      )
      union all
      (
        select gyms.id, gyms.words, gyms.name_key from gyms
        where %6$s and (gyms.words @@ %2$L::tsquery) is false and gyms.name_key <> all(%1$L::text[])
        limit %4$s
      )
      limit %4$s
    ) as candidate
    $query$,
    keys, array_to_string(words, ' & '), array_to_string(queries, ' & '), most, has_words, fits
  );
end
$$;

comment on function gyms_with_words(text[], text[], text[], integer) is
'Gyms that are called one of some keys, then those that fit every one of some words, then every one of some tsqueries; '
'of many the first as they are stored. With how well each does: more is better (CA-2).';

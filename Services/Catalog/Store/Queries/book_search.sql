-- fragment: is_titled(keys)
-- A condition on a row of `books`: one of its titles consists of the keywords.
(title_key = any({{keys}}::text[]) or other_title_keys <> '{}' and other_title_keys && {{keys}}::text[]);

-- fragment: is_found
-- A condition on a row of `books`: it is in a search's scope and its viewer may see it.
deleted_at is null and not on_hold and status = any(:statuses) and {{visible(owner_id, :viewer_id)}} and {{present(owner_id)}};

-- name: BooksWithKeywords :many slow
-- A page of the books in which every keyword occurs, the best first ([CA-25]): exact titles, then books that have every keyword as a word,
-- then those with words that begin with the keywords. A keyword in a title counts ten times one in a description; words that stand in
-- longer texts count less.
-- @query: A `tsquery` of the keywords and of words that begin with them.
-- @rare: A `tsquery` for the index that every book of `query` matches.
-- @whole: A `tsquery` of the keywords as words.
-- @rare_whole: A `tsquery` for the index that every book of `whole` matches.
-- @title_keys: The keys of titles that consist of the keywords.
-- @title_phrase: A `tsquery` of the words in the order in which they were typed, in titles.
-- @author_phrase: As `title_phrase`, in authors' names; `nil` for a single word.
-- @surnames: The single word; empty for several.
-- @statuses [BookStatus]
-- @after_id BookID
-- @score: How well it matches: more is better.
select {{BookColumns}}, rated.score as "score!"
from (
  select scored.id, scored.score
  from (
    select found.id, (
      case
        when found.title_key = any(:title_keys::text[]) or found.other_title_keys && :title_keys::text[] then 6
        -- All of the title, and other keywords, such as the author's name.
        when exists (
          select from unnest(:title_keys::text[]) as typed (title)
          cross join unnest(found.title_key || found.other_title_keys) as own (title)
          where strpos(' ' || typed.title || ' ', ' ' || own.title || ' ') > 0
        ) then 5
        when found.words @@ :author_phrase?::tsquery or found.surname = any(:surnames::text[]) then 4
        when exists (
          select from unnest(:title_keys::text[]) as typed (title)
          cross join unnest(found.title_key || found.other_title_keys) as own (title)
          where starts_with(own.title, typed.title || ' ')
        ) then 3
        when found.words @@ :title_phrase::tsquery then 2
        when found.words @@ :whole::tsquery then 1
        else 0
      -- Less than 1, so that it decides between books of the same kind only.
      end + ts_rank('{0.1, 0.1, 0.5, 1}', found.words, :query::tsquery, 1 | 32)
    )::double precision as score
    from (
      -- One after the other, until there are enough: further books with the keywords are not ranked.
      (
        select id, words, title_key, other_title_keys, surname from books
        where {{is_titled(:title_keys)}} and (words @@ :query::tsquery) is true and {{is_found}}
        limit 500
      )
      union all
      (
        select id, words, title_key, other_title_keys, surname from books
        where words @@ :rare_whole::tsquery
          -- Not a condition that an index could serve: reading the lists of common words takes longer.
          and (words @@ :whole::tsquery) is true
          and not {{is_titled(:title_keys)}} and {{is_found}}
        limit 500
      )
      union all
      (
        select id, words, title_key, other_title_keys, surname from books
        where words @@ :rare::tsquery and (words @@ :query::tsquery) is true and (words @@ :whole::tsquery) is false
          and not {{is_titled(:title_keys)}} and {{is_found}}
        limit 500
      )
      limit 500
    ) as found
  ) as scored
  where :after_score?::double precision is null or (scored.score, scored.id) < (:after_score?, :after_id?)
  order by scored.score desc, scored.id desc
  limit :limit
) as rated
join books as book on book.id = rated.id {{book_users}}
order by rated.score desc, rated.id desc;

-- name: NewestBooksWithKeywords :many slow
-- A page of the books in which every keyword occurs, for common keywords ([CA-25]): exact titles, then the newest.
-- @title_keys: The keys of titles that consist of the keywords.
-- @statuses [BookStatus]
-- @after_score: Of the last book of the previous page.
-- @after_id BookID
-- @score: 1 for an exact title, 0 for another.
select {{BookColumns}}, listed.score as "score!"
from (
  (
    select id, 1::double precision as score from books
    where {{is_titled(:title_keys)}} and (words @@ :query::tsquery) is true and {{is_found}}
      and (:after_score?::double precision is null or (1, id) < (:after_score?, :after_id?))
    order by id desc
    limit :limit
  )
  union all
  (
    select id, 0::double precision as score from books
    where not {{is_titled(:title_keys)}}
      -- Not a condition that the index of words could serve: it would find all of the books before the first is returned.
      and (words @@ :query::tsquery) is true and {{is_found}}
      and id < case when :after_score? = 0 then :after_id?::uuid else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end
    order by id desc
    limit :limit
  )
) as listed
join books as book on book.id = listed.id {{book_users}}
order by listed.score desc, listed.id desc
limit :limit;

-- columns: SimilarWord
-- A known word that is spelt like a keyword.
-- @place: The index of the keyword.
-- @edits: By how many letters they differ; 1 for the keyword itself.
keyword.place - 1 as "place!", alike.word as "word!", greatest(alike.edits, 1) as "edits!";

-- name: WordsLike :many slow
-- Words of titles and authors that are spelt similarly to keywords ([CA-25]), the closest first.
select {{SimilarWord}}
from unnest(:keywords::text[]) with ordinality as keyword (word, place)
cross join lateral words_like(keyword.word) as alike
order by keyword.place, alike.edits, alike.word;

-- name: JudgedBooks :many slow
-- The books that a search in the available ones may find, for an evaluation of searches.
-- @id BookID
select id, isbn, title, other_title_keys, authors from books
where deleted_at is null and status in ('AVAILABLE', 'REQUESTED')
order by id
limit :limit;

-- name: CommonWords :many slow
-- The most common words, by the database's statistics; no row if there are none yet.
-- @share: The share of all books that have it.
-- @books: The number of books.
select
  common.word as "word!", common.share::double precision as "share!",
  greatest(books.reltuples, 0)::double precision as "books!"
from pg_class as books
join pg_namespace as namespace on namespace.oid = books.relnamespace,
  pg_stats as statistics,
  unnest(statistics.most_common_elems::text::text[], statistics.most_common_elem_freqs) as common (word, share)
where books.oid = 'books'::regclass and statistics.schemaname = namespace.nspname
  and statistics.tablename = 'books' and statistics.attname = 'words' and common.word is not null;

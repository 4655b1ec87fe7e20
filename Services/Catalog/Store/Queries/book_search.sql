-- name: BooksWithKeywords :many slow
-- A page of the books in which every keyword occurs, the best first ([CA-25]). A keyword in a title counts ten times one in a description;
-- words that stand in longer texts count less.
-- @rare: A `tsquery` for the index that every book of `query` matches.
-- @statuses [BookStatus]
-- @after_id BookID
-- @score: How well it matches: more is better.
select {{BookColumns}}, rated.score as "score!"
from (
  select scored.id, scored.score
  from (
    select found.id, ts_rank('{0.1, 0.1, 0.5, 1}', found.words, :query::tsquery, 1)::double precision as score
    from (
      select id, words from books
      where deleted_at is null and words @@ :rare::tsquery
        -- Not a condition that an index could serve: reading the lists of common words takes longer.
        and (words @@ :query::tsquery) is true
        and status = any(:statuses) and {{visible(owner_id, :viewer_id)}}
      -- Further books with the keywords are not ranked.
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
-- A page of the books in which every keyword occurs, the newest first, for common keywords ([CA-25]).
-- @statuses [BookStatus]
-- @before BookID: The last book of the previous page.
select {{BookColumns}}
from books as book {{book_users}}
where book.deleted_at is null
  -- Not a condition that the index of words could serve: it would find all of the books before the first is returned.
  and (book.words @@ :query::tsquery) is true
  and book.status = any(:statuses) and {{visible(book.owner_id, :viewer_id)}}
  and book.id < coalesce(:before?::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
order by book.id desc
limit :limit;

-- name: WordsLike :many slow
-- Words of titles and authors that are spelt similarly to keywords ([CA-25]): the closest for each, and the keyword itself if it is one.
-- @place: The index of the keyword.
select keyword.place - 1 as "place!", near.word as "word!"
from unnest(:keywords::text[]) with ordinality as keyword (word, place)
cross join lateral (
  select alike.word, rank() over (order by greatest(alike.edits, 1)) as rank from words_like(keyword.word) as alike
) as near
where near.rank = 1;

-- name: CommonWords :many slow
-- The most common words, by the database's statistics; no row if there are none yet.
-- @share: The share of all books that have it.
-- @books: The number of books.
select
  common.word as "word!", common.share::double precision as "share!",
  greatest(books.reltuples, 0)::double precision as "books!"
from pg_class as books, pg_stats as statistics,
  unnest(statistics.most_common_elems::text::text[], statistics.most_common_elem_freqs) as common (word, share)
where books.oid = 'books'::regclass and statistics.schemaname = current_schema()
  and statistics.tablename = 'books' and statistics.attname = 'words' and common.word is not null;

-- name: BooksWithKeywords :many slow
-- A page of the books in which every keyword occurs, the best first ([CA-25]).
-- @rare: A `tsquery` for the index that every book of `query` matches.
-- @statuses [BookStatus]
-- @after_id BookID
-- @score: How well it matches: more is better.
select {{BookColumns}}, rated.score as "score!"
from (
  -- At most 500 books are ranked; further ones with the keywords are not.
  select id, score from books_with_words(:rare::tsquery, :query::tsquery, :statuses, :viewer_id, 500)
  where :after_score?::double precision is null or (score, id) < (:after_score?, :after_id?)
  order by score desc, id desc
  limit :limit
) as rated
join books as book on book.id = rated.id {{book_users}}
order by rated.score desc, rated.id desc;

-- name: NewestBooksWithKeywords :many slow
-- A page of the books in which every keyword occurs, the newest first, for common keywords ([CA-25]).
-- @statuses [BookStatus]
-- @before BookID: The last book of the previous page.
select {{BookColumns}}
from newest_books_with_words(
  :query::tsquery, :statuses, :viewer_id, coalesce(:before?::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), :limit
) as newest
join books as book on book.id = newest.id {{book_users}}
order by newest.id desc;

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

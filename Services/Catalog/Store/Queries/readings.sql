-- name: UsersReadings :many slow
-- Some of the readings of the service's users, ordered by user and book, so that the next call continues: what they borrowed, and what
-- they rated.
-- @after_user_id UserID
-- @after_isbn ISBN
-- @stars: `nil` for a book that was borrowed and not rated.
with borrowed as (
  -- Both sides begin after the same row and have the requested number of rows, so that loan and rating of a book stay
  -- together. The start is an expression and not "null or", so that it is a condition of the index.
  select distinct borrower_id as user_id, isbn from past_loans
  where (borrower_id, isbn)
    > (coalesce(:after_user_id?, '00000000-0000-0000-0000-000000000000'::uuid), coalesce(:after_isbn?::bigint, 0))
  order by borrower_id, isbn
  limit :limit
), rated as (
  select user_id, isbn, stars from book_ratings
  where (user_id, isbn)
    > (coalesce(:after_user_id?, '00000000-0000-0000-0000-000000000000'::uuid), coalesce(:after_isbn?::bigint, 0))
  order by user_id, isbn
  limit :limit
)
select user_id as "user_id!", isbn as "isbn!", rated.stars
-- Not null in either table, and each row is from one of them at least.
from borrowed full join rated using (user_id, isbn)
order by user_id, isbn
limit :limit;

-- name: CollectionReadings :many slow
-- Some of the ratings of collections, ordered by collection, reader and book, so that the next call continues.
-- @isbn: The book; `nil` if its record is not loaded. The lowest ISBN represents a record.
select rating.source, rating.reader, rating.source_id, edition.isbn, rating.stars
from (
  select source, reader, source_id, stars from reader_ratings
  where (source, reader, source_id)
    > (coalesce(:after_source?, ''), coalesce(:after_reader?::bigint, 0), coalesce(:after_source_id?, ''))
  order by source, reader, source_id
  limit :limit
) as rating
left join lateral (
  select editions.isbn from editions
  where editions.source = rating.source and editions.source_id = rating.source_id
  order by editions.isbn
  limit 1
) as edition on true
order by rating.source, rating.reader, rating.source_id;

-- name: BeginRecommendations :one
-- Begins a computation of recommendations and returns the number of the run.
update recommendation_runs set begun = begun + 1 returning begun;

-- name: EndRecommendations :one
-- Locks the recommendations for a run that is about to store its own; no row if a later run has already done so.
update recommendation_runs set stored = :run where stored < :run returning stored;

-- name: RemoveNeighbours :exec
-- Removes the recommendations, in a transaction that stores new ones.
delete from book_neighbours;

-- name: InsertNeighbours :exec
-- Stores the neighbours of some books.
-- @neighbours: The arrays of an array must have one length: each is passed as text in PostgreSQL's array format.
insert into book_neighbours (isbn, readers, neighbours, weights)
select isbn, readers, neighbours::bigint[], weights::real[]
from unnest(:isbns::bigint[], :readers::integer[], :neighbours::text[], :weights::text[])
  as book (isbn, readers, neighbours, weights);

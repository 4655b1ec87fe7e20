-- columns: StoredRating: Equatable
-- A user's rating of a book.
isbn, title, stars, rated_at;

-- name: TitleOfCopy :one
-- The title of a book without a record: of the user's own last loan of it, or of the first copy visible to the user.
select named.title as "title!"
-- Not null in both tables, which PostgreSQL does not see in a union.
from (
  (
    select title, 1 as step from past_loans where borrower_id = :user_id and isbn = :isbn
    order by borrowed_at desc
    limit 1
  )
  union all
  (
    select copy.title, 2 from books as copy
    where copy.isbn = :isbn and copy.deleted_at is null and {{visible(copy.owner_id, :user_id)}} and {{present(copy.owner_id)}}
    order by copy.id
    limit 1
  )
) as named
order by named.step
limit 1;

-- name: StoreRating :one
-- Stores a rating of a user whom ``EnterUser`` has locked; returns whether the user had not rated the book before.
insert into book_ratings (user_id, isbn, title, stars, rated_at) values (:user_id, :isbn, :title, :stars, :rated_at)
on conflict on constraint book_ratings_pkey do update
set title = excluded.title, stars = excluded.stars, rated_at = excluded.rated_at
returning xmax = 0 as "is_new!";

-- name: RemoveRating :one
-- Removes a rating of a user whom ``EnterUser`` has locked; no row if there was none.
delete from book_ratings where user_id = :user_id and isbn = :isbn returning isbn;

-- name: CountRating :exec
-- Adds a rating to the count of a user whom ``EnterUser`` has locked, or removes one from it.
-- @number: 1 or -1.
update users set ratings = ratings + :number where id = :user_id;

-- name: RatingsBefore :many
-- A page of a user's ratings, the latest first.
-- @before_isbn ISBN
select {{StoredRating}} from book_ratings
where user_id = :user_id
  and (:before_rated_at?::timestamptz is null or (rated_at, isbn) < (:before_rated_at?, :before_isbn?))
order by rated_at desc, isbn desc
limit :limit;

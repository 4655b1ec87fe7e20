-- name: InsertPastLoans :many
-- Stores which books users borrowed, from lending's events; a row for each loan that was not stored before, whose borrower has not deleted
-- the account, and whose book was not removed with its owner.
-- @loan_ids: Lending's.
with reported as (
  select loan_id, borrower_id, book_id, borrowed_at
  from unnest(:loan_ids::uuid[], :borrower_ids::uuid[], :book_ids::uuid[], :times::timestamptz[])
    as loan (loan_id, borrower_id, book_id, borrowed_at)
), present as (
  insert into users (id) select distinct borrower_id from reported order by borrower_id
  on conflict on constraint users_pkey do update set changes = users.changes where not users.deleted
  returning id
)
insert into past_loans (loan_id, borrower_id, isbn, title, borrowed_at)
select reported.loan_id, present.id, book.isbn, book.title, reported.borrowed_at
from reported join present on present.id = reported.borrower_id join books as book on book.id = reported.book_id
on conflict on constraint past_loans_pkey do nothing
returning loan_id;

-- name: AnyPastLoan :one
-- Whether a user ever borrowed a book; no row if not.
select loan_id from past_loans where borrower_id = :user_id limit 1;

-- name: RecommendedBooks :many slow
-- Books that a user may want to borrow next, the best first ([CA-28]): requestable books that are close to those that the user borrowed or
-- rated, then popular ones. None that the user owns, borrowed or rated before, and none for a user without a past loan.
-- @weights_of_stars: The weights of readings, as in ``ReadingWeight/of(_:)``.
-- @past_isbn ISBN: The user's own book that it was recommended for; `nil` if it is only popular.
-- @past_stars: `nil` if that book was borrowed and not rated.
with borrowed as materialized (
  select distinct on (recent.isbn) recent.isbn, recent.title
  from (
    select isbn, title, borrowed_at from past_loans where borrower_id = :user_id order by borrowed_at desc limit 500
  ) as recent
  order by recent.isbn, recent.borrowed_at desc
), rated as materialized (
  select isbn, title, stars, rated_at from book_ratings
  where user_id = :user_id and exists (select from borrowed)
  order by rated_at desc
  limit 500
), past as materialized (
  select isbn, coalesce(rating.title, borrowed.title) as title, rating.stars, rating.rated_at,
    coalesce((:weights_of_stars::real[])[rating.stars], :weight_unrated::real) as weight
  from borrowed full join rated as rating using (isbn)
), close as (
  select near.isbn, sum(near.weight * past.weight)::double precision as score,
    (array_agg(past.isbn order by near.weight * past.weight desc, past.isbn))[1] as because
  from past join book_neighbours as known on known.isbn = past.isbn
  cross join lateral unnest(known.neighbours, known.weights) as near (isbn, weight)
  where past.weight > 0
  group by near.isbn
), popular as (
  -- Below whatever is close.
  select known.isbn, known.readers::double precision * -1 as unpopularity
  from book_neighbours as known
  where exists (select from past)
  order by known.readers desc, known.isbn
  limit 500
), scored as (
  select 0 as step, close.score * -1 as distance, close.isbn, close.because from close
  where close.score > 0
  union all
  select 1, popular.unpopularity, popular.isbn, null from popular
  where popular.isbn not in (select close.isbn from close)
), ranked as (
  select * from scored
  where scored.isbn <> all(array(select isbn from past_loans where borrower_id = :user_id))
    and scored.isbn <> all(array(select isbn from book_ratings where user_id = :user_id))
    and scored.isbn <> all(array(select isbn from books where owner_id = :user_id and deleted_at is null))
  order by scored.step, scored.distance, scored.isbn
)
select
  {{BookColumns}},
  past.isbn as past_isbn, past.title as past_title, past.stars as past_stars, past.rated_at as past_rated_at
from ranked
-- Books are looked up in the order of their scores until there are enough; those with low scores are usually not needed.
cross join lateral (
  select copy.* from books as copy
  where copy.isbn = ranked.isbn and copy.deleted_at is null and not copy.on_hold and copy.status in ('AVAILABLE', 'REQUESTED')
    and copy.owner_id <> :user_id and {{visible(copy.owner_id, :user_id)}} and {{present(copy.owner_id)}}
  order by copy.status_order, copy.id
  limit 1
) as book {{book_users}}
left join past on past.isbn = ranked.because
order by ranked.step, ranked.distance, ranked.isbn
limit :limit;

-- name: BooksOfDeletedAccount :many
-- Some of the books with open requests or loans, or stored data, of a user, in the order of their ids.
select id as "book_id!" from (
-- Not null in any of the tables, which PostgreSQL does not see in a union.
  (select id from books where owner_id = :user_id order by id limit :limit)
  union
  (select distinct book_id from loans where owner_id = :user_id order by book_id limit :limit)
  union
  (select distinct book_id from loans where borrower_id = :user_id order by book_id limit :limit)
  union
  (select distinct book_id from history where actor_id = :user_id order by book_id limit :limit)
) as found
order by id
limit :limit;

-- name: BooksBetween :many
-- Some of the books with pending requests between two users of whom one has blocked the other, in the order of their ids ([C-10]); none if the
-- block was removed meanwhile.
select book_id as "book_id!" from (
-- Not null in loans, which PostgreSQL does not see in a union.
  select book_id from loans where borrower_id = :blocker_id and state = 'PENDING' and owner_id = :blocked_id
  union
  select book_id from loans where borrower_id = :blocked_id and state = 'PENDING' and owner_id = :blocker_id
) as found
where exists (select from blocks where blocker_id = :blocker_id and blocked_id = :blocked_id)
order by book_id
limit :limit;

-- name: BlockedRequests :many
-- Some of the pending requests between users of whom one has blocked the other, in the order of their books' ids ([C-10]).
select book_id as "book_id!", blocker_id as "blocker_id!", blocked_id as "blocked_id!" from (
-- Not null in blocks and loans, which PostgreSQL does not see in a union.
  select loan.book_id, block.blocker_id, block.blocked_id
  from blocks as block
  join loans as loan on loan.borrower_id = block.blocked_id and loan.owner_id = block.blocker_id
  where loan.state = 'PENDING'
  union
  select loan.book_id, block.blocker_id, block.blocked_id
  from blocks as block
  join loans as loan on loan.borrower_id = block.blocker_id and loan.owner_id = block.blocked_id
  where loan.state = 'PENDING'
) as found
order by book_id, blocker_id, blocked_id
limit :limit;

-- name: OpenLoans :many
-- The pending, accepted and borrowed loans of a user, as owner or borrower, of a book that the transaction has locked.
{{selected_loans}}
where loan.book_id = :book_id and (loan.owner_id = :user_id or loan.borrower_id = :user_id)
  and loan.state in ('PENDING', 'ACCEPTED', 'BORROWED')
order by loan.id;

-- name: ReturnsToComplete :many slow
-- Some of the borrowed loans of which a party confirmed the return and a party has deleted the account, in the order of their books' ids.
select id from loans
where state = 'BORROWED' and (owner_id is null or borrower_id is null)
  and (returned_by_owner_at is not null or returned_by_borrower_at is not null)
order by book_id
limit :limit;

-- name: ForgetActor :exec
-- Removes a user who deleted the account from the history of a book.
update history set actor_id = null where actor_id = :user_id and book_id = :book_id;

-- name: ForgetParty :exec
-- Removes a user who deleted the account, and the user's texts, from the loans of a book.
update loans
set
  owner_id = nullif(owner_id, :user_id), borrower_id = nullif(borrower_id, :user_id),
  comment = case when borrower_id = :user_id then null else comment end,
  commented_at = case when borrower_id = :user_id then null else commented_at end,
  owner_username = case when owner_id = :user_id then '' else owner_username end,
  description = case when owner_id = :user_id then '' else description end,
  pickup_latitude = case when owner_id = :user_id then null else pickup_latitude end,
  pickup_longitude = case when owner_id = :user_id then null else pickup_longitude end,
  pickup_country = case when owner_id = :user_id then null else pickup_country end,
  pickup_city = case when owner_id = :user_id then null else pickup_city end,
  pickup_address = case when owner_id = :user_id then null else pickup_address end,
  pickup_at = case when owner_id = :user_id then null else pickup_at end,
  found_latitude = case when owner_id = :user_id then null else found_latitude end,
  found_longitude = case when owner_id = :user_id then null else found_longitude end,
  found_precision_m = case when owner_id = :user_id then null else found_precision_m end,
  found_exactness = case when owner_id = :user_id then null else found_exactness end,
  nearby_name = case when owner_id = :user_id then null else nearby_name end,
  nearby_city = case when owner_id = :user_id then null else nearby_city end,
  nearby_country = case when owner_id = :user_id then null else nearby_country end,
  nearby_m = case when owner_id = :user_id then null else nearby_m end
where book_id = :book_id and (owner_id = :user_id or borrower_id = :user_id);

-- name: ForgetOwner :exec
-- Removes the owner of a book who deleted the account; an available book is retired.
update books
set
  owner_id = null, description = '',
  retired_at = case when status = 'AVAILABLE' then coalesce(retired_at, :now) end
where id = :book_id and owner_id = :user_id;

-- name: ReleaseOrphan :exec
-- Removes the loan from a book if both parties deleted their accounts: it cannot be returned.
update books set status = 'AVAILABLE', loan_id = null
where id = :book_id and owner_id is null
  and exists (select from loans where loans.id = books.loan_id and owner_id is null and borrower_id is null);

-- name: DeleteOrphans :exec
-- Deletes the loans of a book whose parties both deleted their accounts, with their history.
delete from loans where book_id = :book_id and owner_id is null and borrower_id is null;

-- name: DeleteOrphan :exec
-- Deletes a book without owner and without loans.
delete from books where id = :book_id and owner_id is null and not exists (select from loans where book_id = :book_id);

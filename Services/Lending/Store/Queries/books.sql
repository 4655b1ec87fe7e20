-- columns: BookColumns as StoredBook
-- The columns of a row `book`.
book.id, book.owner_id, book.isbn, book.status, book.waiting,
book.retired_at is not null or book.owner_id is null as "is_retired!", book.held_at, book.title, book.description;

-- name: PutBook :exec
-- Stores what the catalog reports about a book whose owner has a row; see ``keep(in:)``.
--
-- Other columns, such as the status, stay. An empty description does not replace the stored one. Books of a user who has deleted the
-- account are not stored: the owner's row is locked, so that no account deletion is stored meanwhile ([C-9]).
-- @description: Empty if it is not known.
with owner as materialized (
  select deleted from users where id = :owner_id for share
)
insert into books (id, owner_id, isbn, title, description)
select :book_id, :owner_id, :isbn, :title, :description from owner where not deleted
on conflict on constraint books_pkey do update
set title = excluded.title,
  description = case when excluded.description = '' then books.description else excluded.description end
where books.owner_id is not null
  and (books.title, books.description) is distinct from (excluded.title, excluded.description);

-- name: PutBooks :exec
-- As ``PutBook``, for several books, each once.
-- @book_ids: Each with the values at the same position of the other arrays.
with reported as (
  select book_id, owner_id, isbn, title, description
  from unnest(:book_ids::uuid[], :owner_ids::uuid[], :isbns::bigint[], :titles::text[], :descriptions::text[])
    as book (book_id, owner_id, isbn, title, description)
), owner as materialized (
  select id from users where id = any(:owner_ids::uuid[]) and not deleted order by id for share
)
insert into books (id, owner_id, isbn, title, description)
select reported.book_id, owner.id, reported.isbn, reported.title, reported.description
from reported join owner on owner.id = reported.owner_id
order by reported.book_id
on conflict on constraint books_pkey do update
set title = excluded.title,
  description = case when excluded.description = '' then books.description else excluded.description end
where books.owner_id is not null
  and (books.title, books.description) is distinct from (excluded.title, excluded.description);

-- name: KnownBook :one
-- Whether all details that requests copy are known; no row for an unknown book.
select book.description <> '' and coalesce(owner.username, '') <> '' as "is_complete!"
from books as book left join users as owner on owner.id = book.owner_id
where book.id = :book_id;

-- name: LockedBook :one
-- A book, locked until the transaction ends.
select {{BookColumns}} from books as book where book.id = :book_id for update;

-- name: LockedBookOfLoan :one
-- The book of a loan, locked until the transaction ends; the book of a loan never changes.
select {{BookColumns}} from books as book where book.id = (select book_id from loans where id = :loan_id) for update;

-- name: LockBooks :exec
-- Locks books until the transaction ends, in the order of their ids.
select from books where id = any(:book_ids::uuid[]) order by id for update;

-- name: BookOfOwner :one
-- A book that a user owns, even if it was deleted; no row for a book of another user.
select {{BookColumns}} from books as book where book.id = :book_id and book.owner_id = :owner_id;

-- name: MarkRetired :one
-- Retires a book that the transaction has locked; returns since when it is retired.
update books set retired_at = coalesce(retired_at, :now) where id = :book_id returning retired_at as "retired_at!";

-- name: RetireAvailableBooks :exec
-- Retires those of some books that are available; the rows are locked in the order of their ids.
with book as (
  select id from books where id = any(:book_ids) and status = 'AVAILABLE' order by id for update
)
update books set retired_at = coalesce(books.retired_at, :now) from book where books.id = book.id;

-- name: HoldBook :exec
-- Withholds an available book that the transaction has locked ([CA-29]).
update books set held_at = coalesce(held_at, :now) where id = :book_id;

-- name: ReleaseBook :exec
-- Releases a book that the transaction has locked ([CA-29]).
update books set held_at = null where id = :book_id;

-- name: StatusesOfBooks :many slow
-- The status and borrower of some books.
select book.id as book_id, book.status, loan.borrower_id, book.held_at is not null as "is_held!"
from books as book left join loans as loan on loan.id = book.loan_id
where book.id = any(:book_ids);

-- name: BooksWaitedFor :many
-- The books, among those given, for which a user has a pending request.
select book_id from loans where borrower_id = :borrower_id and state = 'PENDING' and book_id = any(:book_ids);

-- name: RequestedBooks :many
-- A page of an owner's books that have been requested, by id ([LE-3]): the first step of a book is a request.
-- @after BookID: The last book of the previous page.
select id as book_id, title, isbn, waiting from books
where owner_id = :owner_id and steps > 0 and id > {{after(:after?)}}
order by id
limit :limit;

-- name: ForgetDescriptions :exec
-- Clears descriptions, so that the catalog is asked for them again after events were missed; the rows are locked in the order of their ids.
with book as (
  select id from books where description <> '' order by id for update
)
update books set description = '' from book where books.id = book.id;

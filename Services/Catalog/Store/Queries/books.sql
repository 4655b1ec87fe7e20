-- columns: BookColumns as StoredBook
-- The columns of a row `book`, joined by {{book_users}}.
-- @photo_ids: In the order in which they were added.
book.id as "id!", book.owner_id as "owner_id!", coalesce(owner.username, '') as "owner_username!", book.isbn as "isbn!",
book.title as "title!", book.authors as "authors!", book.description as "description!", book.year,
book.language as "language!", book.status as "status!", book.borrower_id, coalesce(borrower.username, '') as "borrower_username!",
array(select picture.id from pictures as picture where picture.holder_id = book.id order by picture.id) as "photo_ids!",
book.revision as "revision!", book.created_at as "created_at!", book.updated_at as "updated_at!";

-- fragment: book_users
-- Joins the usernames of owner and borrower to a row `book`.
left join users as owner on owner.id = book.owner_id left join users as borrower on borrower.id = book.borrower_id;

-- fragment: keeping_words(names)
-- A part of a statement that stores a book: adds the new words of its titles and authors, which misspelt keywords are compared with, in an
-- order in which two such statements cannot deadlock.
named as (
  insert into name_words (word)
  select distinct found.word from unnest(string_to_array({{names}}, ' ')) as found (word)
  where found.word <> '' order by found.word
  on conflict on constraint name_words_pkey do nothing
);

-- name: InsertBook :one
-- Adds a book of a user, with the change number from ``NextBookChange``.
-- @names: The words of title and authors, separated by spaces.
-- @language: Empty if it is unknown.
-- @words: A `tsvector` of all that a search looks at.
with {{keeping_words(:names)}}, book as (
  insert into books (
    id, owner_id, isbn, title, authors, description, year, language, words, names, change, created_at, updated_at
  )
  values (
    :book_id, :owner_id, :isbn, :title, :authors, :description, :year?, :language, :words::tsvector, :names, :change, :now,
    :now
  )
  returning *
)
select {{BookColumns}} from book {{book_users}};

-- name: BookByID :one
-- A book that was not deleted, if the viewer may see it ([C-10]).
select {{BookColumns}} from books as book {{book_users}}
where book.id = :book_id and book.deleted_at is null and {{visible(book.owner_id, :viewer_id)}};

-- name: KnownBook :one
-- A book that was not deleted, for any viewer: for other services, and for the service's own use.
select {{BookColumns}} from books as book {{book_users}} where book.id = :book_id and book.deleted_at is null;

-- name: LockedBook :one
-- A book that was not deleted, if the viewer may see it ([C-10]), locked until the transaction ends.
select {{BookColumns}} from books as book {{book_users}}
where book.id = :book_id and book.deleted_at is null and {{visible(book.owner_id, :viewer_id)}}
for update of book;

-- name: ReplaceBook :one
-- Replaces the owner's fields of a book that the transaction has locked, and gives it its next revision.
-- @names: The words of title and authors, separated by spaces.
-- @language: Empty if it is unknown.
-- @words: A `tsvector` of all that a search looks at.
with {{keeping_words(:names)}}, book as (
  update books
  set title = :title, authors = :authors, description = :description, year = :year?, language = :language,
    words = :words::tsvector, names = :names, change = :change, updated_at = :now, revision = revision + 1
  where id = :book_id
  returning *
)
select {{BookColumns}} from book {{book_users}};

-- name: MarkBookDeleted :exec
-- Deletes a book that the transaction has locked: it disappears from all lists except those of changes ([CA-24], [C-11]). The caller has
-- checked that it is available; the stored status may be outdated.
with book as (
  update books
  set deleted_at = :now, updated_at = :now, change = :change, revision = revision + 1, status = 'AVAILABLE',
    borrower_id = null
  where id = :book_id and deleted_at is null
  returning owner_id
)
update users set books = users.books - 1 from book where users.id = book.owner_id;

-- name: SetBookStatus :exec
-- Stores a book's status from lending's events: lending alone changes a status ([CA-23]).
--
-- The owner's row is locked first, as by every other change of a book. It has no effect on a book that does not exist any more or already
-- has this status. A borrower who has deleted the account is not stored: the borrower's row is locked too, so that no id is stored after
-- the account deletion ([C-9]).
-- @borrower_id: The user whose request was accepted or who has the book; `nil` while it is available or requested.
with borrower as materialized (
  select deleted from users where id = :borrower_id? for share
), change as (
  update users set changes = users.changes + 1
  from books where books.id = :book_id and books.deleted_at is null and users.id = books.owner_id
    and (books.status, books.borrower_id) is distinct from (:status, :borrower_id?)
  returning users.id as owner_id, users.changes as number
)
update books
set status = :status, borrower_id = case when not exists (select from borrower where deleted) then :borrower_id? end,
  change = change.number, updated_at = :now, revision = revision + 1
from change where books.id = :book_id and books.owner_id = change.owner_id and books.deleted_at is null;

-- name: CountPhoto :exec
-- Counts a photograph that the transaction adds to a book that it has locked, or removes from it: a change of the book like others.
-- @number: 1 or -1.
-- @change: From ``NextBookChange``.
update books set photos = photos + :number, change = :change, updated_at = :now, revision = revision + 1
where id = :book_id;

-- fragment: formerly(since)
-- What the position of a row `book` in the order of statuses was at a change number of its owner.
coalesce(
  (
    select former.place from unnest(book.status_changes, book.former_orders) as former (change, place)
    where former.change > {{since}} order by former.change limit 1
  ),
  book.status_order
);

-- name: BooksOfOwner :many
-- A page of a user's books, by the status that they had when the first page was read, and then in the order in which they were added
-- ([CA-22], [C-5]). The few books that changed since then are read apart, as their present status is another.
-- @status: Only books that have this status now; `nil` for all.
-- @since: The owner's change number when the first page was read; `nil` for the first page.
-- @status_order: The position of its former status in the list's order.
-- @changes: The owner's change number now.
-- @after_id BookID
select
  {{BookColumns}}, listed.place as "status_order!",
  (select counted.changes from users as counted where counted.id = :owner_id) as "changes!"
from (
  (
    select book.id, book.status_order::bigint as place from books as book
    where book.owner_id = :owner_id and book.deleted_at is null and (:status?::text is null or book.status = :status?)
      and (:since?::bigint is null or book.change <= :since?)
      and (:after_order?::bigint is null or (book.status_order, book.id) > (:after_order?, :after_id?))
    order by book.status_order, book.id
    limit :limit
  )
  union all
  (
    select book.id, {{formerly(:since?)}}::bigint as place from books as book
    where book.owner_id = :owner_id and book.deleted_at is null and (:status?::text is null or book.status = :status?)
      and book.change > :since?
      and (:after_order?::bigint is null or ({{formerly(:since?)}}, book.id) > (:after_order?, :after_id?))
    order by place, book.id
    limit :limit
  )
) as listed
join books as book on book.id = listed.id {{book_users}}
order by listed.place, book.id
limit :limit;

-- name: ChangedBooks :many
-- A user's books that changed after a change number, in the order of their last changes ([C-11]).
-- @deleted_at: `nil` unless it was deleted.
select {{BookColumns}}, book.change, book.deleted_at
from books as book {{book_users}}
where book.owner_id = :owner_id and book.change > :after
order by book.change
limit :limit;

-- name: ShownBooks :many slow
-- The stored status of books that were not deleted, in the order of their ids: for a pass over all books.
-- @after BookID
select id, status, borrower_id from books where id > :after and deleted_at is null order by id limit :limit;

-- name: DeleteBooksOfUser :exec
-- Removes a user's books, with the comments of others on them ([C-9]).
delete from books where owner_id = :user_id;

-- name: ForgetBorrower :exec
-- Removes the user as the borrower of books ([C-9]). Their status changes with lending's events.
update books set borrower_id = null where borrower_id = :user_id;

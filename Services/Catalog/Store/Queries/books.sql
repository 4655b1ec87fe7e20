-- columns: BookColumns as StoredBook
-- The columns of a row `book`, joined by {{book_users}}.
-- @photo_ids: In the order in which they were added.
book.id as "id!", book.owner_id as "owner_id!", coalesce(owner.username, '') as "owner_username!", book.isbn as "isbn!",
-- Not null in books, which PostgreSQL does not see where a statement takes them from what it has stored.
book.title as "title!", book.authors as "authors!", book.description as "description!", book.year,
book.language as "language!", book.status as "status!", book.on_hold as "on_hold!", book.borrower_id, coalesce(borrower.username, '') as "borrower_username!",
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
-- @names: The words of titles and authors, separated by spaces.
-- @language: Empty if it is unknown.
-- @words: A `tsvector` of all that a search looks at.
-- @title_key: What the title is looked up by.
-- @other_title_keys: What its records' other titles are looked up by.
-- @surname: The last word of the first author's name.
with {{keeping_words(:names)}}, book as (
  insert into books (
    id, owner_id, isbn, title, authors, description, year, language, words, names, title_key, other_title_keys, surname,
    change, created_at, updated_at
  )
  values (
    :book_id, :owner_id, :isbn, :title, :authors, :description, :year?, :language, :words::tsvector, :names, :title_key,
    :other_title_keys::text[], :surname, :change, :now, :now
  )
  returning *
)
select {{BookColumns}} from book {{book_users}};

-- name: BookByID :one
-- A book that was not deleted, if the viewer may see it ([C-10]).
select {{BookColumns}} from books as book {{book_users}}
where book.id = :book_id and book.deleted_at is null and {{visible(book.owner_id, :viewer_id)}} and {{present(book.owner_id)}};

-- name: KnownBook :one
-- A book that was not deleted, for any viewer: for other services, and for the service's own use.
select {{BookColumns}} from books as book {{book_users}}
where book.id = :book_id and book.deleted_at is null and {{present(book.owner_id)}};

-- name: LockedBook :one
-- A book that was not deleted, if the viewer may see it ([C-10]), locked until the transaction ends.
select {{BookColumns}} from books as book {{book_users}}
where book.id = :book_id and book.deleted_at is null and {{visible(book.owner_id, :viewer_id)}} and {{present(book.owner_id)}}
for update of book;

-- name: ReplaceBook :one
-- Replaces the owner's fields of a book that the transaction has locked, and gives it its next revision.
-- @names: The words of titles and authors, separated by spaces.
-- @language: Empty if it is unknown.
-- @words: A `tsvector` of all that a search looks at.
-- @title_key: What the title is looked up by.
-- @other_title_keys: What its records' other titles are looked up by.
-- @surname: The last word of the first author's name.
with {{keeping_words(:names)}}, book as (
  update books
  set title = :title, authors = :authors, description = :description, year = :year?, language = :language,
    words = :words::tsvector, names = :names, title_key = :title_key, other_title_keys = :other_title_keys::text[],
    surname = :surname,
    change = :change, updated_at = :now, revision = revision + 1
  where id = :book_id
  returning *
)
select {{BookColumns}} from book {{book_users}};

-- name: BooksWithoutTitleKey :many slow
-- A page of the books that replicas of a version without title keys have added, in the order of their ids.
-- @before BookID: The last one of the previous page.
select id, title, authors from books
where title_key = '' and deleted_at is null and (:before?::uuid is null or id > :before?)
order by id
limit :limit;

-- name: FillTitleKeys :exec
-- Stores what titles are looked up by, unless the title was changed since it was read, or another transaction has the book: as none is waited
-- for, there is no deadlock with batches of changes.
-- @book_ids: Each with its title, key and surname at the same position.
with free as (
  select id from books where id = any(:book_ids) and title_key = '' for no key update skip locked
)
update books set title_key = found.title_key, surname = found.surname
from free
join unnest(:book_ids, :titles::text[], :title_keys::text[], :surnames::text[])
  as found (book_id, title, title_key, surname) on found.book_id = free.id
where books.id = free.id and books.title = found.title;

-- name: MarkBookDeleted :exec
-- Deletes a book that the transaction has locked: it disappears from all lists except those of changes ([CA-24], [C-11]). The caller has
-- checked that it is available; the stored status may be outdated.
with book as (
  update books
  set deleted_at = :now, updated_at = :now, change = :change, revision = revision + 1, status = 'AVAILABLE',
    borrower_id = null
  where id = :book_id and deleted_at is null
  returning id, owner_id
), shares as (
  delete from book_shares using book where book_shares.book_id = book.id
)
update users set books = users.books - 1 from book where users.id = book.owner_id;

-- name: HoldUsersOfBooks :exec
-- Locks the rows of the owners of some books, and of other users, who are entered where they are not known, in the order of their ids: the first
-- lock of a transaction that changes what many users have, so that two of them do not deadlock. A row that is there is locked and not written.
insert into users (id)
select named.id from (
  select owner_id from books where books.id = any(:book_ids) union select unnest(:user_ids::uuid[])
) as named (id)
order by named.id
on conflict on constraint users_pkey do update set deleted = users.deleted where false;

-- name: SetBookStatuses :exec
-- Stores the statuses of some books from lending's events, each book once: lending alone changes a status ([CA-23]). ``HoldUsersOfBooks``
-- has locked the owners and the borrowers, as by every other change of a book.
--
-- It has no effect on a book that does not exist any more or already has this status. A borrower who has deleted the account is not
-- stored ([C-9]).
-- @book_ids: Each with the status at the same position of `statuses`.
-- @statuses [BookStatus]
-- @held_book_ids [BookID]: Those of them that are accepted or borrowed, each with its borrower at the same position of `borrower_ids`.
with reported as (
  select given.book_id, given.status, borrower.id as borrower_id, given.place
  from unnest(:book_ids::uuid[], :statuses::text[]) with ordinality as given (book_id, status, place)
  left join unnest(:held_book_ids::uuid[], :borrower_ids::uuid[]) as held (book_id, borrower_id)
    on held.book_id = given.book_id
  left join users as deleted on deleted.id = held.borrower_id and deleted.deleted
  left join lateral (select held.borrower_id where deleted.id is null) as borrower (id) on true
), moved as materialized (
  select books.id, books.owner_id, reported.status, reported.borrower_id,
    row_number() over (partition by books.owner_id order by reported.place) as number
  from reported join books on books.id = reported.book_id and books.deleted_at is null
  where (books.status, books.borrower_id) is distinct from (reported.status, reported.borrower_id)
), owner as (
  update users set changes = users.changes + counted.books
  from (select owner_id, count(*) as books from moved group by owner_id) as counted
  where users.id = counted.owner_id
  returning users.id, users.changes - counted.books as change
)
update books
set status = moved.status, borrower_id = moved.borrower_id, change = owner.change + moved.number, updated_at = :now,
  revision = books.revision + 1
from moved join owner on owner.id = moved.owner_id
where books.id = moved.id;

-- name: SetBookHolds :exec
-- Stores which books are on hold from lending's events, each book once ([CA-29]). ``HoldUsersOfBooks`` has locked the owners. It has no effect
-- on a book that does not exist any more, or was reported before.
-- @book_ids: Each with the value at the same position of `holds`.
with reported as (
  select given.book_id, given.on_hold, given.place
  from unnest(:book_ids::uuid[], :holds::boolean[]) with ordinality as given (book_id, on_hold, place)
), moved as materialized (
  select books.id, books.owner_id, reported.on_hold,
    row_number() over (partition by books.owner_id order by reported.place) as number
  from reported join books on books.id = reported.book_id and books.deleted_at is null
  where books.on_hold <> reported.on_hold
), owner as (
  update users set changes = users.changes + counted.books
  from (select owner_id, count(*) as books from moved group by owner_id) as counted
  where users.id = counted.owner_id
  returning users.id, users.changes - counted.books as change
)
update books
set on_hold = moved.on_hold, change = owner.change + moved.number, updated_at = :now, revision = books.revision + 1
from moved join owner on owner.id = moved.owner_id
where books.id = moved.id;

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
select id, status, borrower_id, on_hold from books where id > :after and deleted_at is null order by id limit :limit;

-- name: ForgetBorrower :exec
-- Removes the user as the borrower of books ([C-9]). Their status changes with lending's events.
update books set borrower_id = null where borrower_id = :user_id;

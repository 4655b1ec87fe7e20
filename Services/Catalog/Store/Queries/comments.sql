-- columns: StoredComment
-- A stored comment: a row `comment`, joined by {{comment_author}}.
-- @author_username: Empty until identity has reported it.
comment.id, comment.author_id, coalesce(author.username, '') as "author_username!", comment.text, comment.created_at,
comment.edited_at;

-- fragment: comment_author
-- Joins the author to a row `comment`.
left join users as author on author.id = comment.author_id;

-- name: InsertComment :one
-- Stores a comment of a user whom ``EnterUser`` has locked; no row if the book does not exist any more, or its owner is not visible to the
-- user ([C-10]).
with comment as (
  insert into comments (id, book_id, author_id, text, created_at)
  select :comment_id, book.id, :author_id, :text, :now from books as book
  where book.id = :book_id and book.deleted_at is null and {{visible(book.owner_id, :author_id)}} and {{present(book.owner_id)}}
  for share
  returning *
)
select {{StoredComment}} from comment {{comment_author}};

-- name: CountComments :one
-- How many comments a user whom ``EnterUser`` has locked has on a book, and on all books: by an index, and no more than are needed to refuse
-- another.
select
  (select count(*) from comments where author_id = :author_id and book_id = :book_id) as "of_book!",
  (select count(*) from (select from comments where author_id = :author_id limit :limit) as written) as "in_all!";

-- name: LockedComment :one
-- The author of a comment and the owner of its book, locked until the transaction ends; no row if the viewer may not see it ([C-10]).
-- @book_owner_id UserID
select comment.author_id, book.owner_id as book_owner_id
from comments as comment join books as book on book.id = comment.book_id
where comment.id = :comment_id and book.deleted_at is null and {{visible(book.owner_id, :viewer_id)}} and {{present(book.owner_id)}}
  and {{visible(comment.author_id, :viewer_id)}} and {{present(comment.author_id)}}
for update of comment;

-- name: EditComment :one
-- Changes the text of a comment that the transaction has locked.
with comment as (
  update comments set text = :text, edited_at = :now where id = :comment_id returning *
)
select {{StoredComment}} from comment {{comment_author}};

-- name: RemoveComment :exec
-- Removes a comment that the transaction has locked. One on a return is not stored again, as its loan stays noted.
delete from comments where id = :comment_id;

-- name: InsertReturnComments :exec
-- Stores borrowers' comments on returns, once for each loan ([LE-10]). Skipped are comments that are already stored, whose book does not
-- exist any more, or whose author has deleted the account: the authors' rows are locked, so that nothing is stored after the account
-- deletion ([C-9]).
-- @loan_ids: Lending's.
with reported as (
  select id, loan_id, book_id, author_id, text, said_at
  from unnest(
    :comment_ids::uuid[], :loan_ids::uuid[], :book_ids::uuid[], :author_ids::uuid[], :texts::text[],
    :times::timestamptz[]
  ) as comment (id, loan_id, book_id, author_id, text, said_at)
), present as (
  insert into users (id) select distinct author_id from reported order by author_id
  on conflict on constraint users_pkey do update set deleted = users.deleted where not users.deleted
  returning id
), noted as (
  insert into return_comments (loan_id, book_id)
  select reported.loan_id, book.id
  from reported join present on present.id = reported.author_id
  join books as book on book.id = reported.book_id and book.deleted_at is null
  on conflict on constraint return_comments_pkey do nothing
  returning loan_id
)
insert into comments (id, book_id, author_id, text, created_at)
select reported.id, reported.book_id, reported.author_id, reported.text, reported.said_at
from reported join noted on noted.loan_id = reported.loan_id;

-- name: LoansWithoutComment :many slow
-- The loans, among those given, of which no comment is stored.
select reported.id as "loan_id!" from unnest(:loan_ids::uuid[]) as reported (id)
where not exists (select from return_comments where loan_id = reported.id);

-- name: CommentsBefore :many
-- A page of the comments on a book whose authors are visible to the viewer, the newest first ([CA-27], [C-10]).
-- @before CommentID: The last comment of the previous page.
select {{StoredComment}}
from comments as comment {{comment_author}}
where comment.book_id = :book_id and (:before?::uuid is null or comment.id < :before?)
  and {{visible(comment.author_id, :viewer_id)}} and {{present(comment.author_id)}}
order by comment.id desc
limit :limit;

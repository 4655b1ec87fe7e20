-- columns: StoredBookShare
-- A stored link to a book.
share.id, share.book_id, share.created_at;

-- name: InsertBookShare :one
-- Stores a link to a book that the transaction has locked; no row if the book has the most links.
insert into book_shares as share (id, book_id, place, owner_id, token_hash, created_at)
select :book_share_id, :book_id, free.place, :owner_id, :token_hash, :now
from generate_series(1, 20) as free (place)
where not exists (select from book_shares where book_id = :book_id and book_shares.place = free.place)
order by free.place
limit 1
returning {{StoredBookShare}};

-- name: SharesOfBook :many
-- The links to a book, the newest first: there are 20 at most.
select {{StoredBookShare}} from book_shares as share where share.book_id = :book_id order by share.id desc;

-- name: DeleteBookShare :one
-- Removes one of a user's links; no row if it does not exist.
delete from book_shares where id = :book_share_id and owner_id = :owner_id returning id;

-- name: SharedBookByToken :one
-- The book that a link shares, unless it was deleted or is on hold ([CA-29]), with its oldest photograph.
-- @photo: Its file in the size that fits into 256 by 256 pixels; `nil` without one.
-- @photo_media_type: Of `photo`.
select
  book.id as book_id, book.isbn, book.title, book.authors, book.year, book.language, photo.bytes as photo,
  photo.media_type as photo_media_type
from book_shares as share
join books as book on book.id = share.book_id
left join lateral (
  select
    rendition.media_type,
    (
      select string_agg(chunk.bytes, ''::bytea order by chunk.number) from picture_chunks as chunk
      where chunk.picture_id = rendition.picture_id and chunk.size = rendition.size
    ) as bytes
  from pictures as picture
  join picture_renditions as rendition on rendition.picture_id = picture.id and rendition.size = 'THUMBNAIL_256'
  where picture.holder_id = book.id
  order by picture.id
  limit 1
) as photo on true
where share.token_hash = :token_hash and book.deleted_at is null and not book.on_hold
  and {{present(share.owner_id)}};

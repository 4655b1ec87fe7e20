-- name: InsertPicture :exec
-- Adds a picture.
insert into pictures (id, holder_id, content_hash, uploaded_at)
values (:picture_id, :holder_id, :content_hash, :uploaded_at);

-- name: InsertRendition :exec
-- Adds one size of a picture.
insert into picture_renditions (picture_id, size, media_type, width, height, byte_count)
values (:picture_id, :size, :media_type, :width, :height, :byte_count);

-- name: InsertChunk :exec
-- Adds a chunk of a rendition's file.
insert into picture_chunks (picture_id, size, number, bytes) values (:picture_id, :size, :number, :bytes);

-- columns: RenditionColumns as StoredPicture.Rendition
-- One size of a picture.
size, media_type, width, height, byte_count;

-- name: RenditionsOfHolder :many
-- The pictures of a holder in all their sizes, one row for each size; the oldest first, then the largest size.
select id, content_hash, uploaded_at, {{RenditionColumns as rendition}}
from pictures join picture_renditions on picture_id = id
where holder_id = :holder_id
order by id, size;

-- name: DeletePictures :many
-- Removes every picture of a holder; one row for each.
delete from pictures where holder_id = :holder_id returning id;

-- name: DeletePicture :one
-- Removes one picture of a holder; no row where there is none.
delete from pictures where id = :picture_id and holder_id = :holder_id returning id;

-- name: PictureChunk :one
-- One chunk of a rendition's file; no row when the picture is gone.
select bytes from picture_chunks where picture_id = :picture_id and size = :size and number = :number;

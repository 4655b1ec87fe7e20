-- columns: StoredNote
id, text, rank, colour;

-- name: InsertNote :exec
-- Adds a note. A colour that is an id stands for a parent, which the commit looks for.
insert into notes (id, text, rank, colour, parent_id)
values (:note_id, :text, :rank, :colour, case when length(:colour) = 36 then (:colour::text)::uuid end);

-- name: LockedNote :one
-- A note, locked until the transaction ends.
select {{StoredNote}} from notes where id = :note_id for update;

-- name: ReplaceNote :exec
-- Replaces what a note says.
update notes set text = :text, rank = :rank, colour = :colour where id = :note_id;

-- name: NotesAfter :many
-- A page of the notes, by rank and id.
-- @rank: The rank of the last note of the previous page.
-- @colour: Only notes of this colour; empty for all.
select {{StoredNote}} from notes
where (:rank?::bigint is null or (rank, id) > (:rank?, :note_id?)) and (:colour = '' or colour = :colour)
order by rank, id
limit :limit;

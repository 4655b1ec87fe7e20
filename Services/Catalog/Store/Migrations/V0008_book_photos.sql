-- Photographs of people's books (CA-26): the pictures of the step before this one, whose holders are books.
--
-- The pictures were made by the step before and are empty; what is added to books is known to hold for all of them.
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint, disallowed-unique-constraint
-- squawk-ignore-file prefer-bigint-over-int

alter table pictures
add constraint pictures_holder_fkey foreign key (holder_id) references books (id) on delete cascade,
add constraint pictures_content_key unique (holder_id, content_hash);

alter table books
add column photos integer not null default 0,
add constraint books_photos_limit check (photos between 0 and 10),
add constraint books_deleted_photoless check (deleted_at is null or photos = 0);

comment on column books.photos is 'How many photographs it has, counted under the row''s lock (CA-26).';

-- Whoever deletes a book, its photographs go in the same transaction; the row stays for the owner's other devices.
create function remove_photos_of_deleted_book() returns trigger
language plpgsql
as $$
begin
  delete from pictures where holder_id = new.id;
  new.photos := 0;
  return new;
end
$$;

comment on function remove_photos_of_deleted_book is 'Takes the photographs of a book along when it is deleted.';

create trigger books_photos_go
before update of deleted_at on books
for each row when (new.deleted_at is not null and new.photos > 0)
execute function remove_photos_of_deleted_book();

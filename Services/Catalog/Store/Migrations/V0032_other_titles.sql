-- The titles that bibliographic records give a book beside its owner's, such as the original one (CA-25).
-- The migrator runs each migration in one transaction, where nothing can be made concurrently.
-- squawk-ignore-file require-concurrent-index-creation

alter table books
add column other_title_keys text[] not null default '{}',
add column is_outdated boolean not null default false;

comment on column books.other_title_keys is
'What the titles of the book''s records are looked up by that are not the owner''s, such as the original title.';
comment on column books.is_outdated is
'Whether a record of its ISBN was loaded since its words were made: they are made anew within minutes.';

create index books_other_title_keys_idx on books using gin (other_title_keys)
where other_title_keys <> '{}' and deleted_at is null;

create index books_outdated_idx on books (id) where is_outdated;

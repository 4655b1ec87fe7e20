-- Links by which anybody reads what a book is.

create table book_shares (
  id uuid not null,
  book_id uuid not null,
  place smallint not null,
  owner_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  constraint book_shares_pkey primary key (id),
  constraint book_shares_token_key unique (token_hash),
  constraint book_shares_place_key unique (book_id, place),
  constraint book_shares_book_fkey foreign key (book_id) references books (id) on delete cascade,
  constraint book_shares_owner_fkey foreign key (owner_id) references users (id),
  constraint book_shares_place_limit check (place between 1 and 20),
  constraint book_shares_hash_length check (octet_length(token_hash) = 32)
);

create index book_shares_owner_idx on book_shares (owner_id);

comment on table book_shares is
'Links by which anybody reads what a book is (CA-15); a book has at most 20, as there are no more places.';
comment on column book_shares.id is 'UUIDv7, made by the service.';
comment on column book_shares.book_id is 'The book that it leads to.';
comment on column book_shares.place is 'From 1; the lowest that was free.';
comment on column book_shares.owner_id is 'Whose book it is.';
comment on column book_shares.token_hash is 'SHA-256 of the secret, which is stored nowhere.';
comment on column book_shares.created_at is 'When it was made.';

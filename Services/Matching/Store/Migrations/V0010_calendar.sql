-- Links by which calendar programs read a user's sessions.

create table calendar_links (
  id uuid not null,
  user_id uuid not null,
  place smallint not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  constraint calendar_links_pkey primary key (id),
  constraint calendar_links_token_key unique (token_hash),
  constraint calendar_links_place_key unique (user_id, place),
  constraint calendar_links_user_fkey foreign key (user_id) references users (id),
  constraint calendar_links_place_limit check (place between 1 and 10),
  constraint calendar_links_hash_length check (octet_length(token_hash) = 32)
);

comment on table calendar_links is
'Links by which calendar programs read a user''s sessions (MA-12); a user has at most 10, as there are no more '
'places.';
comment on column calendar_links.id is 'UUIDv7, made by the service.';
comment on column calendar_links.user_id is 'The user whose sessions are read.';
comment on column calendar_links.place is 'From 1; the lowest that was free.';
comment on column calendar_links.token_hash is 'SHA-256 of the secret, which is stored nowhere.';
comment on column calendar_links.created_at is 'When it was made.';

create table calendar_misses (
  address_hash bytea not null,
  window_ends_at timestamptz not null,
  misses integer not null,
  constraint calendar_misses_pkey primary key (address_hash),
  constraint calendar_misses_hash_length check (octet_length(address_hash) = 32),
  constraint calendar_misses_counted check (misses > 0)
);

create index calendar_misses_ends_idx on calendar_misses (window_ends_at);

comment on table calendar_misses is
'How many unknown links were tried from an address, so that no link is found by trying.';
comment on column calendar_misses.address_hash is 'SHA-256 of the client''s address: no address is kept.';
comment on column calendar_misses.window_ends_at is 'From when on the row means nothing.';
comment on column calendar_misses.misses is 'How many within the window.';

-- Links by which anybody reads the figures of an activity.

create table activity_shares (
  id uuid not null,
  activity_id uuid not null,
  place smallint not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  constraint activity_shares_pkey primary key (id),
  constraint activity_shares_token_key unique (token_hash),
  constraint activity_shares_place_key unique (activity_id, place),
  constraint activity_shares_activity_fkey foreign key (activity_id) references activities (id) on delete cascade,
  constraint activity_shares_place_limit check (place between 1 and 20),
  constraint activity_shares_hash_length check (octet_length(token_hash) = 32)
);

create index activity_shares_user_idx on activity_shares (user_id);

comment on table activity_shares is
'Links by which anybody reads the figures of an activity (CA-15); an activity has at most 20, as there are no more '
'places.';
comment on column activity_shares.id is 'UUIDv7, made by the service.';
comment on column activity_shares.activity_id is 'The activity that it leads to.';
comment on column activity_shares.place is 'From 1; the lowest that was free.';
comment on column activity_shares.user_id is 'The user who shares it.';
comment on column activity_shares.token_hash is 'SHA-256 of the secret, which is stored nowhere.';
comment on column activity_shares.created_at is 'When it was made.';

create table share_misses (
  address_hash bytea not null,
  window_ends_at timestamptz not null,
  misses integer not null,
  constraint share_misses_pkey primary key (address_hash),
  constraint share_misses_hash_length check (octet_length(address_hash) = 32),
  constraint share_misses_counted check (misses > 0)
);

create index share_misses_ends_idx on share_misses (window_ends_at);

comment on table share_misses is
'How many unknown links were tried from an address, so that no link is found by trying.';
comment on column share_misses.address_hash is 'SHA-256 of the client''s address: no address is kept.';
comment on column share_misses.window_ends_at is 'From when on the row means nothing.';
comment on column share_misses.misses is 'How many within the window.';

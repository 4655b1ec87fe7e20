-- Links by which anybody reads a posted session.

create table session_shares (
  id uuid not null,
  session_id uuid not null,
  place smallint not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  constraint session_shares_pkey primary key (id),
  constraint session_shares_token_key unique (token_hash),
  constraint session_shares_place_key unique (session_id, user_id, place),
  constraint session_shares_session_fkey foreign key (session_id) references sessions (id) on delete cascade,
  constraint session_shares_user_fkey foreign key (user_id) references users (id),
  constraint session_shares_place_limit check (place between 1 and 20),
  constraint session_shares_hash_length check (octet_length(token_hash) = 32)
);

create index session_shares_user_idx on session_shares (user_id);

comment on table session_shares is
'Links by which anybody reads a posted session (CA-15); a session has at most 20 of a user, as there are no more '
'places.';
comment on column session_shares.id is 'UUIDv7, made by the service.';
comment on column session_shares.session_id is 'The session that it leads to.';
comment on column session_shares.place is 'From 1; the lowest that was free.';
comment on column session_shares.user_id is 'The user who shares it.';
comment on column session_shares.token_hash is 'SHA-256 of the secret, which is stored nowhere.';
comment on column session_shares.created_at is 'When it was made.';

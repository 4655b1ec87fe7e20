-- Links to journeys.

create table journey_shares (
  id uuid not null,
  journey_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint journey_shares_pkey primary key (id),
  constraint journey_shares_journey_fkey foreign key (journey_id) references journeys (id) on delete cascade,
  constraint journey_shares_token_key unique (token_hash),
  constraint journey_shares_token_hashed check (octet_length(token_hash) = 32)
);

create index journey_shares_journey_idx on journey_shares (journey_id);
create index journey_shares_expires_idx on journey_shares (expires_at);

comment on table journey_shares is
'Links by which anyone follows a journey until they expire (TR-14). A revoked one has no row.';
comment on column journey_shares.id is 'UUIDv7, made by the service.';
comment on column journey_shares.journey_id is 'The journey, and nothing else, that the link shows.';
comment on column journey_shares.token_hash is 'SHA-256 of the link''s secret, which is not stored.';
comment on column journey_shares.created_at is 'When it was made.';
comment on column journey_shares.expires_at is 'When it ends.';

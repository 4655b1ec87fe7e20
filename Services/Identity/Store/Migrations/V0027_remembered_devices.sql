-- Devices that a user has logged in from: guesses from elsewhere do not lock them out (ID-10).

create table remembered_devices (
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  session_id uuid not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  constraint remembered_devices_pkey primary key (id),
  constraint remembered_devices_token_hash_key unique (token_hash),
  constraint remembered_devices_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint remembered_devices_token_hash_length check (octet_length(token_hash) = 32),
  constraint remembered_devices_times check (last_used_at >= created_at and expires_at > last_used_at)
);

create index remembered_devices_account_idx on remembered_devices (account_id, last_used_at);
create index remembered_devices_expires_at_idx on remembered_devices (expires_at);

comment on table remembered_devices is
'Devices from which a user logged in to an account, by the token that each got at the login; at most twenty of an '
'account. Wrong passwords from such a device are counted for it alone (ID-10).';
comment on column remembered_devices.id is 'UUIDv7, made by the service.';
comment on column remembered_devices.account_id is 'The account that the user logged in to.';
comment on column remembered_devices.token_hash is
'SHA-256 of the token, which itself is on the device and nowhere else.';
comment on column remembered_devices.session_id is
'The session that the last login from the device began; it may have ended.';
comment on column remembered_devices.created_at is 'When the device was first logged in from.';
comment on column remembered_devices.last_used_at is 'When it was last logged in from.';
comment on column remembered_devices.expires_at is 'From when on the token is ignored.';

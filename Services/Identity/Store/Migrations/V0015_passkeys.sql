-- Logging in by WebAuthn (ID-11).

create table passkeys (
  id uuid not null,
  account_id uuid not null,
  credential_id bytea not null,
  algorithm integer not null,
  public_key bytea not null,
  sign_count bigint not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint passkeys_credential_id_length check (octet_length(credential_id) between 1 and 1023),
  constraint passkeys_key_of_algorithm check (
    (algorithm = -8 and octet_length(public_key) = 32) or (algorithm = -7 and octet_length(public_key) = 64)
  ),
  constraint passkeys_sign_count_range check (sign_count between 0 and 4294967295),
  constraint passkeys_name_length check (char_length(name) <= 100)
);

create index passkeys_account_idx on passkeys (account_id, id);

comment on table passkeys is
'Keys by which somebody can log in instead of by a password; at most twenty of an account.';
comment on column passkeys.id is 'UUIDv7, made by the service.';
comment on column passkeys.account_id is 'Whose it is.';
comment on column passkeys.credential_id is 'What the authenticator calls it; nobody else may have the same.';
comment on column passkeys.algorithm is
'As COSE numbers them: -8 EdDSA over Ed25519, -7 ECDSA over P-256 with SHA-256.';
comment on column passkeys.public_key is 'The 32 bytes of an Ed25519 key, or x and y of a point of P-256.';
comment on column passkeys.sign_count is
'The counter of the last login. One that does not go up is refused; 0 stays 0 where the authenticator does not count.';
comment on column passkeys.name is 'What its owner calls it; may be empty.';
comment on column passkeys.created_at is 'When it was added.';
comment on column passkeys.last_used_at is 'When somebody last logged in by it; null until then.';

create table passkey_challenges (
  challenge_hash bytea not null,
  account_id uuid,
  created_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (challenge_hash),
  constraint passkey_challenges_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint passkey_challenges_hash_length check (octet_length(challenge_hash) = 32)
);

create index passkey_challenges_created_at_idx on passkey_challenges (created_at);
create index passkey_challenges_account_idx on passkey_challenges (account_id) where account_id is not null;

comment on table passkey_challenges is
'Challenges that were given out and not used; each works once, for five minutes. Using one deletes its row.';
comment on column passkey_challenges.challenge_hash is 'SHA-256 of the challenge.';
comment on column passkey_challenges.account_id is 'Who may add a passkey with it; null for a login, of whomever.';
comment on column passkey_challenges.created_at is 'When it was given out.';

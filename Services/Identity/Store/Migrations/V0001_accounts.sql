-- People, their credentials, sessions and profiles.
--
-- Times that rules are about come from the service's clock as parameters, never from now(), so that a test decides
-- what time it is.
-- The one exception is sessions.revoked_at, which replicas compare with each other and therefore is the database's.

create table accounts (
  id uuid not null,
  email text not null,
  email_key text not null,
  username text not null,
  password_hash text not null,
  registered_at timestamptz not null,
  verified_at timestamptz,
  constraint accounts_pkey primary key (id),
  constraint accounts_email_key unique (email_key),
  constraint accounts_email_length check (char_length(email) between 3 and 320),
  constraint accounts_username_characters check (username ~ '^[A-Za-z0-9_.]{3,30}$'),
  constraint accounts_password_hash_format check (password_hash like '$%$%'),
  constraint accounts_verified_after_registration check (verified_at >= registered_at)
);

create unique index accounts_username_key on accounts (lower(username) collate "C");
create index accounts_lapsing_idx on accounts (registered_at) where verified_at is null;

comment on table accounts is
'A person who registered. Unverified ones lapse seven days after registered_at and give both names back (ID-1).';
comment on column accounts.id is 'UUIDv7, made by the service.';
comment on column accounts.email is 'The address as its owner wrote it; mail goes to this spelling.';
comment on column accounts.email_key is
'The address as it is compared: quotes that mean nothing taken off, lower case (ID-2).';
comment on column accounts.username is 'The name as its owner wrote it; compared without case (ID-2).';
comment on column accounts.password_hash is 'scrypt in PHC string format, with its own parameters and salt.';
comment on column accounts.registered_at is 'When the account was made.';
comment on column accounts.verified_at is 'When the owner followed the link of a verification mail; null until then.';

create table email_verifications (
  token_hash bytea not null,
  account_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint email_verifications_pkey primary key (token_hash),
  constraint email_verifications_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint email_verifications_token_hash_length check (octet_length(token_hash) = 32),
  constraint email_verifications_expiry check (expires_at > created_at)
);

create index email_verifications_account_idx on email_verifications (account_id);
create index email_verifications_expires_at_idx on email_verifications (expires_at);

comment on table email_verifications is
'Tokens that were mailed to prove an address: the newest of each account, and those that were used (ID-4).';
comment on column email_verifications.token_hash is
'SHA-256 of the token, which itself is in the mail and nowhere else.';
comment on column email_verifications.account_id is 'Whose address it proves.';
comment on column email_verifications.created_at is 'When the token was made: just before its mail was handed over.';
comment on column email_verifications.expires_at is 'From when on it is refused.';
comment on column email_verifications.used_at is 'When it was used; null until then, and never used again after.';

create table verification_requests (
  email_hash bytea not null,
  requested_at timestamptz,
  constraint verification_requests_pkey primary key (email_hash),
  constraint verification_requests_email_hash_length check (octet_length(email_hash) = 32)
);

create index verification_requests_requested_at_idx on verification_requests (requested_at);

comment on table verification_requests is
'When a verification mail was last asked for, also of addresses that nobody registered: the cooldown must not '
'tell them apart (ID-4).';
comment on column verification_requests.email_hash is
'SHA-256 of the address as it is compared, so that no stranger''s address is kept.';
comment on column verification_requests.requested_at is 'When; null only inside the transaction that makes the row.';

create table sessions (
  id uuid not null,
  account_id uuid not null,
  family_hash bytea not null,
  refresh_hash bytea not null,
  previous_hash bytea,
  rotation_request_id uuid,
  device_label text not null,
  address text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint sessions_pkey primary key (id),
  constraint sessions_family_hash_key unique (family_hash),
  constraint sessions_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint sessions_hash_lengths check (
    octet_length(family_hash) = 32 and octet_length(refresh_hash) = 32 and octet_length(previous_hash) = 32
  ),
  constraint sessions_device_label_length check (char_length(device_label) <= 100),
  constraint sessions_times check (last_used_at >= created_at and expires_at > created_at)
);

create index sessions_account_idx on sessions (account_id);
create index sessions_expires_at_idx on sessions (expires_at);
create index sessions_revoked_at_idx on sessions (revoked_at) where revoked_at is not null;

comment on table sessions is 'One login of one device, kept alive by a rotating refresh token (ID-6).';
comment on column sessions.id is 'UUIDv7; the claim sid of the session''s access tokens.';
comment on column sessions.account_id is 'Who logged in.';
comment on column sessions.family_hash is
'SHA-256 of the part that all refresh tokens of the session share: it finds the session, and shows that a token '
'was once issued for it.';
comment on column sessions.refresh_hash is
'SHA-256 of the part that changes with every rotation; a token of the family with another one was used before, '
'which ends the session.';
comment on column sessions.previous_hash is 'The refresh_hash before the last rotation; null before the first.';
comment on column sessions.rotation_request_id is
'The request_id of the last rotation, which may be repeated for a minute (ID-6); null when it had none.';
comment on column sessions.device_label is 'What the client calls the device; empty when it does not say.';
comment on column sessions.address is 'The peer''s address at the last use, without its port.';
comment on column sessions.created_at is 'When the person logged in.';
comment on column sessions.last_used_at is 'When the refresh token was last rotated, or created_at.';
comment on column sessions.expires_at is 'From when on the current refresh token is refused.';
comment on column sessions.revoked_at is
'When the session ended by logout or by the reuse of a token, by the database''s clock; null while it lives (ID-7).';

create table profiles (
  account_id uuid not null,
  gender text not null,
  date_of_birth date not null,
  level text not null,
  interests text[] not null,
  strengths text[] not null,
  time_zone text not null,
  phone text not null,
  revision bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint profiles_pkey primary key (account_id),
  constraint profiles_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint profiles_gender_known check (gender in ('MALE', 'FEMALE', 'OTHER')),
  constraint profiles_level_known check (level in ('NOVICE', 'BEGINNER', 'INTERMEDIATE', 'ADVANCED', 'EXPERT')),
  constraint profiles_time_zone_length check (char_length(time_zone) between 1 and 64),
  constraint profiles_phone_format check (phone ~ '^([+][1-9][0-9]{6,14})?$'),
  constraint profiles_revision_positive check (revision > 0)
);

comment on table profiles is 'What a person tells others, made after the first login (ID-20).';
comment on column profiles.account_id is 'Whose profile it is; the username is the account''s.';
comment on column profiles.gender is 'MALE, FEMALE or OTHER.';
comment on column profiles.date_of_birth is 'Checked against today in the person''s zone when it is written (ID-21).';
comment on column profiles.level is 'NOVICE, BEGINNER, INTERMEDIATE, ADVANCED or EXPERT.';
comment on column profiles.interests is
'Ids from the fixed list of ListProfileOptions, each once, in the order chosen.';
comment on column profiles.strengths is
'Ids from the fixed list of ListProfileOptions, each once, in the order chosen.';
comment on column profiles.time_zone is 'An IANA name that the database knows (C-8).';
comment on column profiles.phone is 'E.164; empty when the person gives none (ID-23).';
comment on column profiles.revision is 'Goes up by one with every change; the profile''s etag.';
comment on column profiles.created_at is 'When the profile was made.';
comment on column profiles.updated_at is 'When it was last changed.';

create table signing_keys (
  id text not null,
  public_key bytea not null,
  sealed_private_key bytea not null,
  created_at timestamptz not null,
  constraint signing_keys_pkey primary key (id),
  constraint signing_keys_public_key_length check (octet_length(public_key) = 32)
);

comment on table signing_keys is
'Ed25519 keys that sign access tokens, shared by all replicas. The newest that every replica has had time to see '
'signs.';
comment on column signing_keys.id is 'The JWK thumbprint of the public key; the header kid of tokens.';
comment on column signing_keys.public_key is 'The 32 bytes that ListKeys serves.';
comment on column signing_keys.sealed_private_key is
'The private key under the service''s seal key (AES-256-GCM), with the id as associated data.';
comment on column signing_keys.created_at is 'When the key was made; it signs a while later.';

create table outgoing_mail (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  last_failure text,
  constraint outgoing_mail_pkey primary key (id),
  constraint outgoing_mail_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint outgoing_mail_kind_known check (kind in ('EMAIL_VERIFICATION')),
  constraint outgoing_mail_attempts_counted check (attempts >= 0)
);

create index outgoing_mail_due_at_idx on outgoing_mail (due_at);
create index outgoing_mail_account_idx on outgoing_mail (account_id);

comment on table outgoing_mail is
'Mail that was decided on together with its cause and is yet to be handed to the mail server. It holds no secret: '
'a token is made when its mail is sent.';
comment on column outgoing_mail.id is 'UUIDv7; also the Message-ID.';
comment on column outgoing_mail.account_id is 'Whom it goes to.';
comment on column outgoing_mail.kind is 'What it says.';
comment on column outgoing_mail.attempts is 'How often a replica took it to send.';
comment on column outgoing_mail.due_at is
'When it may be taken; taking it moves this ahead, so that a replica that dies leaves it to the next attempt.';
comment on column outgoing_mail.last_failure is 'Why the last attempt failed, for the operator.';

create table replays (
  caller text not null,
  method text not null,
  request_id uuid not null,
  sealed_answer bytea not null default '',
  created_at timestamptz not null,
  constraint replays_pkey primary key (caller, method, request_id)
);

create index replays_created_at_idx on replays (created_at);

comment on table replays is
'First answers to calls that carried a request_id, to be given again for a day (C-4). Written in the transaction '
'of the call''s effect.';
comment on column replays.caller is 'The account''s id; empty for a caller who is not logged in.';
comment on column replays.method is 'The method''s full name.';
comment on column replays.request_id is 'The client''s id for the call, of any UUID version.';
comment on column replays.sealed_answer is
'The request''s SHA-256 and the answer, both under the service''s seal key because they may hold passwords and '
'tokens; empty only inside the transaction that makes it.';
comment on column replays.created_at is 'When the call was first made.';

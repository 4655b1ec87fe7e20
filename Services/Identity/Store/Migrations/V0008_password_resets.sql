-- New passwords: by a mailed link, or for the old one.

alter table accounts add column password_revision bigint not null default 1;

comment on column accounts.password_revision is
'Goes up by one with every new password: who has checked the old one finds out that it does not count any more.';

create table password_resets (
  token_hash bytea not null,
  account_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint password_resets_pkey primary key (token_hash),
  constraint password_resets_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint password_resets_token_hash_length check (octet_length(token_hash) = 32),
  constraint password_resets_expiry check (expires_at > created_at)
);

create unique index password_resets_unused_key on password_resets (account_id) where used_at is null;
create index password_resets_account_idx on password_resets (account_id);
create index password_resets_expires_at_idx on password_resets (expires_at);

comment on table password_resets is
'Tokens that were mailed to choose a new password: at most one of each account that works, and those that were used '
'(ID-8).';
comment on column password_resets.token_hash is
'SHA-256 of the token, which itself is in the mail and nowhere else.';
comment on column password_resets.account_id is 'Whose password it replaces.';
comment on column password_resets.created_at is 'When the token was made: just before its mail was handed over.';
comment on column password_resets.expires_at is 'From when on it is refused.';
comment on column password_resets.used_at is 'When it was used; null until then, and never used again after.';

-- The new constraint allows all that the old one did, so there is nothing to validate.
-- squawk-ignore ban-drop-constraint
alter table deliveries drop constraint deliveries_content_known;
alter table deliveries add constraint deliveries_content_known
check (content in ('EMAIL_VERIFICATION', 'NOTIFICATION', 'PASSWORD_RESET')) not valid;

comment on column deliveries.content is 'EMAIL_VERIFICATION, PASSWORD_RESET or NOTIFICATION.';

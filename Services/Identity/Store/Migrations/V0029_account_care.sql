-- Changes of e-mail addresses (ID-15), security mail (ID-16), devices that end with their session (ID-62).

create table email_changes (
  id uuid not null,
  account_id uuid not null,
  session_id uuid not null,
  old_email text not null,
  old_email_key text not null,
  new_email text not null,
  new_email_key text not null,
  requested_at timestamptz not null,
  confirmed_at timestamptz,
  undone_at timestamptz,
  expires_at timestamptz not null,
  constraint email_changes_pkey primary key (id),
  constraint email_changes_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint email_changes_old_email_length check (char_length(old_email) between 3 and 320),
  constraint email_changes_new_email_length check (char_length(new_email) between 3 and 320),
  constraint email_changes_to_another check (new_email_key <> old_email_key),
  constraint email_changes_undone_after_confirmation check (undone_at is null or confirmed_at is not null),
  constraint email_changes_expiry check (expires_at > requested_at)
);

create unique index email_changes_pending_key on email_changes (account_id) where confirmed_at is null;
create index email_changes_account_idx on email_changes (account_id, requested_at);
create index email_changes_expires_at_idx on email_changes (expires_at);

comment on table email_changes is
'Changes of accounts'' e-mail addresses: at most one of each account that waits for its confirmation, and those that '
'took effect, which the old address can undo for 7 days (ID-15).';
comment on column email_changes.id is 'UUIDv7, made by the service.';
comment on column email_changes.account_id is 'The account whose address changes.';
comment on column email_changes.session_id is
'The session that requested it: if the session is ended from elsewhere, the change is dropped. No foreign key, '
'because a session that expired does not matter.';
comment on column email_changes.old_email is 'The address that the account had, as its owner wrote it.';
comment on column email_changes.old_email_key is 'The same, as it is compared.';
comment on column email_changes.new_email is 'The address that the account gets, as its owner wrote it.';
comment on column email_changes.new_email_key is 'The same, as it is compared.';
comment on column email_changes.requested_at is 'When the user requested it.';
comment on column email_changes.confirmed_at is
'When the link mailed to the new address was followed, and the change took effect; null until then.';
comment on column email_changes.undone_at is
'When the link mailed to the old address, or to an earlier one, was followed; null until then.';
comment on column email_changes.expires_at is
'The end of the link that counts: of that to the new address until it was followed, then of that to the old one.';

create table email_change_tokens (
  token_hash bytea not null,
  email_change_id uuid not null,
  purpose text not null,
  created_at timestamptz not null,
  constraint email_change_tokens_pkey primary key (token_hash),
  constraint email_change_tokens_change_fkey
  foreign key (email_change_id) references email_changes (id) on delete cascade,
  constraint email_change_tokens_token_hash_length check (octet_length(token_hash) = 32),
  constraint email_change_tokens_purpose_known check (purpose in ('CONFIRM', 'UNDO'))
);

create index email_change_tokens_change_idx on email_change_tokens (email_change_id);

comment on table email_change_tokens is
'Tokens of the links that confirm and undo changes. A mail that is sent twice has two, and both are valid until one '
'is used: whichever copy arrives must work.';
comment on column email_change_tokens.token_hash is
'SHA-256 of the token, which itself is in the mail and nowhere else.';
comment on column email_change_tokens.email_change_id is 'The change that it confirms or undoes.';
comment on column email_change_tokens.purpose is 'CONFIRM or UNDO.';
comment on column email_change_tokens.created_at is 'When the token was made: just before its mail was handed over.';

create table email_reservations (
  email_key text not null,
  account_id uuid not null,
  expires_at timestamptz not null,
  constraint email_reservations_pkey primary key (email_key),
  constraint email_reservations_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint email_reservations_key_length check (char_length(email_key) between 3 and 320)
);

create index email_reservations_account_idx on email_reservations (account_id);
create index email_reservations_expires_at_idx on email_reservations (expires_at);

comment on table email_reservations is
'Addresses that accounts were changed from: no other account can take them while the change can be undone (ID-15). '
'They are deleted with the account.';
comment on column email_reservations.email_key is 'The address, as addresses are compared.';
comment on column email_reservations.account_id is 'The account that had it, and may take it again.';
comment on column email_reservations.expires_at is
'From when on any account may take it. A transaction that takes an address removes its lapsed row first.';

-- As with usernames: the unique index on accounts keeps a transaction that takes the address waiting for the one that
-- gives it up, so a check after the row has been written misses nothing.
create function refuse_reserved_email() returns trigger
language plpgsql
set search_path from current
as $$
begin
  if exists (
    select from email_reservations where email_key = new.email_key and account_id <> new.id
  ) then
    raise exception 'the email address is reserved for another account'
      using errcode = 'unique_violation', constraint = 'accounts_email_not_reserved', table = 'accounts';
  end if;
  return null;
end
$$;

comment on function refuse_reserved_email() is 'Keeps accounts from addresses that are reserved for others.';

create trigger accounts_email_not_reserved
after insert or update of email_key on accounts
for each row execute function refuse_reserved_email();

alter table deliveries add column recipient text;
alter table deliveries add column email_change_id uuid;
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
alter table deliveries add constraint deliveries_email_change_fkey
foreign key (email_change_id) references email_changes (id) on delete cascade;
-- squawk-ignore require-concurrent-index-creation
create index deliveries_email_change_idx on deliveries (email_change_id) where email_change_id is not null;

comment on column deliveries.recipient is
'The address that it goes to; null for the address that the account has when it is sent.';
comment on column deliveries.email_change_id is
'The change that its link confirms or undoes; null without such a link.';

-- The new constraint allows all that the old one did, so there is nothing to validate.
-- squawk-ignore ban-drop-constraint
alter table deliveries drop constraint deliveries_content_known;
alter table deliveries add constraint deliveries_content_known check (
  content in ('EMAIL_VERIFICATION', 'NOTIFICATION', 'PASSWORD_RESET', 'EMAIL_CHANGE', 'SECURITY_NOTICE')
) not valid;

comment on column deliveries.content is
'EMAIL_VERIFICATION, PASSWORD_RESET, EMAIL_CHANGE, SECURITY_NOTICE or NOTIFICATION.';

create table security_notices (
  delivery_id uuid not null,
  kind text not null,
  address text not null,
  device_label text not null,
  detail text not null,
  occurred_at timestamptz not null,
  constraint security_notices_pkey primary key (delivery_id),
  constraint security_notices_delivery_fkey foreign key (delivery_id) references deliveries (id) on delete cascade,
  constraint security_notices_kind_format check (kind ~ '^[A-Z_]{1,40}$'),
  constraint security_notices_address_length check (char_length(address) <= 100),
  constraint security_notices_device_label_length check (char_length(device_label) <= 100),
  constraint security_notices_detail_length check (char_length(detail) <= 320)
);

comment on table security_notices is
'What security mail says (ID-16). It is stored in the transaction of the change, with the delivery.';
comment on column security_notices.delivery_id is 'The mail.';
comment on column security_notices.kind is 'What happened; the program knows the kinds.';
comment on column security_notices.address is 'The client''s address, without its port.';
comment on column security_notices.device_label is 'The label of the session that did it; empty without one.';
comment on column security_notices.detail is 'The name or address that the mail mentions; may be empty.';
comment on column security_notices.occurred_at is 'When it happened.';

create table known_devices (
  account_id uuid not null,
  device_hash bytea not null,
  last_login_at timestamptz not null,
  constraint known_devices_pkey primary key (account_id, device_hash),
  constraint known_devices_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint known_devices_hash_length check (octet_length(device_hash) = 32)
);

comment on table known_devices is
'Devices that an account was logged in to from, at most 50 of each: a login from another one is mailed (ID-16).';
comment on column known_devices.account_id is 'The account.';
comment on column known_devices.device_hash is
'SHA-256 of what the device is recognised by; 32 zero bytes stand for devices before this table was kept.';
comment on column known_devices.last_login_at is 'When the device was last logged in from.';

-- Accounts that may have been logged in to before: their next login is not the first one.
insert into known_devices (account_id, device_hash, last_login_at)
select id as account_id, decode(repeat('00', 32), 'hex') as device_hash, verified_at as last_login_at
from accounts
where verified_at is not null;

alter table devices add column session_id uuid;
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
alter table devices add constraint devices_session_fkey
foreign key (session_id) references sessions (id) on delete cascade;
-- squawk-ignore require-concurrent-index-creation
create index devices_session_idx on devices (session_id);

comment on column devices.session_id is
'The session that registered it last, with which it ends; null for one that was registered before this was kept.';

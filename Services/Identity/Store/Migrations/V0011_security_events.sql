-- What happened to accounts that somebody may have to explain one day.

create table security_events (
  id uuid not null,
  account_id uuid,
  kind text not null,
  session_id uuid,
  address text not null,
  occurred_at timestamptz not null,
  constraint security_events_pkey primary key (id),
  constraint security_events_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint security_events_kind_format check (kind ~ '^[A-Z_]{1,40}$'),
  constraint security_events_address_length check (char_length(address) <= 100)
);

create index security_events_account_idx on security_events (account_id, occurred_at);
create index security_events_occurred_at_idx on security_events (occurred_at);

comment on table security_events is
'Logins, failures, locks, new passwords, ended sessions and new keys, written with what they tell of, kept for 180 '
'days and shown to operators. It goes with the account.';
comment on column security_events.id is 'UUIDv7, made by the service.';
comment on column security_events.account_id is
'Whose account it happened to; null for what concerns none, and for a login by a name that nobody has.';
comment on column security_events.kind is 'What happened; the program knows the kinds.';
comment on column security_events.session_id is 'The session that began or ended; null where it is about none.';
comment on column security_events.address is
'The peer''s address, without its port; empty where no call caused it.';
comment on column security_events.occurred_at is 'When.';

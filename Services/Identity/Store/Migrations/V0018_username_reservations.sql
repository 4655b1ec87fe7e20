-- Names that people gave up are kept for them for a while (ID-22).

create table username_reservations (
  username_key text not null,
  account_id uuid not null,
  expires_at timestamptz not null,
  constraint username_reservations_pkey primary key (username_key),
  constraint username_reservations_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint username_reservations_key_characters check (username_key ~ '^[a-z0-9_.]{3,30}$')
);

create index username_reservations_account_idx on username_reservations (account_id);
create index username_reservations_expires_at_idx on username_reservations (expires_at);

comment on table username_reservations is
'Usernames that their owners replaced by others: for 30 days nobody else can take them (ID-22). They go with the '
'account.';
comment on column username_reservations.username_key is 'The name in lower case, as names are compared.';
comment on column username_reservations.account_id is 'Who had it, and may take it again.';
comment on column username_reservations.expires_at is
'From when on anybody may take it. Whoever takes a name removes its lapsed row first.';

-- A name is given up and reserved in one transaction, and the unique index on accounts keeps whoever takes it waiting
-- for that; so a look that comes after the row has been written, as here, misses nothing.
--
-- Whoever writes accounts may have another search path.
create function refuse_reserved_username() returns trigger
language plpgsql
set search_path from current
as $$
begin
  if exists (
    select from username_reservations
    where username_key = lower(new.username) collate "C" and account_id <> new.id
  ) then
    raise exception 'the username is reserved for somebody else'
      using errcode = 'unique_violation', constraint = 'accounts_username_not_reserved', table = 'accounts';
  end if;
  return null;
end
$$;

comment on function refuse_reserved_username() is 'Keeps accounts from names that are reserved for others.';

create trigger accounts_username_not_reserved
after insert or update of username on accounts
for each row execute function refuse_reserved_username();

-- Offline use: which transaction last changed a user's profile, groups and their members (C-11).

create function numbered_transaction() returns xid8
language sql
set search_path from current
as $$ select (transaction_offset + pg_current_xact_id()::text::bigint)::text::xid8 from event_log $$;

comment on function numbered_transaction() is
'The number of this transaction as events have it: it rises for ever, also where the database is restored.';

alter table profiles add column changed_in xid8 not null default '0';
alter table groups add column changed_in xid8 not null default '0';
alter table group_members add column changed_in xid8 not null default '0';
alter table badges add column changed_in xid8 not null default '0';

comment on column profiles.changed_in is 'The last transaction that changed it or its picture; 0 for one of before.';
comment on column groups.changed_in is 'The last transaction that changed it; 0 for one of before.';
comment on column group_members.changed_in is
'The last transaction that changed it or the member''s name; 0 for one of before.';
comment on column badges.changed_in is 'The transaction that awarded it; 0 for one of before.';

create function note_change() returns trigger
language plpgsql
set search_path from current
as $$
begin
  new.changed_in = numbered_transaction();
  return new;
end
$$;

comment on function note_change() is 'Stores which transaction changed a row, whatever statement did (C-11).';

create trigger profiles_change before insert or update on profiles for each row execute function note_change();
create trigger groups_change before insert or update on groups for each row execute function note_change();
create trigger group_members_change before insert or update on group_members
for each row execute function note_change();
create trigger badges_change before insert on badges for each row execute function note_change();

create function note_new_name() returns trigger
language plpgsql
set search_path from current
as $$
begin
  update group_members set changed_in = changed_in where account_id = new.id;
  return null;
end
$$;

comment on function note_new_name() is 'Makes a member with a new name one that changed (C-11).';

create trigger accounts_new_name after update of username on accounts
for each row when (new.username <> old.username) execute function note_new_name();

create table former_members (
  group_id uuid not null,
  account_id uuid not null,
  changed_in xid8 not null,
  ended_at timestamptz not null default now(),
  constraint former_members_pkey primary key (group_id, account_id)
);

create index former_members_account_idx on former_members (account_id);
create index former_members_ended_at_idx on former_members (ended_at);

comment on table former_members is
'Who was in which group, for as long as a token of changes is valid: so each member''s device learns that the other is '
'gone (C-11). Kept when the group or the account goes, because others still have to learn it: of a deleted account '
'the id alone, as in departures (C-9).';
comment on column former_members.group_id is 'The group.';
comment on column former_members.account_id is 'Who was in it; is a member again where group_members says so.';
comment on column former_members.changed_in is 'The transaction that ended the membership.';
comment on column former_members.ended_at is 'When, by the database''s clock.';

create function note_former_member() returns trigger
language plpgsql
set search_path from current
as $$
begin
  insert into former_members (group_id, account_id, changed_in)
  values (old.group_id, old.account_id, numbered_transaction())
  on conflict on constraint former_members_pkey
  do update set changed_in = excluded.changed_in, ended_at = excluded.ended_at;
  return null;
end
$$;

comment on function note_former_member() is 'Keeps that a membership ended, whatever ended it (C-11).';

create trigger group_members_former after delete on group_members
for each row execute function note_former_member();

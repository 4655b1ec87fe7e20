-- Groups, and who sees how to reach somebody.

create table groups (
  id uuid not null,
  name text not null,
  member_count smallint not null,
  revision bigint not null default 1,
  created_at timestamptz not null,
  constraint groups_pkey primary key (id),
  constraint groups_name_length check (char_length(name) between 1 and 80),
  constraint groups_have_members check (member_count between 1 and 200),
  constraint groups_revision_positive check (revision > 0)
);

comment on table groups is
'People who keep an eye on each other and chat (ID-40). Whoever changes who is in it locks the row first, after the '
'accounts of those who are concerned.';
comment on column groups.id is 'UUIDv7, made by the service.';
comment on column groups.name is 'What its members call it.';
comment on column groups.member_count is
'How many rows of group_members it has: never none, for the last one to leave deletes the group (ID-42).';
comment on column groups.revision is 'Goes up by one with every new name; the group''s etag.';
comment on column groups.created_at is 'When it was made.';

create table group_members (
  group_id uuid not null,
  account_id uuid not null,
  id uuid not null,
  joined_at timestamptz not null,
  constraint group_members_pkey primary key (group_id, account_id),
  constraint group_members_id_key unique (id),
  constraint group_members_group_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_members_account_fkey foreign key (account_id) references accounts (id)
);

create index group_members_account_idx on group_members (account_id, group_id);

comment on table group_members is
'Who is in which group. An account cannot go before its memberships have been ended, each with its event.';
comment on column group_members.group_id is 'The group.';
comment on column group_members.account_id is 'Who is in it.';
comment on column group_members.id is
'UUIDv7 of the membership: another one when the person is added again after they left.';
comment on column group_members.joined_at is 'Since when.';

alter table profiles add column contact_visibility text not null default 'EVERYONE';
alter table profiles add constraint profiles_contact_visibility_known
check (contact_visibility in ('EVERYONE', 'GROUPS_IN_COMMON', 'NOBODY')) not valid;

comment on column profiles.contact_visibility is
'Who sees e-mail address and phone: EVERYONE, GROUPS_IN_COMMON or NOBODY (ID-23).';

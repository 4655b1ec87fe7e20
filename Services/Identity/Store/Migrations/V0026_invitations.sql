-- Users become members of a group by accepting an invitation (ID-44). Those who are members already stay members.

create table group_invitations (
  id uuid not null,
  group_id uuid not null,
  invitee_id uuid not null,
  inviter_id uuid,
  email text not null,
  invited_at timestamptz not null,
  declined_at timestamptz,
  constraint group_invitations_pkey primary key (id),
  constraint group_invitations_group_invitee_key unique (group_id, invitee_id),
  constraint group_invitations_group_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_invitations_invitee_fkey foreign key (invitee_id) references accounts (id) on delete cascade,
  constraint group_invitations_inviter_fkey foreign key (group_id, inviter_id)
  references group_members (group_id, account_id) on delete set null (inviter_id),
  constraint group_invitations_of_others check (inviter_id <> invitee_id),
  constraint group_invitations_email_length check (char_length(email) between 3 and 254)
);

create index group_invitations_invitee_idx on group_invitations (invitee_id, id) where declined_at is null;
create index group_invitations_inviter_idx on group_invitations (inviter_id, group_id);
create index group_invitations_account_idx on group_invitations (invitee_id);
create index group_invitations_invited_at_idx on group_invitations (invited_at) where declined_at is null;
create index group_invitations_declined_at_idx on group_invitations (declined_at) where declined_at is not null;

comment on table group_invitations is
'Invitations to groups that wait for an answer, and those that were declined (ID-44). A user has one row at most for '
'a group: an open one keeps away a second, for 14 days, and a declined one keeps away others for 30 days. An accepted '
'one becomes a row of group_members, a withdrawn one is removed.';
comment on column group_invitations.id is 'UUIDv7, made by the service.';
comment on column group_invitations.group_id is 'The group.';
comment on column group_invitations.invitee_id is 'The user who is invited.';
comment on column group_invitations.inviter_id is
'The member who invites; null once they are no longer a member, by which an invitation that was open is void.';
comment on column group_invitations.email is
'The address of the invitee as the inviter wrote it, which the inviter alone is shown.';
comment on column group_invitations.invited_at is 'When the invitation was made; it is open for 14 days.';
comment on column group_invitations.declined_at is 'When the invitee declined; null until then.';

alter table group_members add column invitation_id uuid;

comment on column group_members.invitation_id is
'The invitation that the user accepted; null for the first member, and for members from before there were any.';

-- columns: StoredInvitation: Equatable
-- An open invitation.
-- @email: The address of the invitee as the inviter wrote it.
invitation.id as invitation_id, inviter.id as inviter_id, inviter.username as inviter_username, invitation.email,
invitation.invited_at;

-- fragment: is_open(lapsed_before)
-- True if a row `invitation` is neither declined nor void, and was made after a moment.
invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > {{lapsed_before}};

-- fragment: is_offered(lapsed_before)
-- True if a row `invitation` is open and shown to its invitee: one of an inviter who blocks the invitee is not, and the
-- inviter is not told ([ID-23], [C-10]).
{{is_open({{lapsed_before}})}} and not exists (
  select from blocks where blocks.blocker_id = invitation.inviter_id and blocks.blocked_id = invitation.invitee_id
);

-- fragment: sees_members(group_id, user_id, lapsed_before)
-- True if a user is a member of a group, or has an open invitation to it.
(
  exists (select from group_members as own where own.group_id = {{group_id}} and own.account_id = {{user_id}})
  or exists (
    select from group_invitations as invitation
    where invitation.group_id = {{group_id}} and invitation.invitee_id = {{user_id}} and {{is_offered({{lapsed_before}})}}
  )
);

-- name: InsertInvitation :one
-- Stores an invitation by a member; replaces one that has lapsed, is void, or was declined long enough ago. No row if
-- the user has an open invitation to the group, or has declined one since.
-- @lapsed_before: Invitations of this moment and before have lapsed.
-- @declined_before: Users who declined at this moment or before can be invited again.
insert into group_invitations as invitation (id, group_id, invitee_id, inviter_id, email, invited_at)
values (:invitation_id, :group_id, :invitee_id, :inviter_id, :email, :now)
on conflict on constraint group_invitations_group_invitee_key do update
set id = excluded.id, inviter_id = excluded.inviter_id, email = excluded.email, invited_at = excluded.invited_at,
  declined_at = null
where (invitation.declined_at is null and not ({{is_open(:lapsed_before)}}))
  or invitation.declined_at <= :declined_before
returning invitation.id;

-- name: InvitationFacts :one
-- The facts for a decision about an invitation: of the user and the group, and how many the inviter has open.
-- @is_member: Whether the user is a member of the group.
-- @is_invited: Whether the user has an open invitation to the group.
-- @has_declined: Whether the user has declined one after `declined_before`.
select
  exists (
    select from group_members
    where group_members.group_id = :group_id and group_members.account_id = :invitee_id
  ) as "is_member!",
  exists (
    select from group_invitations as invitation
    where invitation.group_id = :group_id and invitation.invitee_id = :invitee_id and {{is_open(:lapsed_before)}}
  ) as "is_invited!",
  exists (
    select from group_invitations as invitation
    where invitation.group_id = :group_id and invitation.invitee_id = :invitee_id
      and invitation.declined_at > :declined_before
  ) as "has_declined!",
  (
    select count(*)::integer from group_invitations as invitation
    where invitation.inviter_id = :inviter_id and {{is_open(:lapsed_before)}}
  ) as "open!";

-- name: InvitationTo :one
-- Selects group and inviter of an open invitation to a user.
select invitation.group_id, invitation.inviter_id as "inviter_id!" from group_invitations as invitation
where invitation.id = :invitation_id and invitation.invitee_id = :user_id and {{is_offered(:lapsed_before)}};

-- name: TakeInvitation :one
-- Removes an open invitation of a user who accepts it; no row if it is not open any more.
delete from group_invitations as invitation
where invitation.id = :invitation_id and invitation.invitee_id = :user_id and {{is_offered(:lapsed_before)}}
returning invitation.id;

-- name: MembershipByInvitation :one
-- Selects the group that a user is a member of by an invitation, and since when.
select group_members.joined_at, {{StoredGroup}} from group_members
join groups on groups.id = group_members.group_id
where group_members.account_id = :user_id and group_members.invitation_id = :invitation_id;

-- name: DeclineInvitation :one
-- Records that a user declines an open invitation; no row if it is not open.
update group_invitations as invitation set declined_at = :now
where invitation.id = :invitation_id and invitation.invitee_id = :user_id and {{is_offered(:lapsed_before)}}
returning invitation.id;

-- name: DeclineInvitations :one
-- Records that a user declines all open invitations, or those of one inviter; returns their number.
-- @inviter_id: `nil` for all inviters.
with declined as (
  update group_invitations set declined_at = :now
  where id in (
    -- Locked in a fixed order, so that two devices that decline at once do not deadlock.
    select invitation.id from group_invitations as invitation
    where invitation.invitee_id = :user_id and (:inviter_id?::uuid is null or invitation.inviter_id = :inviter_id?)
      and {{is_offered(:lapsed_before)}}
    order by invitation.id for update
  )
  returning id
)
select count(*)::integer as "declined!" from declined;

-- name: EndInvitationsTo :exec
-- Ends the open invitations to a user from one whom they block: they are declined. Those in the other direction stay, as
-- far as the blocking user sees: that one is gone would tell which address is the blocked user's ([ID-23]).
update group_invitations as invitation set declined_at = :now
where invitation.invitee_id = :blocker_id and invitation.inviter_id = :blocked_id and {{is_open(:lapsed_before)}};

-- name: WithdrawInvitation :one
-- Removes an open invitation to a group that a user is a member of; no row if there is none.
delete from group_invitations as invitation using group_members
where invitation.id = :invitation_id and {{is_open(:lapsed_before)}}
  and group_members.group_id = invitation.group_id and group_members.account_id = :user_id
returning invitation.id;

-- name: InvitationsOf :many
-- Selects a page of the open invitations to a user, the latest first ([C-5]).
-- @before InvitationID: The last invitation of the previous page.
select {{StoredInvitation}}, {{StoredGroup}} from group_invitations as invitation
join groups on groups.id = invitation.group_id
join accounts as inviter on inviter.id = invitation.inviter_id
where invitation.invitee_id = :user_id and (:before?::uuid is null or invitation.id < :before?)
  and {{is_offered(:lapsed_before)}}
order by invitation.id desc limit :limit;

-- name: InvitationsFrom :many
-- Selects a page of the open invitations that a user has sent, the latest first ([C-5]).
-- @before InvitationID: The last invitation of the previous page.
select {{StoredInvitation}}, {{StoredGroup}} from group_invitations as invitation
join groups on groups.id = invitation.group_id
join accounts as inviter on inviter.id = invitation.inviter_id
where invitation.inviter_id = :user_id and (:before?::uuid is null or invitation.id < :before?)
  and {{is_open(:lapsed_before)}}
order by invitation.id desc limit :limit;

-- name: InvitationsToGroup :many
-- Selects a page of the open invitations to a group, the latest first ([C-5]); returns no row if the viewer is not a
-- member.
-- @before InvitationID: The last invitation of the previous page.
select {{StoredInvitation}}, {{StoredGroup}} from group_invitations as invitation
join groups on groups.id = invitation.group_id
join accounts as inviter on inviter.id = invitation.inviter_id
where invitation.group_id = :group_id and (:before?::uuid is null or invitation.id < :before?)
  and {{is_open(:lapsed_before)}}
  and exists (select from group_members as own where own.group_id = :group_id and own.account_id = :viewer_id)
order by invitation.id desc limit :limit;

-- name: DeleteLapsedInvitations :many
-- Removes invitations that have lapsed.
delete from group_invitations where id in (
  select id from group_invitations
  where declined_at is null and invited_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteOldDeclines :many
-- Removes declined invitations that no longer keep others away.
delete from group_invitations where id in (
  select id from group_invitations where declined_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- [ID-40] A group counts its members.
select 'group ' || groups.id
from groups
left join group_members on group_members.group_id = groups.id
group by groups.id
having groups.member_count <> count(group_members.account_id);

-- [ID-44] A member of a group has no open invitation to it.
select 'invitation ' || group_invitations.id
from group_invitations
join group_members
  on group_members.group_id = group_invitations.group_id and group_members.account_id = group_invitations.invitee_id
where
  group_invitations.declined_at is null
  and group_members.invitation_id is distinct from group_invitations.id;

-- [ID-60] An inbox numbers its notifications up to the last one.
select 'account ' || inboxes.account_id
from inboxes
join notifications on notifications.account_id = inboxes.account_id
group by inboxes.account_id, inboxes.last_sequence
having max(notifications.sequence) > inboxes.last_sequence;

-- [ID-6] A session that ended gives no more tokens.
select 'session ' || sessions.id
from sessions
join departures on departures.account_id = sessions.account_id;

-- [ID-1] A session belongs to an account that was verified.
select 'session ' || sessions.id
from sessions
join accounts on accounts.id = sessions.account_id
where accounts.verified_at is null and sessions.revoked_at is null;

-- [ID-60] A delivery that was sent had at least one attempt.
select 'delivery ' || id
from deliveries
where state = 'SENT' and possible_sends = 0;

-- [C-9] Of an account that was deleted nothing stays.
select 'account ' || departures.account_id
from departures
where
  exists (select from accounts where accounts.id = departures.account_id)
  or exists (select from group_members where group_members.account_id = departures.account_id)
  or exists (select from badges where badges.account_id = departures.account_id);

-- [ID-63] A reminder is scheduled exactly while it is on.
select 'account ' || reminders.account_id
from reminders
left join jobs on jobs.kind = 'gym_reminder' and jobs.key = reminders.account_id::text
where (reminders.state = 'ON') <> (jobs.id is not null);

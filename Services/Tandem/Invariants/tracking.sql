-- [TR-4] A group's changes are numbered up to its last one.
select 'group ' || groups.id
from groups
join group_changes on group_changes.group_id = groups.id
group by groups.id, groups.sequence
having max(group_changes.sequence) > groups.sequence;

-- [TR-6] A user has one journey or alert at a time, the one that their tracker names.
select 'user ' || user_id
from journeys
where ended_at is null
group by user_id
having count(*) > 1;

-- [TR-6] What a tracker names is a journey of its user that goes on.
select 'user ' || trackers.user_id
from trackers
join journeys on journeys.id = trackers.journey_id
where journeys.ended_at is not null or journeys.user_id <> trackers.user_id;

-- [TR-5] A member who is shown in SOS has an alert that goes on.
select 'user ' || memberships.user_id || ', group ' || memberships.group_id
from memberships
where
  memberships.state = 'SOS'
  and not exists (
    select from journeys
    where journeys.user_id = memberships.user_id and journeys.kind = 'SOS' and journeys.ended_at is null
  );

-- [TR-1] A member who does not share with a group is inactive there.
select 'user ' || user_id || ', group ' || group_id
from memberships
where shared_since is null and state <> 'INACTIVE';

-- [TR-12] A journey belongs to groups of its user.
select 'journey ' || journeys.id || ', group ' || journey_groups.group_id
from journeys
join journey_groups on journey_groups.journey_id = journeys.id
left join memberships
  on memberships.group_id = journey_groups.group_id and memberships.user_id = journeys.user_id
where journeys.ended_at is null and memberships.user_id is null;

-- [TR-15] A tracker counts its user's places.
select 'user ' || trackers.user_id
from trackers
left join places on places.user_id = trackers.user_id
group by trackers.user_id
having trackers.place_count <> count(places.id);

-- [TR-32] The messages of a conversation are numbered without a gap, up to the last one.
select 'conversation ' || chat_conversations.id
from chat_conversations
join chat_messages on chat_messages.conversation_id = chat_conversations.id
group by chat_conversations.id
having
  max(chat_messages.sequence) <> chat_conversations.last_sequence
  or count(*) <> max(chat_messages.sequence) - min(chat_messages.sequence) + 1;

-- [TR-32] A message that a client sent once is there once.
select 'conversation ' || conversation_id || ', message ' || client_message_id
from chat_messages
where client_message_id is not null
group by conversation_id, sender_id, client_message_id
having count(*) > 1;

-- [TR-33] No revision of a message is newer than its conversation's last one.
select 'conversation ' || chat_messages.conversation_id || ', message ' || chat_messages.sequence
from chat_messages
join chat_conversations on chat_conversations.id = chat_messages.conversation_id
where chat_messages.revision > chat_conversations.last_revision;

-- [TR-33] A member has read up to the last message at most.
select 'conversation ' || chat_members.conversation_id || ', user ' || chat_members.user_id
from chat_members
join chat_conversations on chat_conversations.id = chat_members.conversation_id
where chat_members.read_sequence > chat_conversations.last_sequence;

-- [TR-34] A member of a group's chat is a member of the group.
select 'conversation ' || chat_members.conversation_id || ', user ' || chat_members.user_id
from chat_members
join chat_conversations on chat_conversations.id = chat_members.conversation_id
left join memberships
  on memberships.group_id = chat_conversations.id and memberships.user_id = chat_members.user_id
where chat_conversations.kind = 'GROUP' and memberships.user_id is null;

-- [TR-4] The changes of a group have no gap: behind one of the last day comes the next one, up to the last.
select 'group ' || group_changes.group_id || ', change ' || group_changes.sequence
from group_changes
join groups on groups.id = group_changes.group_id
where
  group_changes.changed_at > now() - interval '1 day'
  and group_changes.sequence < groups.sequence
  and not exists (
    select from group_changes as later
    where later.group_id = group_changes.group_id and later.sequence = group_changes.sequence + 1
  );

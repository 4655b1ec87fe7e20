-- fragment: left_online(conversation, user, replica)
-- Whether a user is online in a conversation at another process.
is_online({{conversation}}, {{user}}, {{replica}});

-- fragment: mark_reached
-- Notes of members in `gone`, each once, up to which message they were reachable: until `heard_at`. What came later, they are to be notified of
-- unless they come back ([TR-35]). Members are locked in the order of their ids.
reached as (
  select member.conversation_id, member.user_id, conversation.last_sequence, coalesce(last.sequence, 0) as sequence
  from gone
  join chat_members as member on member.conversation_id = gone.conversation_id and member.user_id = gone.user_id
  join chat_conversations as conversation on conversation.id = member.conversation_id
  left join lateral (
    -- Numbers follow times: no more is read than what came since.
    select message.sequence from chat_messages as message
    where message.conversation_id = gone.conversation_id and message.created_at <= gone.heard_at
    order by message.sequence desc
    limit 1
  ) as last on true
  order by member.conversation_id, member.user_id for no key update of member
), marked as (
  update chat_members as member
  set
    reached_sequence = greatest(member.reached_sequence, reached.sequence),
    notice_due_at = case when reached.last_sequence > reached.sequence then coalesce(member.notice_due_at, :due_at) end
  from reached where member.conversation_id = reached.conversation_id and member.user_id = reached.user_id
);

-- name: RenewReplica :one
-- Renews the lease of this process; true if it had ended and been removed, or was never there: then nothing is stored of its streams.
insert into chat_replicas (id, expires_at, renewed_at)
values (:replica_id, now() + make_interval(secs => :seconds::double precision), :now)
on conflict on constraint chat_replicas_pkey do update set expires_at = excluded.expires_at, renewed_at = excluded.renewed_at
returning xmax = 0 as "is_new!";

-- name: EndReplica :many
-- Ends the lease of a process that stops; the conversations that had streams there.
with ended as (
  delete from chat_presence using chat_replicas
  where chat_presence.replica_id = :replica_id and chat_replicas.id = chat_presence.replica_id
  returning chat_presence.conversation_id, chat_presence.user_id, chat_replicas.renewed_at as heard_at
), removed as (
  delete from chat_replicas where id = :replica_id
), gone as (
  select * from ended where not {{left_online(ended.conversation_id, ended.user_id, :replica_id)}}
), {{mark_reached}}
select distinct conversation_id as "conversation_id!" from ended;

-- name: EndExpiredReplicas :many
-- Removes processes that have not renewed their leases, and what they had open; the conversations in which members may be offline now ([TR-31]).
-- @due_at: When members are to be notified of what they missed.
with expired as (
  select id, renewed_at from chat_replicas where expires_at < now() for update skip locked
), ended as (
  delete from chat_presence using expired where replica_id = expired.id
  returning chat_presence.conversation_id, chat_presence.user_id, expired.id as replica_id, expired.renewed_at as heard_at
), removed as (
  delete from chat_replicas using expired where chat_replicas.id = expired.id
), gone as (
  select ended.conversation_id, ended.user_id, max(ended.heard_at) as heard_at from ended
  where not {{left_online(ended.conversation_id, ended.user_id, ended.replica_id)}}
  group by ended.conversation_id, ended.user_id
), {{mark_reached}}
select distinct conversation_id as "conversation_id!" from ended;

-- name: StorePresence :many
-- Stores that users are online in conversations, at this process, the first user in the first conversation and so on; of former members nothing is
-- stored. What they missed may be notified again: also where they are being notified just now, which this waits for.
with wanted as (
  select * from unnest(:conversation_ids::uuid[], :user_ids::uuid[]) as wanted (conversation_id, user_id)
), locked as (
  select member.conversation_id, member.user_id
  from wanted
  join chat_members as member on member.conversation_id = wanted.conversation_id and member.user_id = wanted.user_id
  join chat_conversations as conversation on conversation.id = member.conversation_id
  where member.is_notified or member.notice_due_at is not null or conversation.notice_due_at is not null
  order by member.conversation_id, member.user_id for no key update of member
), seen as (
  update chat_members as member set is_notified = false, notice_due_at = null from locked
  where member.conversation_id = locked.conversation_id and member.user_id = locked.user_id
)
insert into chat_presence (conversation_id, user_id, replica_id)
select member.conversation_id, member.user_id, :replica_id
from wanted join chat_members as member on member.conversation_id = wanted.conversation_id and member.user_id = wanted.user_id
order by member.conversation_id, member.user_id
on conflict on constraint chat_presence_pkey do nothing
returning conversation_id;

-- name: RemovePresence :many
-- Removes that users are online in conversations at this process.
-- @heard_ats: Until when each was reachable for certain.
-- @due_at: When those who missed something are to be notified.
with closed as (
  select * from unnest(:conversation_ids::uuid[], :user_ids::uuid[], :heard_ats::timestamptz[]) as closed (conversation_id, user_id, heard_at)
), removed as (
  delete from chat_presence using closed
  where chat_presence.conversation_id = closed.conversation_id and chat_presence.user_id = closed.user_id
    and chat_presence.replica_id = :replica_id
  returning chat_presence.conversation_id, chat_presence.user_id, closed.heard_at
), gone as (
  select * from removed where not {{left_online(removed.conversation_id, removed.user_id, :replica_id)}}
), {{mark_reached}}
select conversation_id as "conversation_id!" from removed;

-- name: OnlineMembers :many
-- Which members are online in some conversations.
select conversation_id as "conversation_id!", user_id as "user_id!" from online_members(:conversation_ids::uuid[]);

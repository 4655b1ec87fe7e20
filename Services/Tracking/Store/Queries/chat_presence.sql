-- name: RenewReplica :one
-- Renews the lease of this process; true if it had ended and been removed, or was never there: then nothing is stored of its streams.
insert into chat_replicas (id, expires_at) values (:replica_id, now() + make_interval(secs => :seconds::double precision))
on conflict on constraint chat_replicas_pkey do update set expires_at = excluded.expires_at
returning xmax = 0 as "is_new!";

-- name: EndReplica :many
-- Ends the lease of a process that stops; the conversations that had streams there.
with ended as (
  delete from chat_presence where replica_id = :replica_id returning conversation_id
), removed as (
  delete from chat_replicas where id = :replica_id
)
select distinct conversation_id from ended;

-- name: EndExpiredReplicas :many
-- Removes processes that have not renewed their leases, and what they had open; the conversations in which members may be offline now ([TR-31]).
with gone as (
  select id from chat_replicas where expires_at < now() for update skip locked
), ended as (
  delete from chat_presence using gone where replica_id = gone.id returning conversation_id
), removed as (
  delete from chat_replicas using gone where chat_replicas.id = gone.id
)
select distinct conversation_id from ended;

-- name: StorePresence :many
-- Stores that users are online in conversations, at this process, the first user in the first conversation and so on; of former members nothing is
-- stored. What they missed may be notified again.
with wanted as (
  select * from unnest(:conversation_ids::uuid[], :user_ids::uuid[]) as wanted (conversation_id, user_id)
), seen as (
  update chat_members as member set is_notified = false from wanted
  where member.conversation_id = wanted.conversation_id and member.user_id = wanted.user_id and member.is_notified
)
insert into chat_presence (conversation_id, user_id, replica_id)
select member.conversation_id, member.user_id, :replica_id
from wanted join chat_members as member on member.conversation_id = wanted.conversation_id and member.user_id = wanted.user_id
order by member.conversation_id, member.user_id
on conflict on constraint chat_presence_pkey do nothing
returning conversation_id;

-- name: RemovePresence :many
-- Removes that users are online in conversations at this process.
delete from chat_presence using unnest(:conversation_ids::uuid[], :user_ids::uuid[]) as closed (conversation_id, user_id)
where chat_presence.conversation_id = closed.conversation_id and chat_presence.user_id = closed.user_id
  and chat_presence.replica_id = :replica_id
returning chat_presence.conversation_id;

-- name: OnlineMembers :many
-- Which members are online in some conversations.
select distinct chat_presence.conversation_id, chat_presence.user_id
from chat_presence
join chat_replicas on chat_replicas.id = chat_presence.replica_id and chat_replicas.expires_at > now()
join chat_members as member
  on member.conversation_id = chat_presence.conversation_id and member.user_id = chat_presence.user_id
where chat_presence.conversation_id = any(:conversation_ids);

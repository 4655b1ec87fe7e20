-- name: SessionsOfDeletedAccount :many
-- Some of the sessions of which a user is a participant.
select id as "session_id!" from (
  (select id from sessions where owner_id = :user_id order by id limit :limit)
  union
  (select id from sessions where partner_id = :user_id order by id limit :limit)
) as found
order by id limit :limit;

-- name: ForgetParticipant :exec
-- Removes a user who deleted the account from a session that is over; the other participant is told by [C-11].
with session as (
  update sessions
  set owner_id = nullif(owner_id, :user_id), partner_id = nullif(partner_id, :user_id), revision = revision + 1
  where id = :session_id
  returning id
)
update participations set changed_in = pg_current_xact_id()
from session where participations.session_id = session.id and participations.present;

-- name: FailMatchedSession :exec
-- Ends a matched session that has begun because a participant deleted the account; nobody is barred.
with session as (
  update sessions set state = 'FAILED', revision = revision + 1, updated_at = :now
  where id = :session_id and state = 'MATCHED'
  returning id
)
update participations set active = false, changed_in = pg_current_xact_id()
from session where participations.session_id = session.id;

-- name: DeleteParticipationsOfUser :many
-- Removes some of the participations of a user ([C-9]).
delete from participations where user_id = :user_id and session_id in (
  select session_id from participations where user_id = :user_id order by session_id limit :limit
) returning true as "removed!";

-- name: SessionsBetween :many
-- Some of the matched sessions of two users of whom one has blocked the other ([C-10]); none if the block was removed meanwhile.
select id as "session_id!" from (
  select id from sessions where owner_id = :blocker_id and partner_id = :blocked_id and state = 'MATCHED' and starts_at > :now
  union
  select id from sessions where owner_id = :blocked_id and partner_id = :blocker_id and state = 'MATCHED' and starts_at > :now
) as found
where exists (select from blocks where blocker_id = :blocker_id and blocked_id = :blocked_id)
order by id limit :limit;

-- name: MatchFurtherOn :one slow
-- The matched session that so many others precede; no row if fewer follow.
select id from sessions where state = 'MATCHED' and starts_at > :now and id > :after_session_id
order by id offset :skipped::bigint limit 1;

-- name: BlockedMatches :many slow
-- Some of the matched sessions between users of whom one has blocked the other ([C-10]), in the order of their ids. Blocks are looked up for
-- each session: as a join with `or`, every session is looked at for each page.
-- @until_session_id SessionID: The last session to look at; `nil` for all.
select session.id as session_id, block.blocker_id as "blocker_id!", block.blocked_id as "blocked_id!"
from sessions as session cross join lateral (
  select blocker_id, blocked_id from blocks
  where blocks.blocker_id = session.owner_id and blocks.blocked_id = session.partner_id
  union all
  select blocker_id, blocked_id from blocks
  where blocks.blocker_id = session.partner_id and blocks.blocked_id = session.owner_id
) as block
where session.state = 'MATCHED' and session.starts_at > :now and session.id > :after_session_id
  and session.id <= {{before(:until_session_id?::uuid)}}
order by session.id, block.blocker_id limit :limit;

-- name: DeleteOldGyms :many
-- Removes gyms whose sessions have all started.
delete from gyms where id in (
  select id from gyms where last_start <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: WaitingOf :one
-- How long a session's waiting list is, for how many sessions a user waits, and the user's number in this list.
-- @number: Null if the user does not wait.
select
  (select count(*) from waiting_list where session_id = :session_id) as "in_list!",
  (select count(*) from waiting_list where user_id = :user_id and starts_at > :now) as "of_user!",
  (select number from waiting_list where session_id = :session_id and user_id = :user_id) as number;

-- name: InsertWaiting :exec
-- Adds a user to the end of the waiting list of a session that the transaction has locked.
insert into waiting_list (session_id, user_id, number, starts_at, joined_at)
select :session_id, :user_id, coalesce(max(number), 0) + 1, :starts_at, :now
from waiting_list where session_id = :session_id;

-- name: DeleteWaiting :one
-- Removes a user from the waiting list of a session that the transaction has locked; no row if the user does not wait.
delete from waiting_list where session_id = :session_id and user_id = :user_id returning number;

-- name: NextWaiting :one
-- The first user of the waiting list of an open session whose slot is free, who is not barred, and whom the session suits ([MA-3], [MA-5]); no
-- row if there is none.
-- @user_id UserID
select waiting_list.user_id
from waiting_list
join sessions on sessions.id = waiting_list.session_id
join users on users.id = waiting_list.user_id
where waiting_list.session_id = :session_id and sessions.state = 'OPEN' and coalesce(sessions.joins_end_at, sessions.starts_at) > :now and not users.deleted
  and users.id <> sessions.owner_id
  and not exists (
    select from participations join sessions as own on own.id = participations.session_id
    where participations.user_id = users.id and participations.active and own.state <> 'OPEN'
      and participations.slot && tstzrange(sessions.starts_at, sessions.ends_at)
  )
  and not exists (
    select from bars where bars.user_id = users.id and bars.ends_at > :now and bars.lifted_at is null
  )
  and sessions.admitted & case users.gender when 'MALE' then 1 when 'FEMALE' then 2 when 'OTHER' then 4 end <> 0
  and (sessions.level in ('ADVANCED', 'EXPERT') or users.level in ('ADVANCED', 'EXPERT'))
  and not {{blocked(users.id, sessions.owner_id)}}
order by waiting_list.number
limit 1;

-- name: OfferPlace :exec
-- Offers the place in an open session, which the transaction has locked, to a user.
update sessions set offered_to = :user_id, offered_until = :until where id = :session_id;

-- name: WithdrawOffer :exec
-- Ends the offer of a session that the transaction has locked.
update sessions set offered_to = null, offered_until = null where id = :session_id;

-- name: LockedOffer :one
-- To whom the place in a session is offered; the session is locked until the transaction ends.
select
  id, state, starts_at, coalesce(joins_end_at, starts_at) as "joins_end_at!", gym_name, offered_to, offered_until
from sessions where id = :session_id for no key update;

-- name: WaitingListsOf :many
-- The sessions that a user waits for, by their start.
-- @place: From 1.
-- @offered_until: Null if the place is not offered to the user.
select
  sessions.id as session_id, sessions.starts_at, sessions.ends_at, sessions.gym_id, sessions.gym_name,
  sessions.gym_latitude, sessions.gym_longitude, sessions.time_zone, sessions.focus,
  (
    select count(*)::integer from waiting_list as earlier
    where earlier.session_id = sessions.id and earlier.number <= waiting_list.number
  ) as "place!",
  case when sessions.offered_to = :user_id and sessions.offered_until > :now then sessions.offered_until end as offered_until
from waiting_list join sessions on sessions.id = waiting_list.session_id
where waiting_list.user_id = :user_id and waiting_list.starts_at > :now and sessions.state in ('OPEN', 'MATCHED')
  -- A participant that the user does not see hides the session ([C-10]).
  and {{visible(sessions.owner_id, :user_id)}} and (sessions.partner_id is null or {{visible(sessions.partner_id, :user_id)}})
order by waiting_list.starts_at, sessions.id;

-- name: DeleteWaitingOfUser :exec
-- Removes a user from all waiting lists ([C-9]), in the order of sessions, as a join that withdraws several posts does.
delete from waiting_list where user_id = :user_id and session_id in (
  select session_id from waiting_list where user_id = :user_id order by session_id for update
);

-- name: DeleteOldWaiting :many
-- Removes entries of sessions that have started.
delete from waiting_list where (session_id, user_id) in (
  select session_id, user_id from waiting_list where starts_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: OffersTo :many
-- The sessions whose place is offered to a user, in the order of ids.
select id from sessions where offered_to = :user_id order by id limit :limit;

-- name: OffersBetween :many
-- The sessions of one of two users whose place is offered to the other, in the order of ids.
select id from sessions
where (offered_to = :user_id and owner_id = :other_id) or (offered_to = :other_id and owner_id = :user_id)
order by id limit :limit;

-- columns: StoredSessionShare
-- A stored link to a session.
share.id, share.session_id, share.created_at;

-- name: InsertSessionShare :one
-- Stores a link to a session that the transaction has locked; no row if there are the most links.
insert into session_shares as share (id, session_id, place, user_id, token_hash, created_at)
select :share_id, :session_id, free.place, :user_id, :token_hash, :now
from generate_series(1, 20) as free (place)
where not exists (
  select from session_shares where session_id = :session_id and user_id = :user_id and session_shares.place = free.place
)
order by free.place
limit 1
returning {{StoredSessionShare}};

-- name: SharesOfSession :many
-- A user's links to a session, the newest first: there are 20 at most.
select {{StoredSessionShare}} from session_shares as share
where share.session_id = :session_id and share.user_id = :user_id
order by share.id desc;

-- name: DeleteSessionShare :one
-- Removes one of a user's links; no row if it does not exist.
delete from session_shares where id = :share_id and user_id = :user_id returning id;

-- name: DeleteSessionSharesOfUser :exec
-- Removes a user's links ([C-9]).
delete from session_shares where user_id = :user_id;

-- name: SharedSessionByToken :one
-- The session that a link shares, as long as others can join it and it is that of the user who shares it.
-- @local_start: The start in the gym's zone, for people.
-- @local_end: The time of the end in the gym's zone.
select
  session.id as session_id, session.starts_at, session.ends_at, session.gym_name, session.time_zone, session.focus,
  session.level,
  to_char(session.starts_at at time zone session.time_zone, 'FMDay, FMDD FMMonth YYYY, HH24:MI') as "local_start!",
  to_char(session.ends_at at time zone session.time_zone, 'HH24:MI') as "local_end!"
from session_shares as share
join sessions as session on session.id = share.session_id and session.owner_id = share.user_id
where share.token_hash = :token_hash and session.state = 'OPEN' and session.starts_at > :now;

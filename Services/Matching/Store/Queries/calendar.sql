-- columns: StoredCalendarLink
-- A stored link to a user's calendar.
link.id, link.created_at;

-- name: InsertCalendarLink :one
-- Stores a link to the calendar of a user whose row the transaction has locked; no row if the user has the most links.
insert into calendar_links as link (id, user_id, place, token_hash, created_at)
select :link_id, :user_id, free.place, :token_hash, :now
from generate_series(1, 10) as free (place)
where not exists (select from calendar_links where user_id = :user_id and calendar_links.place = free.place)
order by free.place
limit 1
returning {{StoredCalendarLink}};

-- name: CalendarLinksOf :many
-- The links to a user's calendar, the newest first: there are 10 at most.
select {{StoredCalendarLink}} from calendar_links as link where link.user_id = :user_id order by link.id desc;

-- name: DeleteCalendarLink :one
-- Removes one of a user's links; no row if it does not exist.
delete from calendar_links where id = :link_id and user_id = :user_id returning id;

-- name: DeleteCalendarLinksOfUser :exec
-- Removes the links to a user's calendar ([C-9]).
delete from calendar_links where user_id = :user_id;

-- name: UserOfCalendar :one
-- The user whose calendar a link leads to.
select user_id from calendar_links where token_hash = :token_hash;

-- name: CalendarMissesOver :one
-- The end of the window of an address that has tried too often; no row if it has not.
-- @address_hash: SHA-256 of the address.
-- @most: Attempts within the window.
select window_ends_at from calendar_misses
where address_hash = :address_hash and window_ends_at > :now and misses >= :most;

-- name: CountCalendarMiss :exec
-- Counts an attempt at an unknown link.
-- @address_hash: SHA-256 of the address.
-- @window_ends_at: Of a window that begins now.
with over as (
  delete from calendar_misses where address_hash in (
    select address_hash from calendar_misses where window_ends_at <= :now and address_hash <> :address_hash
    limit 10 for update skip locked
  )
)
insert into calendar_misses (address_hash, window_ends_at, misses) values (:address_hash, :window_ends_at, 1)
on conflict on constraint calendar_misses_pkey do update
-- An expired window is reset by the next miss, so that nothing has to remove it.
set misses = case when calendar_misses.window_ends_at <= :now then 1 else calendar_misses.misses + 1 end,
  window_ends_at = case
    when calendar_misses.window_ends_at <= :now then :window_ends_at else calendar_misses.window_ends_at
  end;

-- name: CalendarSessions :many
-- A user's sessions for a calendar, the latest first: those that take place or have taken place.
-- @since: Only sessions that end later.
-- @is_matched: Whether it has two participants.
select
  sessions.id as session_id, sessions.starts_at, sessions.ends_at, sessions.updated_at, sessions.revision, sessions.focus,
  sessions.gym_name, sessions.state <> 'OPEN' as "is_matched!"
from participations as mine join sessions on sessions.id = mine.session_id
where mine.user_id = :user_id and mine.present and sessions.state in ('OPEN', 'MATCHED', 'SUCCESSFUL')
  and lower(mine.slot) > :since::timestamptz - interval '8 hours' and sessions.ends_at > :since
  -- An open session whose start has passed found no partner.
  and (sessions.state <> 'OPEN' or sessions.starts_at > :now)
order by lower(mine.slot) desc, mine.session_id desc
limit :limit;

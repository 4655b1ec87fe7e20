-- columns: StoredActivityShare
-- A stored link to an activity.
share.id, share.activity_id, share.created_at;

-- name: InsertActivityShare :one
-- Stores a link to an activity that the transaction has locked; no row if there are the most links.
insert into activity_shares as share (id, activity_id, place, user_id, token_hash, created_at)
select :share_id, :activity_id, free.place, :user_id, :token_hash, :now
from generate_series(1, 20) as free (place)
where not exists (
  select from activity_shares where activity_id = :activity_id and activity_shares.place = free.place
)
order by free.place
limit 1
returning {{StoredActivityShare}};

-- name: SharesOfActivity :many
-- A user's links to an activity, the newest first: there are 20 at most.
select {{StoredActivityShare}} from activity_shares as share
where share.activity_id = :activity_id and share.user_id = :user_id
order by share.id desc;

-- name: DeleteActivityShare :one
-- Removes one of a user's links; no row if it does not exist.
delete from activity_shares where id = :share_id and user_id = :user_id returning id;

-- name: DeleteActivitySharesOfUser :exec
-- Removes a user's links ([C-9]).
delete from activity_shares where user_id = :user_id;

-- name: LockActivity :one
-- Locks an activity of a user until the transaction ends; no row if there is none.
select id from activities where id = :activity_id and user_id = :user_id and {{present(:user_id)}} for no key update;

-- name: SharedActivityByToken :one
-- The figures of the activity that a link shares, and nothing that says where it was.
select
  activity.sport, activity.started_at, activity.time_zone, activity.duration_s, activity.moving_s, activity.distance_m
from activity_shares as share
join activities as activity on activity.id = share.activity_id
where share.token_hash = :token_hash;

-- name: DayInZone :one
-- The day of a moment in a zone, whose name the database knows.
select (:moment::timestamptz at time zone :zone)::date as "day!";

-- name: ShareMissesOver :one
-- The end of the window of an address that has tried too often; no row if it has not.
-- @address_hash: SHA-256 of the address.
-- @most: Attempts within the window.
select window_ends_at from share_misses
where address_hash = :address_hash and window_ends_at > :now and misses >= :most;

-- name: CountShareMiss :exec
-- Counts an attempt at an unknown link.
-- @address_hash: SHA-256 of the address.
-- @window_ends_at: Of a window that begins now.
with over as (
  delete from share_misses where address_hash in (
    select address_hash from share_misses where window_ends_at <= :now and address_hash <> :address_hash
    limit 10 for update skip locked
  )
)
insert into share_misses (address_hash, window_ends_at, misses) values (:address_hash, :window_ends_at, 1)
on conflict on constraint share_misses_pkey do update
-- An expired window is reset by the next miss, so that nothing has to remove it.
set misses = case when share_misses.window_ends_at <= :now then 1 else share_misses.misses + 1 end,
  window_ends_at = case
    when share_misses.window_ends_at <= :now then :window_ends_at else share_misses.window_ends_at
  end;

-- columns: StoredShare
-- A stored link to a workout.
share.id, share.workout_id, share.created_at;

-- name: InsertShare :one
-- Stores a link to a workout whose owner's row the transaction has locked; no row if the workout has the most links.
insert into workout_shares as share (id, workout_id, place, owner_id, token_hash, created_at)
select :share_id, :workout_id, free.place, :owner_id, :token_hash, :now
from generate_series(1, 20) as free (place)
where not exists (select from workout_shares where workout_id = :workout_id and workout_shares.place = free.place)
order by free.place
limit 1
returning {{StoredShare}};

-- name: SharesOfWorkout :many
-- The links to a workout, the newest first: there are 20 at most.
select {{StoredShare}} from workout_shares as share where share.workout_id = :workout_id order by share.id desc;

-- name: DeleteShare :one
-- Removes one of a user's links; no row if it does not exist.
delete from workout_shares where id = :share_id and owner_id = :owner_id returning id;

-- name: SharedWorkoutByToken :one
-- The workout that a link shares.
select {{WorkoutColumns}}
from workout_shares as share
join workouts as workout on workout.id = share.workout_id
where share.token_hash = :token_hash and workout.deleted_at is null and {{present(share.owner_id)}};

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

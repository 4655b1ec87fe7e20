-- name: StoreUsage :many
-- Stores reports of different gyms, unless a newer one is stored; a row for each that was stored ([CA-4]).
-- @capacities: 0 keeps the stored one.
insert into gym_usage (gym_id, people, capacity, observed_at)
select report.gym_id, report.people, nullif(report.capacity, 0), report.observed_at
from unnest(:gym_ids::uuid[], :people::integer[], :capacities::integer[], :observed_times::timestamptz[])
  as report (gym_id, people, capacity, observed_at)
join gyms on gyms.id = report.gym_id
-- In the order of ids, so that two transactions cannot deadlock.
order by report.gym_id
on conflict on constraint gym_usage_pkey do update
set people = excluded.people, capacity = coalesce(excluded.capacity, gym_usage.capacity),
  observed_at = excluded.observed_at
where gym_usage.observed_at <= excluded.observed_at
returning gym_id;

-- name: KnownGyms :many
-- The gyms, among those given, that exist.
select id from gyms where id = any(:gym_ids::uuid[]);

-- name: NotePresence :exec
-- Stores at which gym a user whom ``EnterUser`` has locked checked in. A check-in that is older than the stored one, or at an unknown gym,
-- changes nothing ([CA-4]).
insert into gym_presences (user_id, gym_id, checked_in_at, leaves_at)
select :user_id, gyms.id, :checked_in_at, :leaves_at from gyms where gyms.id = :gym_id
on conflict on constraint gym_presences_pkey do update
set gym_id = excluded.gym_id, checked_in_at = excluded.checked_in_at, leaves_at = excluded.leaves_at
where gym_presences.checked_in_at <= excluded.checked_in_at;

-- name: DeleteOldPresences :many
-- Removes some of the expired check-ins.
delete from gym_presences where user_id in (
  select user_id from gym_presences where checked_in_at <= :moment order by checked_in_at limit :limit
  for update skip locked
) returning 1 as "removed!";

-- name: DeletePresenceOfUser :exec
-- Removes a user's check-in ([C-9]).
delete from gym_presences where user_id = :user_id;

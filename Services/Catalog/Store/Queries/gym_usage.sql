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

-- name: NotePresences :exec
-- Stores at which gyms users checked in, each user's last check-in: of two at the same moment the later of the lists. A check-in that is
-- older than the stored one, or at an unknown gym, changes nothing ([CA-4]). Skipped are users who have deleted the account: the users'
-- rows are locked, so that nothing is stored after the account deletion ([C-9]).
with reported as (
  select user_id, gym_id, checked_in_at, leaves_at, place
  from unnest(:user_ids::uuid[], :gym_ids::uuid[], :check_in_times::timestamptz[], :end_times::timestamptz[])
    with ordinality as check_in (user_id, gym_id, checked_in_at, leaves_at, place)
), present as (
  insert into users (id) select distinct user_id from reported order by user_id
  on conflict on constraint users_pkey do update set changes = users.changes where not users.deleted
  returning id
)
insert into gym_presences (user_id, gym_id, checked_in_at, leaves_at)
select distinct on (present.id) present.id, gyms.id, reported.checked_in_at, reported.leaves_at
from reported join present on present.id = reported.user_id join gyms on gyms.id = reported.gym_id
order by present.id, reported.checked_in_at desc, reported.place desc
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

-- name: LockGroups :many
-- Locks some groups until the transaction ends, in the order of their ids: before their next numbers are taken.
select id from groups where id = any(:group_ids::uuid[]) order by id for no key update;

-- name: StoreChanges :many
-- Stores changes of groups that are locked by an earlier statement with the groups' next numbers; returns the numbers, by the places of the
-- changes from 1. What a member's position or state changes is dropped if the membership ended before the lock, and so is what
-- changes in groups that are not known. What is absent is 0 for a time or an id, and not a number else.
with change as (
  select
    group_id, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
    recorded_at, journey_id, place
  from unnest(
    :group_ids::uuid[], :user_ids::uuid[], :kinds::text[], :states::text[], :warnings::integer[],
    :latitudes::float8[], :longitudes::float8[], :accuracies::float8[], :altitudes::float8[], :speeds::float8[],
    :courses::float8[], :recorded_ats::timestamptz[], :journey_ids::uuid[]
  ) with ordinality as change (
    group_id, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
    recorded_at, journey_id, place
  )
  where kind not in ('POSITION', 'STATE')
    or exists (
      select from memberships where memberships.group_id = change.group_id and memberships.user_id = change.user_id
    )
), counted as (
  select group_id, count(*) as count from change group by group_id
), taken as (
  update groups set sequence = groups.sequence + counted.count
  from counted where groups.id = counted.group_id
  returning groups.id, groups.sequence - counted.count as last
), numbered as materialized (
  select change.*, taken.last + row_number() over (partition by change.group_id order by change.place) as sequence
  from change join taken on taken.id = change.group_id
), stored as (
  insert into group_changes (
    group_id, sequence, changed_at, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m,
    speed_mps, course, recorded_at, journey_id
  )
  select
    group_id, sequence, :now, user_id, kind, state, warnings, nullif(latitude, 'NaN'), nullif(longitude, 'NaN'),
    nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'), nullif(speed_mps, 'NaN'), nullif(course, 'NaN'),
    nullif(recorded_at, 'epoch'), nullif(journey_id, '00000000-0000-0000-0000-000000000000')
  from numbered
)
select place as "place!", sequence as "sequence!" from numbered order by place;

-- name: ChangesAfter :many
-- What changed in a group after a number, in order.
-- @after: The number of the last change that is known.
select
  sequence, changed_at, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
  recorded_at, journey_id
from group_changes
where group_id = :group_id and sequence > :after
order by sequence
limit :limit;

-- name: MakePartition :one
-- Makes the partition of a day in UTC, unless it is there.
select true as "is_there!" from make_partition(:parent, :day::date);

-- name: LockGroups :many
-- Locks some groups until the transaction ends, in the order of their ids: before their next numbers are taken.
select id from groups where id = any(:group_ids::uuid[]) order by id for no key update;

-- name: StoreChanges :many
-- Stores changes of groups that are locked by an earlier statement with the groups' next numbers; returns the numbers, by the places of the
-- changes from 1. What a member's position, state or place changes is dropped if the membership ended before the lock, and so is what
-- changes in groups that are not known. What is absent is 0 for a time or an id, empty for a name, and not a number else.
with change as (
  select
    change.group_id, change.user_id, change.kind, change.state, change.warnings, change.latitude, change.longitude,
    change.accuracy_m, change.altitude_m, change.speed_mps, change.course, change.recorded_at, change.journey_id,
    change.promised_at, change.estimated_at, change.place_name, change.place
  from unnest(
    :group_ids::uuid[], :user_ids::uuid[], :kinds::text[], :states::text[], :warnings::integer[],
    :latitudes::float8[], :longitudes::float8[], :accuracies::float8[], :altitudes::float8[], :speeds::float8[],
    :courses::float8[], :recorded_ats::timestamptz[], :journey_ids::uuid[],
    :promised_ats::timestamptz[], :estimated_ats::timestamptz[], :place_names::text[]
  ) with ordinality as change (
    group_id, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
    recorded_at, journey_id, promised_at, estimated_at, place_name, place
  )
  -- A join: as `exists` behind `or` it would be answered by reading all memberships.
  left join memberships on memberships.group_id = change.group_id and memberships.user_id = change.user_id
  where change.kind not in ('POSITION', 'STATE', 'PLACE_REACHED', 'PLACE_LEFT') or memberships.user_id is not null
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
    speed_mps, course, recorded_at, journey_id, promised_at, estimated_at, place_name
  )
  select
    group_id, sequence, :now, user_id, kind, state, warnings, nullif(latitude, 'NaN'), nullif(longitude, 'NaN'),
    nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'), nullif(speed_mps, 'NaN'), nullif(course, 'NaN'),
    nullif(recorded_at, 'epoch'), nullif(journey_id, '00000000-0000-0000-0000-000000000000'),
    nullif(promised_at, 'epoch'), nullif(estimated_at, 'epoch'), nullif(place_name, '')
  from numbered
)
select place as "place!", sequence as "sequence!" from numbered order by place;

-- name: ChangesAfter :many
-- What changed in a group after a number, in order.
-- @after: The number of the last change that is known.
select
  sequence, changed_at, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
  recorded_at, journey_id, promised_at, estimated_at, place_name
from group_changes
where group_id = :group_id and sequence > :after
order by sequence
limit :limit;

-- name: MakePartition :one
-- Makes the partition of a day in UTC, unless it is there.
select true as "is_there!" from make_partition(:parent, :day::date);

-- name: LockGroups :many
-- Locks some groups until the transaction ends, in the order of their ids: before their next numbers are taken.
select id from groups where id = any(:group_ids::uuid[]) order by id for no key update;

-- name: NumberChanges :many
-- Takes the next numbers of groups that are locked; returns the last of each.
update groups set sequence = groups.sequence + counted.count
from unnest(:group_ids::uuid[], :counts::bigint[]) as counted (id, count)
where groups.id = counted.id
returning groups.id as group_id, groups.sequence;

-- name: InsertChanges :exec
-- Stores changes with numbers that ``NumberChanges`` took. What is absent is 0 for a time or an id, and not a number else.
insert into group_changes (
  group_id, sequence, changed_at, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m,
  speed_mps, course, recorded_at, journey_id
)
select
  group_id, sequence, :now, user_id, kind, state, warnings, nullif(latitude, 'NaN'), nullif(longitude, 'NaN'),
  nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'), nullif(speed_mps, 'NaN'), nullif(course, 'NaN'),
  nullif(recorded_at, 'epoch'), nullif(journey_id, '00000000-0000-0000-0000-000000000000')
from unnest(
  :group_ids::uuid[], :sequences::bigint[], :user_ids::uuid[], :kinds::text[], :states::text[],
  :warnings::integer[], :latitudes::float8[], :longitudes::float8[], :accuracies::float8[], :altitudes::float8[],
  :speeds::float8[], :courses::float8[], :recorded_ats::timestamptz[], :journey_ids::uuid[]
) as change (
  group_id, sequence, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
  recorded_at, journey_id
);

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

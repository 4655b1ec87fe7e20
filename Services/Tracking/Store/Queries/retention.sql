-- name: RetentionOf :one
-- After how many days a user's positions are deleted ([TR-13]); no row for a user who never shared one.
select retention_days from trackers where user_id = :user_id;

-- name: SetRetention :exec
-- Changes after how many days a user's positions are deleted; the row is locked.
update trackers set retention_days = :days where user_id = :user_id;

-- name: ForgottenTravellers :many slow
-- Some users on journeys that nobody ended: the promised time and the last report are from before the user's retention time. They are locked
-- until the transaction ends, in the order of their ids; those that another process has locked are left out.
select tracker.user_id
from trackers as tracker join journeys as journey on journey.id = tracker.journey_id
where journey.kind = 'JOURNEY'
  and journey.arrival_at < :now::timestamptz - tracker.retention_days * interval '1 day'
  and tracker.heard_at < :now::timestamptz - tracker.retention_days * interval '1 day'
order by tracker.user_id
limit :limit
for no key update of tracker skip locked;

-- name: HasForgottenTravellers :one slow
-- Whether `ForgottenTravellers` left any out.
select exists (
  select 1 from trackers as tracker join journeys as journey on journey.id = tracker.journey_id
  where journey.kind = 'JOURNEY'
    and journey.arrival_at < :now::timestamptz - tracker.retention_days * interval '1 day'
    and tracker.heard_at < :now::timestamptz - tracker.retention_days * interval '1 day'
) as "value!";

-- name: TrackedUsers :many
-- Some users of whom positions may be stored, in the order of their ids.
select user_id from trackers where user_id > :after order by user_id limit :limit;

-- name: DeleteOldPathPoints :many slow
-- Deletes some points of the paths of some users after their retention times.
with old as (
  select point.user_id, point.recorded_at
  from trackers join path_points as point
    on point.user_id = trackers.user_id
    and point.recorded_at < :now::timestamptz - trackers.retention_days * interval '1 day'
    -- The shortest retention time, by which the partitions of the last days are left out.
    and point.recorded_at < :now::timestamptz - interval '2 days'
  where trackers.user_id = any(:user_ids::uuid[])
  limit :limit
)
delete from path_points using old
where path_points.user_id = old.user_id and path_points.recorded_at = old.recorded_at
returning true as "deleted!";

-- name: DeleteOldJourneys :many slow
-- Deletes some journeys and alerts of some users that ended before their retention times; their paths are gone then.
with old as (
  select journey.id from journeys as journey join trackers on trackers.user_id = journey.user_id
  where trackers.user_id = any(:user_ids::uuid[]) and journey.ended_at < :now::timestamptz - trackers.retention_days * interval '1 day'
  limit :limit
)
delete from journeys using old where journeys.id = old.id returning true as "deleted!";

-- name: ForgetOldPositions :many slow
-- Deletes the current positions of some users after their retention times, and what was derived of them.
with old as (
  select user_id from trackers
  where user_id = any(:user_ids::uuid[]) and recorded_at < :now::timestamptz - retention_days * interval '1 day'
  order by user_id limit :limit for no key update skip locked
), forgotten as (
  -- Where a user was last, too.
  update places set presence = 'UNKNOWN', leaving_since = null
  from old where places.user_id = old.user_id and places.presence <> 'UNKNOWN'
), forgotten_by_groups as (
  update place_groups set presence = null, leaving_since = null
  from old inner join places on places.user_id = old.user_id
  where place_groups.place_id = places.id and place_groups.presence is not null
)
update trackers
set latitude = null, longitude = null, accuracy_m = null, altitude_m = null, speed_mps = null, course = null,
  recorded_at = null, received_at = null, determined_at = null, suspect = '', progress = '', estimated_at = null,
  trail = '', is_standing = false, recent_reports = '', phone_clock = '',
  path_days = ''
from old where trackers.user_id = old.user_id
returning true as "deleted!";

-- name: ForgetOldLastPositions :many slow
-- Deletes some last known positions of some users after their retention times.
with old as (
  select membership.group_id, membership.user_id
  from memberships as membership join trackers on trackers.user_id = membership.user_id
  where trackers.user_id = any(:user_ids::uuid[]) and membership.last_recorded_at < :now::timestamptz - trackers.retention_days * interval '1 day'
  limit :limit
)
update memberships
set last_latitude = null, last_longitude = null, last_accuracy_m = null, last_altitude_m = null, last_speed_mps = null,
  last_course = null, last_recorded_at = null, last_kept_at = null
from old where memberships.group_id = old.group_id and memberships.user_id = old.user_id
returning true as "deleted!";

-- name: DropPartitions :one slow
-- Drops the partitions of days that ended before a moment.
select drop_partitions(:parent, :before::timestamptz, false) as "dropped!";

-- name: DropEmptyPartitions :one slow
-- Drops the empty partitions of days that ended before a moment.
select drop_partitions(:parent, :before::timestamptz, true) as "dropped!";

-- name: EnterTrackers :exec
-- Creates the rows of users of whom `users` has a row; deleted accounts get none ([C-9]). The shared lock on the rows of `users` keeps
-- account deletions from being stored until the transaction ends.
with present as (
  select id from users where id = any(:user_ids::uuid[]) and not deleted order by id for share
)
insert into trackers (user_id) select id from present
on conflict on constraint trackers_pkey do nothing;

-- name: LockTrackers :many
-- Positions of some users, locked until the transaction ends, in the order of the users' ids.
--
-- Other tables are read by statements after it: what a locking statement joins may be older than the rows that it waited for.
select
  tracker.user_id, tracker.latitude, tracker.longitude, tracker.accuracy_m, tracker.altitude_m, tracker.speed_mps,
  tracker.course, tracker.recorded_at, tracker.received_at, tracker.heard_at, tracker.is_silent, tracker.is_standing,
  tracker.trail, tracker.suspect, tracker.check_at, tracker.progress, tracker.estimated_at, tracker.place_count,
  tracker.recent_reports, tracker.phone_clock, tracker.path_days, tracker.determined_at, tracker.journey_id
from trackers as tracker
where tracker.user_id = any(:user_ids::uuid[])
order by tracker.user_id for no key update of tracker;

-- name: StorageOfTracker :one
-- What is stored of a user in places and on paths; no row for a user who never shared a position, or named a place.
select place_count, path_days, retention_days from trackers where user_id = :user_id;

-- name: CountPathPoints :one slow
-- How many positions of a user are on paths, up to a limit.
select count(*) as "count!" from (select from path_points where user_id = :user_id limit :limit) as kept;

-- name: OpenJourneysOf :many
-- The journeys and alerts in progress of some users whose rows are locked.
-- @latitude: Of the destination; `nil` for an alert.
select id, user_id, started_at, latitude, longitude, arrival_at from journeys
where user_id = any(:user_ids::uuid[]) and ended_at is null
order by user_id;

-- name: StatusesOf :many
-- What all groups see of some users.
select user_id, group_id, state, warnings, shared_since, withheld_since from memberships
where user_id = any(:user_ids::uuid[])
order by user_id, group_id;

-- name: PutTrackers :exec
-- Stores positions of users whose rows are locked. What is absent is 0 for a time or an id, and not a number else.
update trackers
set latitude = nullif(changed.latitude, 'NaN'), longitude = nullif(changed.longitude, 'NaN'),
  accuracy_m = nullif(changed.accuracy_m, 'NaN'), altitude_m = nullif(changed.altitude_m, 'NaN'),
  speed_mps = nullif(changed.speed_mps, 'NaN'), course = nullif(changed.course, 'NaN'),
  recorded_at = nullif(changed.recorded_at, 'epoch'), received_at = nullif(changed.received_at, 'epoch'),
  heard_at = nullif(changed.heard_at, 'epoch'), is_silent = changed.is_silent, is_standing = changed.is_standing,
  trail = changed.trail, suspect = changed.suspect, progress = changed.progress,
  estimated_at = nullif(changed.estimated_at, 'epoch'), recent_reports = changed.recent_reports,
  journey_id = nullif(changed.journey_id, '00000000-0000-0000-0000-000000000000'),
  check_at = nullif(changed.check_at, 'epoch'), phone_clock = changed.phone_clock,
  path_days = changed.path_days, determined_at = nullif(changed.determined_at, 'epoch')
from unnest(
  :user_ids::uuid[], :latitudes::float8[], :longitudes::float8[], :accuracies::float8[], :altitudes::float8[],
  :speeds::float8[], :courses::float8[], :recorded_ats::timestamptz[], :received_ats::timestamptz[],
  :heard_ats::timestamptz[], :silent::boolean[], :standing::boolean[], :trails::bytea[], :suspects::bytea[],
  :journey_ids::uuid[], :check_ats::timestamptz[], :progresses::bytea[], :estimated_ats::timestamptz[],
  :recent_reports::bytea[], :phone_clocks::bytea[], :determined_ats::timestamptz[], :path_days::bytea[]
) as changed (
  user_id, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, recorded_at, received_at, heard_at,
  is_silent, is_standing, trail, suspect, journey_id, check_at, progress, estimated_at, recent_reports,
  phone_clock, determined_at, path_days
)
where trackers.user_id = changed.user_id;

-- name: PutStatuses :exec
-- Stores what groups see of users whose rows of `trackers` are locked; a time of 0 is no sharing, or nothing withheld. Memberships that
-- ended are skipped.
update memberships
set
  state = changed.state, warnings = changed.warnings, shared_since = nullif(changed.shared_since, 'epoch'),
  withheld_since = nullif(changed.withheld_since, 'epoch')
from unnest(
  :user_ids::uuid[], :group_ids::uuid[], :states::text[], :warnings::integer[], :shared_sinces::timestamptz[],
  :withheld_sinces::timestamptz[]
) as changed (user_id, group_id, state, warnings, shared_since, withheld_since)
where memberships.user_id = changed.user_id and memberships.group_id = changed.group_id;

-- name: KeepShownPositions :exec
-- Keeps the positions that groups see of users, whose next ones were not reported to them ([TR-2]); what is absent is not a number.
update memberships
set last_latitude = kept.latitude, last_longitude = kept.longitude, last_accuracy_m = nullif(kept.accuracy_m, 'NaN'),
  last_altitude_m = nullif(kept.altitude_m, 'NaN'), last_speed_mps = nullif(kept.speed_mps, 'NaN'),
  last_course = nullif(kept.course, 'NaN'), last_recorded_at = kept.recorded_at, last_kept_at = :now
from unnest(
  :user_ids::uuid[], :group_ids::uuid[], :recorded_ats::timestamptz[], :latitudes::float8[], :longitudes::float8[],
  :accuracies::float8[], :altitudes::float8[], :speeds::float8[], :courses::float8[]
) as kept (user_id, group_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course)
where memberships.user_id = kept.user_id and memberships.group_id = kept.group_id;

-- name: KeepLastPositions :exec
-- Keeps the position that groups see of a user before the user stops sharing with them ([TR-1]); of groups from which it is withheld the one
-- before it is kept already.
update memberships
set last_latitude = tracker.latitude, last_longitude = tracker.longitude, last_accuracy_m = tracker.accuracy_m,
  last_altitude_m = tracker.altitude_m, last_speed_mps = tracker.speed_mps, last_course = tracker.course,
  last_recorded_at = tracker.recorded_at, last_kept_at = :now
from trackers as tracker
where memberships.user_id = :user_id and memberships.group_id = any(:group_ids::uuid[])
  and tracker.user_id = memberships.user_id and tracker.determined_at >= memberships.shared_since
  and memberships.withheld_since is null;

-- name: HideJourney :exec
-- Hides the journey that a user is on from some groups, with which the user stops sharing.
delete from journey_groups using trackers
where trackers.user_id = :user_id and journey_groups.journey_id = trackers.journey_id
  and journey_groups.group_id = any(:group_ids::uuid[]);

-- name: InsertPathPoints :exec
-- Adds positions to paths; those whose times are stored already are dropped.
insert into path_points (user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course)
select
  user_id, recorded_at, latitude, longitude, nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'),
  nullif(speed_mps, 'NaN'), nullif(course, 'NaN')
from unnest(
  :user_ids::uuid[], :recorded_ats::timestamptz[], :latitudes::float8[], :longitudes::float8[], :accuracies::float8[],
  :altitudes::float8[], :speeds::float8[], :courses::float8[]
) as point (user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course)
order by user_id, recorded_at
on conflict do nothing;

-- fragment: shown_to_more
-- The end of a statement that adds points to paths: a position that was reported to some groups, and now to others, is seen by all of these.
on conflict on constraint path_points_pkey do update
set group_ids = case
  when excluded.group_ids is not null
    then array(select unnest(stored.group_ids) union select unnest(excluded.group_ids))
end
where stored.group_ids is not null
  and stored.latitude = excluded.latitude and stored.longitude = excluded.longitude;

-- name: InsertPathPointsOfGroups :exec
-- Adds positions to paths, each time of a user once, with the groups that they were reported to.
-- @audiences: As arrays of ids; empty for all groups.
insert into path_points as stored (
  user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, group_ids
)
select
  user_id, recorded_at, latitude, longitude, nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'),
  nullif(speed_mps, 'NaN'), nullif(course, 'NaN'), nullif(audience, '')::uuid[]
from unnest(
  :user_ids::uuid[], :recorded_ats::timestamptz[], :latitudes::float8[], :longitudes::float8[], :accuracies::float8[],
  :altitudes::float8[], :speeds::float8[], :courses::float8[], :audiences::text[]
) as point (user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, audience)
order by user_id, recorded_at
{{shown_to_more}};

-- name: InsertLatePathPoints :exec
-- Adds positions, each time of a user once, to the paths of journeys and alerts that were over when they arrived; drops those from outside of
-- any, and those whose times are stored already. Journeys follow each other: of those that ended later the first few decide, as an arrival may
-- have a time up to a minute ahead, in which others began.
-- @audiences: As arrays of ids; empty for all groups.
insert into path_points as stored (
  user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, group_ids
)
select
  user_id, recorded_at, latitude, longitude, nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'),
  nullif(speed_mps, 'NaN'), nullif(course, 'NaN'), nullif(audience, '')::uuid[]
from unnest(
  :user_ids::uuid[], :recorded_ats::timestamptz[], :latitudes::float8[], :longitudes::float8[], :accuracies::float8[],
  :altitudes::float8[], :speeds::float8[], :courses::float8[], :audiences::text[]
) as point (user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, audience)
where exists (
  select from (
    select started_at from journeys
    where journeys.user_id = point.user_id and journeys.ended_at >= point.recorded_at
    order by ended_at limit 8
  ) as next where next.started_at <= point.recorded_at
)
order by user_id, recorded_at
{{shown_to_more}};

-- name: InsertJourney :exec
-- Stores a journey or an alert with the groups that see it.
with made as (
  insert into journeys (id, user_id, kind, started_at, latitude, longitude, arrival_at, mode)
  values (
    :journey_id, :user_id, :journey_kind, :started_at, :latitude?, :longitude?, :arrival_at?::timestamptz, :mode?
  )
  returning id
)
insert into journey_groups (journey_id, group_id)
select made.id, named.id from made, unnest(:group_ids::uuid[]) as named (id);

-- name: EndJourneys :exec
-- Ends journeys and alerts.
update journeys set ended_at = ended.at, outcome = ended.outcome
from unnest(:journey_ids::uuid[], :ended_ats::timestamptz[], :outcomes::text[]) as ended (id, at, outcome)
where journeys.id = ended.id and journeys.ended_at is null;

-- name: AddJourneyGroups :exec
-- Has further groups see a journey or an alert in progress, whose user's row of `trackers` is locked.
insert into journey_groups (journey_id, group_id)
select :journey_id, named.id from unnest(:group_ids::uuid[]) as named (id) order by named.id
on conflict on constraint journey_groups_pkey do nothing;

-- name: CountAlerted :exec
-- Adds to the numbers of members who were notified of alerts, each of which is named once.
update journeys set alerted_count = journeys.alerted_count + told.count
from unnest(:journey_ids::uuid[], :counts::integer[]) as told (id, count)
where journeys.id = told.id;

-- name: OpenAlertsOf :many
-- Those of some users who are in SOS.
select user_id from journeys where user_id = any(:user_ids::uuid[]) and ended_at is null and kind = 'SOS' order by user_id;

-- name: LockTrackersOfNewMembers :many
-- Locks the positions of users of whom a membership is reported that is not stored, in the order of the users' ids: an alert begins
-- either before or after.
select tracker.user_id from trackers as tracker
where tracker.user_id in (
  select reported.user_id
  from unnest(:group_ids::uuid[], :user_ids::uuid[], :membership_ids::uuid[]) as reported (group_id, user_id, membership_id)
  where not exists (
    select from memberships
    where memberships.group_id = reported.group_id and memberships.user_id = reported.user_id
      and memberships.membership_id = reported.membership_id
  )
)
order by tracker.user_id for no key update of tracker;

-- name: RecipientsOfNews :many
-- Whom news reach: the members of the groups that are told, but the user, members of groups that are left out, and those of whom one has blocked the
-- other ([C-10]); each once, in the order of their ids. No row for news that reach no user.
-- @news: Their numbers, each once for every group that is told.
-- @other_news: Their numbers, each once for every group whose members are left out.
with told as (
  select distinct item.news, member.user_id
  from unnest(:news::integer[], :user_ids::uuid[], :group_ids::uuid[]) as item (news, user_id, group_id)
  inner join memberships as member on member.group_id = item.group_id
  where member.user_id <> item.user_id
    and not exists (select from blocks where blocker_id = item.user_id and blocked_id = member.user_id)
    and not exists (select from blocks where blocker_id = member.user_id and blocked_id = item.user_id)
), known as (
  select item.news, member.user_id
  from unnest(:other_news::integer[], :other_group_ids::uuid[]) as item (news, group_id)
  inner join memberships as member on member.group_id = item.group_id
)
select news as "news!", array_agg(user_id order by user_id) as "recipient_ids!"
from (select news, user_id from told except select news, user_id from known) as reached
group by news order by news;

-- name: DueTrackers :many
-- Some users of whom something may be due, locked until the transaction ends; those that another process has locked are skipped.
select user_id from trackers where check_at <= :now order by check_at limit :limit for no key update skip locked;

-- name: StayAwake :one
-- Records that positions can arrive, at a moment that is not after the database's present; returns since when they can. After a pause that is since
-- now, and so it is where a record is yet to come, by whatever clock: it hides when a replica served last.
-- @may_have_paused: Whether this process may not have served a moment ago.
-- @paused_before: A replica that said so since then served meanwhile.
insert into uptime (serving_since, seen_at)
select present.moment, present.moment from (select least(:now::timestamptz, clock_timestamp()) as moment) as present
on conflict on constraint uptime_pkey do update
set serving_since = case
  when :may_have_paused and (uptime.seen_at < :paused_before or uptime.seen_at > clock_timestamp()) then excluded.seen_at
  else uptime.serving_since
end, seen_at = case
  when uptime.seen_at > clock_timestamp() then excluded.seen_at else greatest(uptime.seen_at, excluded.seen_at)
end
returning serving_since;

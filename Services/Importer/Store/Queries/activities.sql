-- columns: FigureColumns
sport, started_at, time_zone, duration_s, moving_s, distance_m, energy_kcal, heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m,
elevation_source, title;

-- name: TryLockActivitiesOfUser :one
-- Whether the transaction has a user's records to itself from now on ([IM-8]). One that has not is to end and come again: it would hold a
-- connection while it waits.
select pg_try_advisory_xact_lock(hashtextextended('activities of ' || :user_id::uuid, 0)) as "locked!";

-- name: StorageOfUser :one
-- What is stored of a user; the lengths of what lies beside the rows are in these.
select
  sources.number as "activities!", sources.bytes + days.bytes + nights.bytes + weighings.bytes as "bytes!",
  days.number as "step_days!",
  nights.number as "sleeps!",
  weighings.number as "weights!"
from
  (
    select
      count(*) as number,
      coalesce(
        sum(
          octet_length(trace) + octet_length(outline) + coalesce(octet_length(track), 0) + coalesce(octet_length(raw), 0)
        ), 0
      )::bigint as bytes
    from activity_sources where user_id = :user_id
  ) as sources,
  (
    select count(*) as number, coalesce(sum(coalesce(octet_length(raw), 0)), 0)::bigint as bytes
    from daily_steps where user_id = :user_id
  ) as days,
  (
    select count(*) as number, coalesce(sum(coalesce(octet_length(raw), 0)), 0)::bigint as bytes
    from sleeps where user_id = :user_id
  ) as nights,
  (
    select count(*) as number, coalesce(sum(coalesce(octet_length(raw), 0)), 0)::bigint as bytes
    from weights where user_id = :user_id
  ) as weighings;

-- name: KnownSources :many
-- Sources of a user that a provider reported before, by its ids of them.
select id, activity_id, external_id, digest from activity_sources
where user_id = :user_id and provider = :provider and external_id = any(:external_ids::text[]);

-- name: DeletedActivities :many
-- Those of a provider's ids whose activities the user has deleted here.
select external_id from deleted_activities
where user_id = :user_id and provider = :provider and external_id = any(:external_ids::text[]);

-- name: RememberDeletedActivity :exec
-- Records which sources of an activity providers would report again, also once they are connected anew; before it is deleted.
insert into deleted_activities (user_id, provider, external_id, deleted_at)
select source.user_id, source.provider, source.external_id, :now
from activity_sources as source
where
  source.activity_id = :activity_id and source.user_id = :user_id
  and source.provider <> 'file'
on conflict on constraint deleted_activities_pkey do nothing;

-- name: DeletionsOfUser :many
-- Until when a user has deleted what connected providers reported.
select provider, deleted_until as "deleted_until!" from tracker_connections
where user_id = :user_id and state <> 'ENDING' and deleted_until is not null;

-- name: ForgetDeletedActivities :exec
-- Forgets what a user has deleted of a provider: it may be imported again.
delete from deleted_activities where user_id = :user_id and provider = :provider;

-- name: SourcesNear :many
-- Sources of a user that may report the same outings as ones of these times and boxes: for each the few that start nearest to it. The
-- arrays belong together.
-- @placed: Whether it has positions, which lie within the box that is named.
select distinct on (near.id)
  near.id, near.activity_id, near.sport, near.started_at, near.duration_s, near.distance_m, near.trace, near.split_off
from unnest(
  :starts::timestamptz[], :ends::timestamptz[], :placed::boolean[], :souths::double precision[],
  :norths::double precision[], :wests::double precision[], :easts::double precision[]
) as wanted (start_time, end_time, placed, south, north, west, east)
cross join lateral (
  select
    source.id, source.activity_id, source.sport, source.started_at, source.duration_s, source.distance_m, source.trace,
    activity.split_off
  from activity_sources as source inner join activities as activity on activity.id = source.activity_id
  where
    source.user_id = :user_id
    and source.started_at between wanted.start_time - :reach::bigint * interval '1 second'
    and wanted.start_time + :reach::bigint * interval '1 second'
    and case
      when not wanted.placed or source.position_count = 0
        then
          source.started_at <= wanted.end_time
          and source.started_at + source.duration_s * interval '1 second' >= wanted.start_time
      else
        source.south is null
        or (
          source.south <= wanted.north and source.north >= wanted.south
          and source.west <= wanted.east and source.east >= wanted.west
        )
    end
  order by abs(extract(epoch from source.started_at - wanted.start_time))
  limit :candidates
) as near
order by near.id;

-- name: SourcesBeside :many
-- A few sources of each of these activities, the most exact first.
select
  beside.id, beside.activity_id, beside.sport, beside.started_at, beside.duration_s, beside.distance_m, beside.trace,
  activity.split_off
from activities as activity
cross join lateral (
  select
    source.id, source.activity_id, source.sport, source.started_at, source.duration_s, source.distance_m, source.trace
  from activity_sources as source
  where source.activity_id = activity.id
  order by source.position_count desc, source.duration_s desc, source.id
  limit :sources
) as beside
where activity.id = any(:activity_ids::uuid[]);

-- name: InsertActivity :exec
-- Stores an activity with the figures of its first source; `UpdateActivity` follows.
insert into activities (id, user_id, sport, started_at, time_zone, duration_s, title, updated_at)
values (:activity_id, :user_id, :sport, :started_at, :time_zone, :duration_s, :title, :now);

-- name: UpdateActivity :exec
-- Stores the figures of an activity's sources together.
update activities
set
  sport = :sport, started_at = :started_at, time_zone = :time_zone, duration_s = :duration_s, moving_s = :moving_s?,
  distance_m = :distance_m?, energy_kcal = :energy_kcal?, heart_rate_avg_bpm = :heart_rate_avg_bpm?,
  heart_rate_max_bpm = :heart_rate_max_bpm?, ascent_m = :ascent_m?, elevation_source = :elevation_source?, title = :title,
  updated_at = :now
where id = :activity_id;

-- name: PutSource :exec
-- Stores a report, or what changed in it.
insert into activity_sources (
  id, activity_id, user_id, provider, external_id, import_id, digest, sport, started_at, time_zone, duration_s, moving_s,
  distance_m, energy_kcal, heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m, elevation_source, title, device, position_count,
  sample_count, trace, south, north, west, east, outline, track, raw, stored_at
)
values (
  :source_id, :activity_id, :user_id, :provider, :external_id, :import_id?, :digest, :sport, :started_at, :time_zone,
  :duration_s, :moving_s?, :distance_m?, :energy_kcal?, :heart_rate_avg_bpm?, :heart_rate_max_bpm?, :ascent_m?,
  :elevation_source?, :title, :device, :position_count, :sample_count, :trace, :south?, :north?, :west?, :east?, :outline, :track?, :raw?, :now
)
on conflict on constraint activity_sources_external_key do update set
  import_id = excluded.import_id, digest = excluded.digest, sport = excluded.sport, started_at = excluded.started_at,
  time_zone = excluded.time_zone, duration_s = excluded.duration_s, moving_s = excluded.moving_s,
  distance_m = excluded.distance_m, energy_kcal = excluded.energy_kcal, heart_rate_avg_bpm = excluded.heart_rate_avg_bpm,
  heart_rate_max_bpm = excluded.heart_rate_max_bpm, ascent_m = excluded.ascent_m,
  elevation_source = excluded.elevation_source, title = excluded.title, device = excluded.device,
  position_count = excluded.position_count, sample_count = excluded.sample_count, trace = excluded.trace,
  south = excluded.south, north = excluded.north, west = excluded.west, east = excluded.east, outline = excluded.outline, track = excluded.track, raw = excluded.raw, stored_at = excluded.stored_at;

-- name: StageReport :exec
-- Keeps a report of a long file until all of it is read; of two by one id the later one.
insert into staged_reports (
  import_id, provider, external_id, digest, sport, started_at, time_zone, duration_s, moving_s, distance_m, energy_kcal,
  heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m, elevation_source, title, device, position_count, sample_count, trace,
  outline, track, raw, effort_distances_m, effort_durations_s, staged_at
)
values (
  :import_id, :provider, :external_id, :digest, :sport, :started_at, :time_zone, :duration_s, :moving_s?, :distance_m?,
  :energy_kcal?, :heart_rate_avg_bpm?, :heart_rate_max_bpm?, :ascent_m?, :elevation_source?, :title, :device, :position_count,
  :sample_count, :trace, :outline, :track?, :raw?, :effort_distances_m, :effort_durations_s, :now
)
on conflict on constraint staged_reports_pkey do update set
  digest = excluded.digest, sport = excluded.sport, started_at = excluded.started_at, time_zone = excluded.time_zone,
  duration_s = excluded.duration_s, moving_s = excluded.moving_s, distance_m = excluded.distance_m,
  energy_kcal = excluded.energy_kcal, heart_rate_avg_bpm = excluded.heart_rate_avg_bpm,
  heart_rate_max_bpm = excluded.heart_rate_max_bpm, ascent_m = excluded.ascent_m,
  elevation_source = excluded.elevation_source, title = excluded.title, device = excluded.device,
  position_count = excluded.position_count, sample_count = excluded.sample_count, trace = excluded.trace,
  outline = excluded.outline, track = excluded.track, raw = excluded.raw, effort_distances_m = excluded.effort_distances_m,
  effort_durations_s = excluded.effort_durations_s, staged_at = excluded.staged_at;

-- name: StagedReports :many
-- Some staged reports of an import in the order of their starts, after another one.
-- @after: The start of the last one before, and its provider and id, which are empty for the first.
select
  provider, external_id, digest, {{FigureColumns}}, device, position_count, sample_count, trace, outline, track, raw,
  effort_distances_m, effort_durations_s
from staged_reports
where
  import_id = :import_id
  and (started_at, provider, external_id) > (:after, :after_provider::text, :after_external_id::text)
order by started_at, provider, external_id
limit :limit;

-- name: DropOldStagedReports :many
-- Removes some staged reports of imports whose processes died.
delete from staged_reports where (import_id, provider, external_id) in (
  select import_id, provider, external_id from staged_reports where staged_at <= :moment limit :limit
  for update skip locked
) returning 1 as "removed!";

-- name: DeleteEfforts :exec
-- Removes the best efforts of sources, before those of their new tracks are stored.
delete from best_efforts where source_id = any(:source_ids::uuid[]);

-- name: InsertEfforts :exec
-- Stores best efforts; the three arrays belong together.
insert into best_efforts (source_id, distance_m, duration_s)
select effort.source_id, effort.distance_m, effort.duration_s
from unnest(:source_ids::uuid[], :distances_m::double precision[], :durations_s::double precision[])
  as effort (source_id, distance_m, duration_s);

-- name: SourcesOfActivities :many
-- The sources of activities without their samples, the most exact of each activity first: those with positions that cover most of the
-- time that any of them does, then those with most positions.
select
  id, activity_id, provider, external_id, position_count, sample_count, device, {{FigureColumns}}
from activity_sources
where activity_id = any(:activity_ids::uuid[])
order by
  activity_id, position_count > 0 desc,
  duration_s >= 0.8 * max(duration_s) over (partition by activity_id, position_count > 0) desc,
  position_count desc, sample_count desc, duration_s desc, id;

-- name: PutSteps :exec
-- Stores the steps of days; the arrays belong together.
-- @lowers: Whether fewer steps than are stored replace these.
-- @raws: What else is said of the days, as JSON; empty for nothing.
insert into daily_steps (user_id, day, provider, steps, raw, stored_at)
select :user_id, counted.day, :provider, counted.steps, nullif(counted.raw, ''), :now
from unnest(:days::date[], :steps::bigint[], :raws::text[]) as counted (day, steps, raw)
on conflict on constraint daily_steps_pkey do update set
  steps = excluded.steps, raw = coalesce(excluded.raw, daily_steps.raw), stored_at = excluded.stored_at
where
  daily_steps.steps < excluded.steps or (:lowers::boolean and daily_steps.steps > excluded.steps)
  or (daily_steps.steps = excluded.steps and daily_steps.raw is distinct from coalesce(excluded.raw, daily_steps.raw));

-- name: PutSleep :exec
-- Stores a sleep, or what changed in it.
insert into sleeps (user_id, provider, external_id, started_at, ended_at, time_zone, asleep_s, raw, stored_at)
values (:user_id, :provider, :external_id, :started_at, :ended_at, :time_zone, :asleep_s, :raw?, :now)
on conflict on constraint sleeps_pkey do update set
  started_at = excluded.started_at, ended_at = excluded.ended_at, time_zone = excluded.time_zone,
  asleep_s = excluded.asleep_s, raw = excluded.raw, stored_at = excluded.stored_at;

-- name: SleepsAround :many
-- A user's sleeps by a provider that ended in a time.
select external_id, started_at, ended_at, asleep_s, counted from sleeps
where user_id = :user_id and provider = :provider and ended_at between :earliest and :latest;

-- name: ChangeCounted :exec
-- Has sleeps count that did not, or the other way round.
update sleeps set counted = not counted
where user_id = :user_id and provider = :provider and external_id = any(:external_ids::text[]);

-- name: PutWeights :exec
-- Stores weighings; the arrays belong together.
-- @raws: What else is said of them, as JSON; empty for nothing.
insert into weights (user_id, measured_at, provider, weight_kg, raw, stored_at)
select :user_id, measured.moment, :provider, measured.weight_kg, nullif(measured.raw, ''), :now
from
  unnest(:moments::timestamptz[], :weights_kg::double precision[], :raws::text[]) as measured (moment, weight_kg, raw)
on conflict on constraint weights_pkey do update set
  weight_kg = excluded.weight_kg, raw = coalesce(excluded.raw, weights.raw), stored_at = excluded.stored_at
where
  weights.weight_kg <> excluded.weight_kg or weights.raw is distinct from coalesce(excluded.raw, weights.raw);

-- name: PutCompositions :exec
-- Stores what a provider says of the body beside weighings, each with the nearest one within a time; the arrays belong together.
-- @reach: In seconds.
update weights set composition = measured.raw, stored_at = :now
from unnest(:moments::timestamptz[], :raws::text[]) as measured (moment, raw)
where
  weights.user_id = :user_id and weights.provider = :provider and weights.composition is distinct from measured.raw
  and weights.measured_at = (
    select near.measured_at from weights as near
    where
      near.user_id = :user_id and near.provider = :provider
      and near.measured_at between measured.moment - make_interval(secs => :reach::float8)
      and measured.moment + make_interval(secs => :reach::float8)
    order by abs(extract(epoch from near.measured_at - measured.moment)) limit 1
  );

-- name: MoveSource :exec
-- Makes a source one of another activity.
update activity_sources set activity_id = :activity_id where id = :source_id;

-- name: MarkSplitOff :exec
-- Records that the user took an activity out of another one.
update activities set split_off = true where id = :activity_id;

-- name: MoveSources :exec
-- Makes the sources of activities, which are parts of others, sources of these; the two arrays belong together.
update activity_sources as source set activity_id = joined.whole
from unnest(:parts::uuid[], :wholes::uuid[]) as joined (part, whole)
where source.activity_id = joined.part;

-- name: DeleteActivity :one
-- Deletes an activity of a user with its sources; no row if there is none.
delete from activities where id = :activity_id and user_id = :user_id returning id;

-- name: DeleteSomeSources :many
-- Deletes some of what a provider, or with `nil` all, reported of a user, the earliest first: at most a number of bytes of tracks, but one
-- report at least; a row for each, with its activity. Those that providers would report again, also once
-- they are connected anew, are recorded where that is asked for.
-- @bytes: The report that reaches it is the last one.
-- @remembered_at: When the user deleted them; `nil` where they are not recorded.
with chosen as materialized (
  select counted.id
  from (
    select early.id, sum(early.bytes) over (order by early.started_at, early.id) - early.bytes as before
    from (
      select
        id, started_at,
        octet_length(trace) + octet_length(outline) + coalesce(octet_length(track), 0) + coalesce(octet_length(raw), 0)
          as bytes
      from activity_sources
      where user_id = :user_id and (:provider?::text is null or provider = :provider?)
      order by started_at, id
      limit :limit
    ) as early
  ) as counted
  where counted.before < :bytes::bigint
), gone as (
  delete from activity_sources using chosen where activity_sources.id = chosen.id
  returning activity_sources.activity_id, activity_sources.provider, activity_sources.external_id
), remembered as (
  insert into deleted_activities (user_id, provider, external_id, deleted_at)
  select :user_id, gone.provider, gone.external_id, :remembered_at?::timestamptz from gone
  where
    :remembered_at?::timestamptz is not null
    and gone.provider <> 'file'
  on conflict on constraint deleted_activities_pkey do nothing
)
select activity_id as "activity_id!" from gone;

-- name: DeleteReportedSource :one
-- Deletes one report of a user's provider; no row if there is none.
delete from activity_sources
where user_id = :user_id and provider = :provider and external_id = :external_id
returning activity_id;

-- name: DeleteActivitiesWithoutSource :many
-- Deletes those of the activities that have no source any more.
delete from activities
where id = any(:activity_ids::uuid[]) and not exists (select from activity_sources where activity_id = activities.id)
returning id;

-- name: DeleteSomeSteps :many
-- Deletes some of the steps of a user by one provider, or by all.
delete from daily_steps where (user_id, day, provider) in (
  select user_id, day, provider from daily_steps
  where user_id = :user_id and (:provider?::text is null or provider = :provider?)
  limit :limit
) returning true as "deleted!";

-- name: DeleteSomeSleeps :many
-- Deletes some of the sleep of a user by one provider, or by all.
delete from sleeps where (user_id, provider, external_id) in (
  select user_id, provider, external_id from sleeps
  where user_id = :user_id and (:provider?::text is null or provider = :provider?)
  limit :limit
) returning true as "deleted!";

-- name: DeleteSomeWeights :many
-- Deletes some of the weighings of a user by one provider, or by all.
delete from weights where (user_id, measured_at, provider) in (
  select user_id, measured_at, provider from weights
  where user_id = :user_id and (:provider?::text is null or provider = :provider?)
  limit :limit
) returning true as "deleted!";

-- name: BeginErasure :exec
-- Has what is stored of a user be removed in parts ([C-9]); no user sees it from then on.
insert into erasures (user_id) values (:user_id) on conflict on constraint erasures_pkey do nothing;

-- name: DueErasure :one
-- Locks a user of whom something may be left, by chance, so that none waits for ever behind one whose removal fails.
select user_id from erasures order by random() limit 1 for update skip locked;

-- name: EraseSomeActivities :many
-- Removes some activities of a user whose reports are removed.
delete from activities where id in (select id from activities where user_id = :user_id limit :limit)
returning true as "deleted!";

-- name: EraseSomeDeletedActivities :many
-- Forgets some of what a user has deleted.
delete from deleted_activities where (user_id, provider, external_id) in (
  select user_id, provider, external_id from deleted_activities where user_id = :user_id limit :limit
) returning true as "deleted!";

-- name: EndErasure :exec
-- Nothing is left of a user.
delete from erasures where user_id = :user_id;

-- fragment: present(user)
-- True unless the account of a user was deleted, and what is stored of the user is about to be removed.
{{user}} <> all(array(select user_id from erasures));

-- name: DeleteFileImportsOfUser :exec
-- Deletes the records of a user's file imports ([C-9]).
delete from file_imports where user_id = :user_id;

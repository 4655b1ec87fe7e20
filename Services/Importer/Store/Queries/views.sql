-- name: ActivitiesOfUser :many
-- A page of a user's activities, the latest start first ([IM-11]).
-- @last_id ActivityID: The last activity of the previous page.
select id, {{FigureColumns}} from activities
where
  user_id = :user_id and {{present(:user_id)}}
  and (:sport?::text is null or sport = :sport?)
  and started_at >= coalesce(:since?, '-infinity'::timestamptz)
  and started_at < coalesce(:before?, 'infinity'::timestamptz)
  and (started_at, id) < (
    coalesce(:last_start?, 'infinity'::timestamptz), coalesce(:last_id?, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
  )
order by started_at desc, id desc
limit :limit;

-- name: ActivityOfUser :one
-- One of a user's activities.
select id, {{FigureColumns}} from activities where id = :activity_id and user_id = :user_id and {{present(:user_id)}};

-- name: BestTrack :one
-- The outline and all samples of the most exact source of an activity.
select sport, started_at, outline, track from activity_sources
where activity_id = :activity_id
order by
  position_count > 0 desc, duration_s >= 0.8 * max(duration_s) over (partition by position_count > 0) desc,
  position_count desc, sample_count desc, duration_s desc, id
limit 1;

-- name: InsertFileImport :one
-- Begins the import of a file; no row, and nothing stored, if the user has begun so many since.
-- @since ImportID
insert into file_imports (
  id, user_id, state, format, new_activities, merged_activities, known_activities, step_days, sleep_count, weight_count,
  activity_ids, started_at
)
select :import_id, :user_id, 'RUNNING', '', 0, 0, 0, 0, 0, 0, '{}', :now
where (
  select count(*) from (
    select from file_imports where user_id = :user_id and id > :since limit :most
  ) as recent
) < :most
returning 1 as "begun!";

-- name: FinishFileImport :many
-- Stores how the import of a file ended, unless it has ended: a failure that is reported after the end was stored, as
-- of a connection that broke during the commit, changes nothing. What was staged for it is stored by then, or given up.
-- @state FileImportState
with dropped as (delete from staged_reports where staged_reports.import_id = :import_id)
update file_imports
set
  state = :state, format = :format, new_activities = :new_activities, merged_activities = :merged_activities,
  known_activities = :known_activities, step_days = :step_days, sleep_count = :sleep_count, weight_count = :weight_count,
  fault_message = :fault_message?, fault_offset = :fault_offset?, fault_line = :fault_line?, fault_member = :fault_member?,
  activity_ids = :activity_ids::uuid[], skipped_count = :skipped_count, skipped_members = :skipped_members::text[],
  skipped_lists = :skipped_lists::text[], skipped_indexes = :skipped_indexes::bigint[],
  skipped_messages = :skipped_messages::text[], failure = :failure?
where id = :import_id and state = 'RUNNING'
returning id;

-- columns: StoredFileImport
id, state, format, new_activities, merged_activities, known_activities, step_days, sleep_count, weight_count, fault_message,
fault_offset, fault_line, fault_member, activity_ids, skipped_count, skipped_members, skipped_lists, skipped_indexes,
skipped_messages, failure, started_at;

-- name: FileImportByID :one
-- An import of a file.
select {{StoredFileImport}} from file_imports where id = :import_id;

-- name: DeleteOldFileImports :many
-- Removes some imports of files that began long ago; what they brought stays.
delete from file_imports where id in (
  select id from file_imports where started_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: FileImportsOfUser :many
-- A page of a user's imports of files, the newest first ([IM-10]).
-- @before ImportID: The last import of the previous page.
select {{StoredFileImport}} from file_imports
where user_id = :user_id and id < coalesce(:before?, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
order by id desc
limit :limit;

-- name: SummarizedActivities :many slow
-- A user's activities of days in a zone, added up by period and sport ([IM-11]).
-- @unit: day, week or month.
select
  date_trunc(:unit::text, started_at at time zone :zone)::date as "start_day!", sport, count(*)::integer as "activities!",
  sum(duration_s) as "duration_s!", coalesce(sum(distance_m), 0) as "distance_m!",
  coalesce(sum(energy_kcal), 0) as "energy_kcal!", coalesce(sum(ascent_m), 0) as "ascent_m!"
from activities
where
  user_id = :user_id and {{present(:user_id)}}
  and started_at >= :first_day::date::timestamp at time zone :zone
  and started_at < (:last_day::date + 1)::timestamp at time zone :zone
group by 1, 2
order by 1, 4 desc;

-- name: SummarizedSteps :many slow
-- A user's steps of days, of each day those of the provider that counted most, added up by period.
select date_trunc(:unit::text, day::timestamp)::date as "start_day!", sum(steps)::bigint as "steps!"
from (
  select day, max(steps) as steps from daily_steps
  where user_id = :user_id and {{present(:user_id)}} and day between :first_day and :last_day
  group by day
) as counted
group by 1;

-- name: SummarizedSleeps :many slow
-- A user's sleep that ended on days in a zone, of each day that of the provider that measured most, added up by period.
select date_trunc(:unit::text, day::timestamp)::date as "start_day!", sum(asleep_s) as "asleep_s!"
from (
  select day, max(asleep_s) as asleep_s
  from (
    select (ended_at at time zone :zone)::date as day, sum(asleep_s) as asleep_s from sleeps
    where
      user_id = :user_id and {{present(:user_id)}} and counted
      and ended_at >= :first_day::date::timestamp at time zone :zone
      and ended_at < (:last_day::date + 1)::timestamp at time zone :zone
    group by 1, provider
  ) as measured
  group by day
) as slept
group by 1;

-- name: SummarizedWeights :many slow
-- A user's last weighing of each period of days in a zone.
select distinct on (measured.start_day) measured.start_day as "start_day!", measured.weight_kg as "weight_kg!"
from (
  select date_trunc(:unit::text, measured_at at time zone :zone)::date as start_day, measured_at, weight_kg from weights
  where
    user_id = :user_id and {{present(:user_id)}}
    and measured_at >= :first_day::date::timestamp at time zone :zone
    and measured_at < (:last_day::date + 1)::timestamp at time zone :zone
) as measured
order by measured.start_day, measured.measured_at desc;

-- name: KnownZone :one
-- Fails with `unknownZone` for a time zone that the database does not know.
select (now() at time zone :zone) is not null as "known!";

-- name: MomentsInZone :many
-- What a user's clock shows, as if its zone were UTC, as moments, in order; what a clock change skips or repeats is standard time.
select (local.moment at time zone 'UTC') at time zone :zone as "moment!"
from unnest(:moments::timestamptz[]) with ordinality as local (moment, place)
order by local.place;

-- name: FastestEfforts :many
-- A user's least times over set distances, by sport ([IM-11]).
select distinct on (activity.sport, effort.distance_m)
  activity.sport, effort.distance_m, effort.duration_s, activity.id, activity.started_at
from activities as activity
join activity_sources as source on source.activity_id = activity.id
join best_efforts as effort on effort.source_id = source.id
where activity.user_id = :user_id and {{present(:user_id)}} and (:sport?::text is null or activity.sport = :sport?)
order by activity.sport, effort.distance_m, effort.duration_s, activity.started_at;

-- name: FarthestActivities :many
-- A user's activity of greatest distance of each sport.
select distinct on (sport) sport, distance_m as "distance_m!", duration_s, id, started_at from activities
where user_id = :user_id and {{present(:user_id)}} and (:sport?::text is null or sport = :sport?) and distance_m > 0
order by sport, distance_m desc, started_at;

-- name: LongestActivities :many
-- A user's activity of longest duration of each sport.
select distinct on (sport) sport, coalesce(distance_m, 0) as "distance_m!", duration_s, id, started_at from activities
where user_id = :user_id and {{present(:user_id)}} and (:sport?::text is null or sport = :sport?) and duration_s > 0
order by sport, duration_s desc, started_at;

-- name: SourcesForExport :many
-- A page of a user's sources with all that is stored of them, by their ids.
-- @after SourceID
select
  id, activity_id, provider, external_id, device, {{FigureColumns}}, track, raw
from activity_sources
where user_id = :user_id and {{present(:user_id)}} and id > coalesce(:after?, '00000000-0000-0000-0000-000000000000'::uuid)
order by id
limit :limit;

-- name: StepsForExport :many
-- A page of a user's steps, by day.
select day, provider, steps, raw from daily_steps
where user_id = :user_id and {{present(:user_id)}} and (day, provider) > (coalesce(:last_day?, '-infinity'::date), coalesce(:last_provider?, ''::text))
order by day, provider
limit :limit;

-- name: SleepsForExport :many
-- A page of a user's sleep, by its end.
select provider, external_id, started_at, ended_at, time_zone, asleep_s, raw from sleeps
where
  user_id = :user_id and {{present(:user_id)}}
  and (ended_at, provider, external_id) > (
    coalesce(:last_end?, '-infinity'::timestamptz), coalesce(:last_provider?, ''::text), coalesce(:last_external_id?, ''::text)
  )
order by ended_at, provider, external_id
limit :limit;

-- name: WeightsForExport :many
-- A page of a user's weighings, by time.
select measured_at, provider, weight_kg, raw, composition from weights
where
  user_id = :user_id and {{present(:user_id)}}
  and (measured_at, provider) > (coalesce(:last_moment?, '-infinity'::timestamptz), coalesce(:last_provider?, ''::text))
order by measured_at, provider
limit :limit;

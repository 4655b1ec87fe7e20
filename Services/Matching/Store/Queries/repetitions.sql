-- columns: StoredRepetition
-- A session that is posted every week.
repetition.id, repetition.user_id, repetition.gym_id, repetition.gym_name, repetition.gym_latitude, repetition.gym_longitude,
repetition.time_zone, repetition.focus, repetition.level, repetition.admitted, repetition.minute_of_day, repetition.length_s,
repetition.next_day, repetition.until_day, repetition.created_at, repetition.offset_us, repetition.join_lead_s,
repetition.gym_outline, repetition.gym_radius_m;

-- name: LocalStart :one
-- When a session starts by the clocks of its gym's zone.
-- @day: The local day.
-- @minute: Of that day.
-- @offset_us: Microseconds after that minute.
-- @is_repeated: Whether a repetition of the user has posted it.
select
  extract(microseconds from starts_at)::bigint as "offset_us!",
  exists (
    select from repetitions where repetitions.id = sessions.repetition_id and repetitions.user_id = :user_id
  ) as "is_repeated!",
  (starts_at at time zone time_zone)::date as "day!",
  floor(extract(epoch from (starts_at at time zone time_zone)::time) / 60)::smallint as "minute!"
from sessions where id = :session_id;

-- name: InsertRepetition :one
-- Repeats a session of a user whose row the transaction has locked; no row if the user has the most repetitions. Fails with
-- `repetitions_once` where the session is repeated already.
insert into repetitions as repetition (
  id, user_id, place, session_id, gym_id, gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted,
  minute_of_day, offset_us, join_lead_s, gym_outline, gym_radius_m, length_s, next_day, until_day, created_at
)
select
  :repetition_id, :user_id, free.place, sessions.id, sessions.gym_id, sessions.gym_name, sessions.gym_latitude,
  sessions.gym_longitude, sessions.time_zone, sessions.focus, sessions.level, sessions.admitted, :minute_of_day,
  :offset_us, extract(epoch from sessions.starts_at - coalesce(sessions.joins_end_at, sessions.starts_at))::integer,
  sessions.gym_outline, sessions.gym_radius_m,
  extract(epoch from sessions.ends_at - sessions.starts_at)::integer, :next_day, :until_day?, :now
from sessions cross join generate_series(1, 20) as free (place)
where sessions.id = :session_id
  and not exists (select from repetitions where user_id = :user_id and repetitions.place = free.place)
order by free.place
limit 1
returning {{StoredRepetition}};

-- name: RepetitionsOf :many
-- A user's repetitions, the newest first: there are 20 at most.
select {{StoredRepetition}} from repetitions as repetition
where repetition.user_id = :user_id order by repetition.id desc;

-- name: LockedRepetition :one
-- A repetition, locked until the transaction ends.
select {{StoredRepetition}} from repetitions as repetition where repetition.id = :repetition_id for update;

-- name: OwnerOfRepetition :one
-- The user whose repetition it is, to be locked first.
select user_id from repetitions where id = :repetition_id;

-- name: RepetitionMoment :one
-- When the next session starts, by the same function as repeating jobs: a local time that occurs twice is the first of both, for one that is
-- skipped it is the moment after the gap; null if the zone skips the day.
-- @has_overlap: Whether the user has a session then.
with moment as (
  select
    user_id, length_s,
    job_occurrence(next_day, minute_of_day::integer, time_zone) + offset_us * interval '1 microsecond' as starts_at
  from repetitions
  where id = :repetition_id
)
select
  moment.starts_at,
  exists (
    select from participations
    where participations.user_id = moment.user_id and participations.active
      and participations.slot && tstzrange(moment.starts_at, moment.starts_at + make_interval(secs => moment.length_s))
  ) as "has_overlap!"
from moment;

-- name: AdvanceRepetition :exec
-- Goes on to the next week of a repetition that the transaction has locked; ends it after its last day.
with ended as (
  delete from repetitions
  where id = :repetition_id and until_day < next_day + 7
  returning id
)
update repetitions set next_day = next_day + 7 where id = :repetition_id and id not in (select id from ended);

-- name: DeleteRepetition :one
-- Removes one of a user's repetitions; no row if it does not exist.
delete from repetitions where id = :repetition_id and user_id = :user_id returning id;

-- name: DeleteRepetitionsOfUser :exec
-- Removes a user's repetitions ([C-9]).
delete from repetitions where user_id = :user_id;

-- columns: StoredWorkoutLog
-- A stored log, without its sets.
log.id, log.workout_id, log.name, log.note, log.started_at, log.ended_at, log.created_at;

-- columns: SetColumns as PerformedSet
-- The columns of a row `done`.
-- @reps Int32
-- @duration: In seconds.
done.reps, done.weight_g as weight, done.duration_s as duration;

-- name: CountWorkoutLog :one
-- Locks the row of a user who logs a workout, counts the log and returns the number of the change; no row for a user who has deleted the
-- account.
insert into users (id, workout_logs, log_changes) values (:user_id, 1, 1)
on conflict on constraint users_pkey do update
set workout_logs = users.workout_logs + 1, log_changes = users.log_changes + 1
where not users.deleted
returning log_changes;

-- name: InsertWorkoutLog :one
-- Stores a log of a user whom ``CountWorkoutLog`` has locked.
insert into workout_logs as log (id, owner_id, workout_id, name, note, started_at, ended_at, created_at, change)
values (:log_id, :owner_id, :workout_id?, :name, :note, :started_at, :ended_at?, :now, :change::bigint)
returning {{StoredWorkoutLog}};

-- name: InsertLoggedSets :exec
-- Stores the sets of a log, in their order.
-- @weights [Weight]
insert into logged_sets (log_id, place, owner_id, exercise_id, reps, weight_g, duration_s)
select :log_id, done.place, :owner_id, done.exercise_id, done.reps, done.weight_g, done.duration_s
from unnest(:exercise_ids::uuid[], :reps::integer[], :weights::integer[], :durations::integer[])
  with ordinality as done (exercise_id, reps, weight_g, duration_s, place);

-- name: WorkoutLogsBefore :many
-- A page of a user's logs, the latest first ([CA-14]).
-- @workout_id: The workout that was performed; any if `nil`.
-- @before_id WorkoutLogID
select {{StoredWorkoutLog}}
from workout_logs as log
where log.owner_id = :owner_id and (:workout_id?::uuid is null or log.workout_id = :workout_id?)
  and (:before_started_at?::timestamptz is null or (log.started_at, log.id) < (:before_started_at?, :before_id?))
order by log.started_at desc, log.id desc
limit :limit;

-- name: SetsOfLogs :many
-- The sets of some logs, by log and position.
select done.log_id, exercise.id as exercise_id, exercise.name as exercise_name, {{SetColumns as performed}}
from logged_sets as done
join exercises as named on named.id = done.exercise_id
join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
where done.log_id = any(:log_ids)
order by done.log_id, done.place;

-- name: DeleteLog :one
-- Removes one of a user's logs; no row if it does not exist.
with gone as (
  delete from workout_logs where id = :log_id and owner_id = :owner_id returning owner_id
), owner as (
  update users set workout_logs = users.workout_logs - 1, log_changes = users.log_changes + 1
  from gone where users.id = gone.owner_id
  returning users.id, users.log_changes
)
insert into deleted_workout_logs (owner_id, change, log_id, deleted_at)
select owner.id, owner.log_changes, :log_id, :now from owner
returning owner_id;

-- name: LogChangesOfUser :one
-- The number of the last change of a user's logs; no row for a user who never stored anything.
select log_changes from users where id = :user_id;

-- name: ChangedLogs :many
-- What changed in a user's logs after a change number, in the order of the changes ([C-11]).
-- @deleted_at: `nil` unless it was deleted.
select changed.log_id as "log_id!", changed.change as "change!", changed.deleted_at
-- Not null in both tables, which PostgreSQL does not see in a union.
from (
  (
    select id as log_id, change, null::timestamptz as deleted_at from workout_logs
    where owner_id = :owner_id and change > :after order by change limit :limit
  )
  union all
  (
    select log_id, change, deleted_at from deleted_workout_logs
    where owner_id = :owner_id and change > :after order by change limit :limit
  )
) as changed
order by changed.change
limit :limit;

-- name: LogsByIDs :many
-- Some of a user's logs, in no particular order.
select {{StoredWorkoutLog}} from workout_logs as log where log.owner_id = :owner_id and log.id = any(:log_ids::uuid[]);

-- fragment: sets_of_exercise
-- A condition on a row `done`: it is the user's set of an exercise, under all ids that were merged into it.
done.owner_id = :owner_id
  and done.exercise_id in (select id from exercises where id = :exercise_id or merged_into = :exercise_id);

-- name: ExerciseTotals :one slow
-- The totals of a user's sets of an exercise ([CA-14]), under all ids that were merged into it.
-- @volume: In grams.
select count(distinct done.log_id) as "occasions!", count(*) as "sets!", coalesce(sum(done.reps), 0)::bigint as "reps!",
  coalesce(sum(done.reps::bigint * done.weight_g), 0)::bigint as "volume!"
from logged_sets as done
where {{sets_of_exercise}};

-- name: HeaviestSets :many slow
-- The heaviest set for each number of repetitions; the best set is one of them. A few dozen at most.
select distinct on (done.reps) {{SetColumns}}
from logged_sets as done
where {{sets_of_exercise}}
order by done.reps, done.weight_g desc, done.duration_s desc;

-- name: OccasionsBefore :many slow
-- A page of a user's logs with an exercise, the latest first, each with its sets.
-- @reps: Of each set; parallel to the next two.
-- @weights [Weight]
-- @durations: In seconds.
-- @before_id WorkoutLogID
select log.id as log_id, log.started_at, array_agg(done.reps::integer order by done.place) as "reps!",
  array_agg(done.weight_g order by done.place) as "weights!",
  array_agg(done.duration_s order by done.place) as "durations!"
from logged_sets as done
join workout_logs as log on log.id = done.log_id
where {{sets_of_exercise}}
  and (:before_started_at?::timestamptz is null or (log.started_at, log.id) < (:before_started_at?, :before_id?))
group by log.id
order by log.started_at desc, log.id desc
limit :limit;

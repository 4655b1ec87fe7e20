-- columns: WorkoutColumns as StoredWorkout
-- The columns of a row `workout`.
workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
workout.created_at, workout.updated_at;

-- columns: EntryColumns as PlannedEntry
-- The columns of a row `entry` and its `exercise`.
-- @sets Int32
-- @reps Int32
-- @duration: In seconds.
-- @rest Int32: In seconds.
-- @note: May be empty.
entry.id, exercise.id as exercise_id, entry.sets, entry.reps, entry.duration_s as duration, entry.weight_g as weight,
entry.rest_s as rest, entry.note;

-- name: WorkoutByID :one
-- A workout that `viewer_id` may see: a curated one or their own.
select {{WorkoutColumns}} from workouts as workout
where workout.id = :workout_id and workout.deleted_at is null
  and (workout.owner_id is null or workout.owner_id = :viewer_id);

-- name: EntriesOfWorkouts :many
-- The entries of some workouts, by workout and position. An exercise that was merged into another is replaced by it.
select entry.workout_id, {{EntryColumns as planned}}, exercise.name as exercise_name
from workout_entries as entry
join exercises as named on named.id = entry.exercise_id
join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
where entry.workout_id = any(:workout_ids)
order by entry.workout_id, entry.place;

-- name: CuratedWorkouts :many
-- A page of the curated workouts, by name ([CA-11]).
-- @names: The sort key of the list.
-- @level ExerciseLevel
-- @after_id WorkoutID
select {{WorkoutColumns}}, workout.names
from workouts as workout
where workout.owner_id is null and workout.deleted_at is null and (:level?::text is null or workout.level = :level?)
  and (:after_names?::text is null or (workout.names collate "C", workout.id) > (:after_names?, :after_id?))
order by workout.names collate "C", workout.id
limit :limit;

-- name: WorkoutsOfOwner :many
-- A page of a user's workouts, the newest first ([CA-12]).
-- @before WorkoutID: The last workout of the previous page.
select {{WorkoutColumns}}
from workouts as workout
where workout.owner_id = :owner_id and workout.deleted_at is null and (:before?::uuid is null or workout.id < :before?)
order by workout.id desc
limit :limit;

-- name: ChangedWorkouts :many
-- A user's workouts that changed after a change number, in the order of their last changes ([C-11]).
-- @deleted_at: `nil` unless it was deleted.
select {{WorkoutColumns}}, workout.change as "change!", workout.deleted_at
-- Only curated workouts have no change number, and they have no owner.
from workouts as workout
where workout.owner_id = :owner_id and workout.change > :after
order by workout.change
limit :limit;

-- name: InsertWorkout :one
-- Adds a workout of a user, with the change number from ``NextWorkoutChange``.
insert into workouts as workout (
  id, owner_id, name, description, muscle_groups, trained, words, names, change, created_at, updated_at
)
values (
  :workout_id, :owner_id, :name, :description, :groups, :trained, :words::tsvector, :names, :change, :now, :now
)
returning {{WorkoutColumns}};

-- name: ReplaceWorkout :one
-- Replaces a workout whose owner's row the transaction has locked, and gives it its next revision.
update workouts as workout
set (name, description, muscle_groups, trained, words, names)
    = (:name, :description, :groups, :trained, :words::tsvector, :names),
  change = :change, updated_at = :now, revision = workout.revision + 1
where workout.id = :workout_id
returning {{WorkoutColumns}};

-- name: ClearEntries :exec
-- Removes all entries of a workout.
delete from workout_entries where workout_id = :workout_id;

-- name: InsertEntries :exec
-- Adds entries to a workout without entries, in their order.
-- @grams: -1 represents no weight.
insert into workout_entries (
  id, workout_id, place, exercise_id, sets, reps, duration_s, weight_g, rest_s, note
)
select entry.id, :workout_id, entry.place, entry.exercise_id, entry.sets, entry.reps, entry.duration_s,
  -- An array of the client has no nulls.
  nullif(entry.weight_g, -1), entry.rest_s, entry.note
from unnest(
  :entry_ids::uuid[], :exercise_ids::uuid[], :sets::integer[], :reps::integer[], :durations::integer[],
  :grams::integer[], :rests::integer[], :notes::text[]
) with ordinality as entry (id, exercise_id, sets, reps, duration_s, weight_g, rest_s, note, place);

-- name: MarkWorkoutDeleted :exec
-- Deletes a workout whose owner's row the transaction has locked, with its entries and links: it disappears from all lists except those of
-- changes ([C-11]).
with workout as (
  update workouts
  set deleted_at = :now, updated_at = :now, change = :change, revision = revision + 1, description = '', words = '',
    names = ''
  where id = :workout_id and deleted_at is null
  returning id, owner_id
), entries as (
  delete from workout_entries using workout where workout_entries.workout_id = workout.id
), shares as (
  delete from workout_shares using workout where workout_shares.workout_id = workout.id
)
update users set workouts = users.workouts - 1 from workout where users.id = workout.owner_id;

-- name: HasCuratedWorkouts :one
-- Whether curated workouts are loaded.
select exists (select 1 from workouts where owner_id is null and deleted_at is null) as "has_curated!";

import Postgres

/// The SQL of a load of curated workouts, in order; within one transaction, on one connection ([CA-11]).
package enum CuratedStaging {
  /// What the keys of samples begin with, and those of files may not.
  package static let samplePrefix = "samples:"

  /// Serialises loads.
  package static let lock = "lock table exercise_records in share row exclusive mode"

  /// Creates the temporary tables for the rows.
  package static let create = """
    create temporary table staged_workouts (
      id uuid, curated_key text, name text, description text, level text, muscle_groups text[], trained text[], words tsvector,
      names text, stored_at timestamptz
    ) on commit drop;
    create temporary table staged_entries (
      id uuid, curated_key text, place integer, exercise_id uuid, sets integer, reps integer, duration_s integer,
      weight_g integer, rest_s integer, note text
    ) on commit drop
    """

  /// Separates the elements of a list in ``exercises``; no text contains it.
  package static let separator: Character = "\u{1F}"

  /// The exercises by their ids in the collections: source, id, the exercise, its name, its groups as one text.
  package static let exercises = """
    select record.source, record.source_id, exercise.id, exercise.name, array_to_string(exercise.muscle_groups, chr(31))
    from exercise_records as record
    join exercises as exercise on exercise.id = record.exercise_id
    """

  /// Receives workouts.
  package static let copyWorkouts = """
    copy staged_workouts (id, curated_key, name, description, level, muscle_groups, trained, words, names, stored_at) from stdin
    """
  /// Receives their entries.
  package static let copyEntries = """
    copy staged_entries (id, curated_key, place, exercise_id, sets, reps, duration_s, weight_g, rest_s, note) from stdin
    """

  /// Keeps the workouts that are new, or that differ in themselves or in their entries.
  package static let removeUnchanged = """
    delete from staged_workouts as staged using workouts as workout
    where workout.curated_key = staged.curated_key
      and (workout.name, workout.description, workout.level, workout.muscle_groups, workout.trained, workout.words)
        is not distinct from (
          staged.name, staged.description, staged.level, staged.muscle_groups, staged.trained, staged.words
        )
      and (
        select array_agg(
          (entry.exercise_id, entry.sets, entry.reps, entry.duration_s, entry.weight_g, entry.rest_s, entry.note)::text
          order by entry.place
        )
        from workout_entries as entry where entry.workout_id = workout.id
      ) is not distinct from (
        select array_agg(
          (entry.exercise_id, entry.sets, entry.reps, entry.duration_s, entry.weight_g, entry.rest_s, entry.note)::text
          order by entry.place
        )
        from staged_entries as entry where entry.curated_key = staged.curated_key
      )
    """

  /// Merges the workouts; returns how many were added and how many changed.
  package static let merge = """
    with merged as (
      insert into workouts as workout (
        id, curated_key, name, description, level, muscle_groups, trained, words, names, created_at, updated_at
      )
      select id, curated_key, name, description, level, muscle_groups, trained, words, names, stored_at, stored_at
      from staged_workouts
      on conflict on constraint workouts_curated_key do update
      set name = excluded.name, description = excluded.description, level = excluded.level,
        muscle_groups = excluded.muscle_groups, trained = excluded.trained, words = excluded.words, names = excluded.names,
        updated_at = excluded.updated_at, revision = workout.revision + 1
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new), count(*) filter (where not is_new) from merged
    """

  /// Removes the old entries of the workouts that changed.
  package static let clearEntries = """
    delete from workout_entries using workouts, staged_workouts
    where workout_entries.workout_id = workouts.id and workouts.curated_key = staged_workouts.curated_key
    """

  /// Stores the new entries.
  package static let putEntries = """
    insert into workout_entries (
      id, workout_id, place, exercise_id, sets, reps, duration_s, weight_g, rest_s, note
    )
    select staged.id, workouts.id, staged.place, staged.exercise_id, staged.sets, staged.reps, staged.duration_s,
      staged.weight_g, staged.rest_s, staged.note
    from staged_entries as staged
    join staged_workouts on staged_workouts.curated_key = staged.curated_key
    join workouts on workouts.curated_key = staged.curated_key
    """
}

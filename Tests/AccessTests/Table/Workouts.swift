extension AccessTable {
  /// Workouts, curated and personal, and what was trained; `tandem.catalog.v1.Workouts`.
  static let workouts = """
    fields workout = workout_id name description muscle_groups etag create_time update_time entries.entry_id entries.exercise_id entries.exercise_name entries.sets entries.reps entries.weight_kg entries.rest_s entries.note
    fields log = log_id workout_id name start_time end_time? note? volume_kg create_time exercises.exercise_id exercises.exercise_name exercises.sets.reps exercises.sets.weight_kg
    fields result = sets reps volume_kg best_set.reps best_set.weight_kg one_repetition_maximum_kg
    # A link as it is listed: without its secret.
    fields share = share_id workout_id create_time
    tandem.catalog.v1.Workouts at catalog
                              nobody   stranger member   owner    blocked  revoked  service  operator
      ListCuratedWorkouts     token    ok       ok       ok       ok       session  token    token
        before  curatedWorkout
        request {}
        answer  workouts.$workout workouts.curated workouts.level
      GetWorkout              token    ok       ok       ok       ok       session  token    token
        request {"workoutId": "{curatedWorkout}"}
        answer  $workout curated level
      # A personal one is known to its owner alone.
      GetWorkout              token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{workout}"}
        answer  $workout
      SearchWorkouts          token    ok       ok       ok       ok       session  token    token
        request {"query": "{wordOfWorkout}"}
        answer  notice
        answer to owner: workouts.$workout match
      CreateWorkout           token    ok       ok       ok       ok       session  token    token
        request {"workout": {"name": "Legs", "description": "Slowly.", "muscleGroups": ["LEGS"], "entries": [{"exerciseId": "{exercise}", "sets": 3, "reps": 10, "weightKg": 20, "restS": 60, "note": "Breathe."}]}}
        answer  $workout
      SaveAsPersonal          token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{workout}"}
        answer  $workout
      # Whoever has a link has what it leads to.
      SaveAsPersonal          token    ok       ok       ok       ok       session  token    token
        request {"shareToken": "{shareToken}"}
        answer  $workout
      ListMyWorkouts          token    ok       ok       ok       ok       session  token    token
        before  workout
        request {}
        answer  workouts.$workout next_page_token?
      ListMyWorkoutChanges    token    ok       ok       ok       ok       session  token    token
        before  workout
        request {}
        answer  changes.workout_id changes.workout.$workout changes.delete_time? next_since more?
      # Nobody changes a curated one.
      UpdateWorkout           token    curated  curated  curated  curated  session  token    token
        request {"workout": {"workoutId": "{curatedWorkout}", "name": "Arms"}, "updateMask": "name"}
      UpdateWorkout           token    workout  workout  ok       workout  session  token    token
        request {"workout": {"workoutId": "{workout}", "name": "Arms"}, "updateMask": "name"}
        answer  $workout
      AddWorkoutEntry         token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{workout}", "entry": {"exerciseId": "{exercise}", "sets": 3, "reps": 10}}
        answer  $workout
      UpdateWorkoutEntry      token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{workout}", "entry": {"entryId": "{entry}", "sets": 4}, "updateMask": "sets"}
        answer  $workout
      RemoveWorkoutEntry      token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{workout}", "entryId": "{entry}"}
        answer  $workout
      ReorderWorkoutEntries   token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{workout}", "entryIds": ["{lastEntry}", "{entry}"]}
        answer  $workout
      DeleteWorkout           token    curated  curated  curated  curated  session  token    token
        request {"workoutId": "{curatedWorkout}"}
      DeleteWorkout           token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{workout}"}
        answer  delete_time
      # Of somebody else's workout nothing is logged: its name would be told by that.
      LogWorkout              token    workout  workout  ok       workout  session  token    token
        request {"log": {"workoutId": "{workout}", "startTime": "2026-01-14T11:00:00Z", "endTime": "2026-01-14T12:00:00Z", "note": "Hard.", "exercises": [{"exerciseId": "{exercise}", "sets": [{"reps": 10, "weightKg": 20}]}]}}
        answer  $log
      ListWorkoutLogs         token    ok       ok       ok       ok       session  token    token
        before  log
        request {}
        answer  logs.$log
      ListMyWorkoutLogChanges token    ok       ok       ok       ok       session  token    token
        before  log
        request {}
        answer  changes.log_id changes.log.$log? changes.delete_time? next_since
      DeleteWorkoutLog        token    log      log      ok       log      session  token    token
        request {"logId": "{log}"}
        answer  nothing
      GetExerciseProgress     token    ok       ok       ok       ok       session  token    token
        before  log
        request {"exerciseId": "{exercise}"}
        answer  exercise_id exercise_name formula formula_name total.$result occasions history.log_id history.start_time history.result.$result
      ShareWorkout            token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{workout}"}
        answer  share.$share token
      ListWorkoutShares       token    workout  workout  ok       workout  session  token    token
        request {"workoutId": "{sharedWorkout}"}
        answer  shares.$share
      RevokeWorkoutShare      token    share    share    ok       share    session  token    token
        request {"shareId": "{share}"}
        answer  nothing
      # Whose it is, is not told, and nothing has an id.
      GetSharedWorkout        ok       ok       ok       ok       ok       ok       ok       ok
        request {"token": "{shareToken}"}
        answer  name description muscle_groups update_time entries.exercise_id entries.exercise_name entries.sets entries.reps entries.weight_kg entries.rest_s entries.note preview.title preview.text preview.picture

    """
}

extension AccessTable {
  /// Exercises; `tandem.catalog.v1.Exercises`.
  static let exercises = """
    fields exercise = exercise_id name aliases category level muscles secondary_muscles muscle_groups equipment instructions instructions_source images.reference images.source images.license images.attribution sources.source sources.source_id sources.license sources.attribution
    tandem.catalog.v1.Exercises at catalog
                              nobody   stranger member   owner    blocked  revoked  service  operator
      GetExercise             token    ok       ok       ok       ok       session  token    token
        request {"exerciseId": "{exercise}"}
        answer  $exercise
      SearchExercises         token    ok       ok       ok       ok       session  token    token
        before  exercise
        request {"name": "ropeclimb"}
        answer  exercises.$exercise match
      ListExerciseOptions     ok       ok       ok       ok       ok       ok       ok       ok
        request {}
        answer  muscle_groups.id muscle_groups.label muscle_groups.muscles.id muscle_groups.muscles.label equipment.id equipment.label levels.id levels.label categories.id categories.label
      ListExerciseChanges     token    ok       ok       ok       ok       session  token    token
        before  exercise
        request {}
        answer  changes.exercise_id changes.exercise.$exercise next_since

    """
}

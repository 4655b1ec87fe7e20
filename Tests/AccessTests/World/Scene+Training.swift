import TTRPC
import TandemCatalog
import Testing

/// Gyms, exercises and workouts that the table's requests are about.
extension Scene {
  /// Performs the steps of `before` that concern training; `false` for any other.
  mutating func performAtTraining(_ step: String) async throws -> Bool {
    switch step {
    case "gym": _ = try await countedGym()
    case "exercise": try await loadExercise()
    case "curatedWorkout": try await loadCuratedWorkout()
    // The caller has a workout, or has logged one.
    case "workout": _ = try await workout(of: subject)
    case "log": _ = try await log(of: subject)
    default: return false
    }
    return true
  }

  /// Prepares a name in braces that concerns training.
  mutating func prepareTraining(_ name: String) async throws {
    switch name {
    case "gym": values[name] = try await countedGym()
    case "uncountedGym": values[name] = try await gym()
    case "exercise":
      try await loadExercise()
      values[name] = Self.exercise
    case "curatedWorkout":
      try await loadCuratedWorkout()
      values[name] = Self.curatedWorkout
    case "workout", "wordOfWorkout", "entry", "lastEntry":
      let made = try await workout(of: world.cast.owner)
      values["wordOfWorkout"] = "word\(world.numbers.last)"
      (values["workout"], values["entry"]) = (made.workoutID, try #require(made.entries.first).entryID)
      values["lastEntry"] = try #require(made.entries.last).entryID
    case "share", "shareToken", "sharedWorkout":
      let workout = try await workout(of: world.cast.owner).workoutID
      let shared = try await workouts.shareWorkout(
        ShareWorkoutRequest(workoutID: workout), try await world.cast.owner.options(at: world.identity))
      (values["sharedWorkout"], values["shareToken"]) = (workout, shared.token)
      values["share"] = shared.share?.shareID
    case "log": values[name] = try await log(of: world.cast.owner)
    default: break
    }
  }

  // MARK: Gyms

  /// A gym with every field but its usage.
  private func gym() async throws -> String {
    let id = world.someID()
    try await world.sql(
      """
      insert into catalog.gyms (
        id, source, source_id, name, street, house_number, postcode, city, country, phone, website, latitude, longitude,
        time_zone, opening_hours, capacity, words
      )
      values (
        '\(id)', 'test', '\(id)', 'Ironworks', 'Main Street', '10', '018956', 'Singapore', 'SG', '+65 6123 4567',
        'https://gym.example', 1.31, 103.81, 'Asia/Singapore', 'Mo-Su 06:00-22:00', 100, 'ironworks:1A'
      );
      insert into catalog.gym_words (word) values ('ironworks') on conflict do nothing
      """)
    return id
  }

  private func countedGym() async throws -> String {
    let id = try await gym()
    let report = ReportUsageRequest(reports: [UsageReport(gymID: id, people: 12)])
    _ = try await GymsClient(try world.server("catalog").client(.operator)).reportUsage(report, .patient)
    return id
  }

  // MARK: Exercises

  private static let exercise = "01900000-0000-7000-9000-000000000001"

  private func loadExercise() async throws {
    try await world.sql(
      """
      insert into catalog.exercises (
        id, name, aliases, category, level, muscles, secondary_muscles, muscle_groups, targets, equipment, instructions,
        instructions_source, sources, source_ids, licenses, attributions, images, image_sources, words, names, change
      )
      values (
        '\(Self.exercise)', 'Ropeclimb', array['Rope climbing'], 'STRENGTH', 'BEGINNER', array['LATS'], array['BICEPS'],
        array['BACK'], array['LATS', 'BACK'], array['BODY_ONLY'], array['Climb.'], 'test', array['test'], array['1'],
        array['CC0'], array['Somebody'], array['rope.jpg'], array['test'], 'ropeclimb:1A', 'ropeclimb', 1
      )
      on conflict do nothing
      """)
  }

  // MARK: Workouts

  private static let curatedWorkout = "01900000-0000-7000-9000-000000000002"

  private func loadCuratedWorkout() async throws {
    try await loadExercise()
    try await world.sql(
      """
      insert into catalog.workouts (
        id, curated_key, name, description, muscle_groups, trained, level, words, names, created_at, updated_at
      )
      values (
        '\(Self.curatedWorkout)', 'test', 'Basics', 'For everybody.', array['BACK'], array['BACK'], 'BEGINNER',
        'basics:1A', 'basics', now(), now()
      )
      on conflict do nothing;
      insert into catalog.workout_entries (
        id, workout_id, place, exercise_id, sets, reps, duration_s, weight_g, rest_s, note
      )
      values (
        '01900000-0000-7000-9000-000000000003', '\(Self.curatedWorkout)', 1, '\(Self.exercise)', 3, 10, 0, 20000, 60,
        'Breathe.'
      )
      on conflict do nothing
      """)
  }

  private var workouts: WorkoutsClient { get throws { WorkoutsClient(try world.server("catalog").client()) } }

  /// A workout of a user with two entries, whose description has the word `word` followed by the last number of ``Numbers``.
  private func workout(of user: CastMember) async throws -> Workout {
    try await loadExercise()
    let entry = WorkoutEntry(
      exerciseID: Self.exercise, sets: 3, reps: 10, weightKg: 20, restS: 60, note: "Breathe.")
    let workout = Workout(
      name: "Legs", description: "Slowly, word\(world.numbers.next()).", muscleGroups: ["LEGS"],
      entries: [entry, entry])
    return try await workouts.createWorkout(
      CreateWorkoutRequest(workout: workout), try await user.options(at: world.identity))
  }

  /// A log of a workout of a user.
  private func log(of user: CastMember) async throws -> String {
    let done = LoggedExercise(exerciseID: Self.exercise, sets: [LoggedSet(reps: 10, weightKg: 20)])
    let workout = try await workout(of: user).workoutID
    let start = world.clock.now.wholeSeconds - 7_200
    let log = WorkoutLog(
      workoutID: workout, startTime: .init(seconds: start), endTime: .init(seconds: start + 3_600), note: "Hard.",
      exercises: [done])
    return try await workouts.logWorkout(
      LogWorkoutRequest(log: log), try await user.options(at: world.identity)
    ).logID
  }
}

import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

extension RunningCatalog {
  /// An entry for a sample exercise.
  func entry(
    _ sourceID: String, sets: Int32 = 3, reps: Int32 = 10, weight: Double? = nil, rest: Int32 = 60
  ) async throws -> WorkoutEntry {
    WorkoutEntry(exerciseID: try await exercise(sourceID), sets: sets, reps: reps, weightKg: weight, restS: rest)
  }

  /// Creates a workout; fields that the test does not name have arbitrary values.
  @discardableResult
  func make(
    _ name: String = "Leg day", of exercises: [String] = ["back-squat", "leg-press", "leg-curl"],
    as owner: TestUser = .ada
  ) async throws -> Workout {
    // Ids tell which was made first.
    clock.advance(by: .milliseconds(1))
    var entries: [WorkoutEntry] = []
    for exercise in exercises { entries.append(try await entry(exercise)) }
    return try await workouts.createWorkout(
      CreateWorkoutRequest(workout: Workout(name: name, entries: entries)), owner.options)
  }
}

@Suite("personal workouts")
struct WorkoutTests {
  @Test("[CA-12] a workout is made of exercises with sets, repetitions, weight, rest and order")
  func create() async throws {
    try await RunningCatalog.withExercises { catalog in
      let entries = [
        try await catalog.entry("back-squat", sets: 5, reps: 5, weight: 82.5, rest: 180),
        WorkoutEntry(exerciseID: try await catalog.exercise("plank"), sets: 3, durationS: 45, note: " Breathe. "),
      ]
      let made = try await catalog.workouts.createWorkout(
        CreateWorkoutRequest(workout: Workout(name: " Monday ", description: "Heavy\nday", entries: entries)),
        TestUser.ada.options)
      #expect(made.name == "Monday" && made.description == "Heavy\nday" && made.muscleGroups == ["CORE", "LEGS"])
      #expect(made.entries.map(\.exerciseName) == ["Barbell Squat", "Plank"] && !made.curated && !made.etag.isEmpty)
      let first = try #require(made.entries.first)
      #expect(first.sets == 5 && first.reps == 5 && first.weightKg == 82.5 && first.restS == 180)
      #expect(made.entries[1].durationS == 45 && made.entries[1].weightKg == nil && made.entries[1].note == "Breathe.")
      let read = try await catalog.workouts.getWorkout(
        GetWorkoutRequest(workoutID: made.workoutID), TestUser.ada.options)
      #expect(read == made)
      let foreign = try await refusal {
        try await catalog.workouts.getWorkout(GetWorkoutRequest(workoutID: made.workoutID), TestUser.grace.options)
      }
      #expect(foreign.code == .notFound && foreign.reason == "WORKOUT_NOT_FOUND")
      #expect(
        try await catalog.sql("select place::text, weight_g from workout_entries order by place") == [
          ["1", "82500"], ["2", nil],
        ])
    }
  }

  @Test("[CA-12] from muscle groups alone a workout is filled with exercises for each of them in turn")
  func suggestions() async throws {
    try await RunningCatalog.withExercises { catalog in
      let made = try await catalog.workouts.createWorkout(
        CreateWorkoutRequest(
          workout: Workout(name: "Upper body", muscleGroups: ["ARMS", "CHEST"]), suggestedExercises: 4),
        TestUser.ada.options)
      #expect(made.muscleGroups == ["CHEST", "ARMS"] && made.entries.count == 4)
      #expect(made.entries.allSatisfy { $0.sets == 3 && $0.reps == 10 })
      var groups: [String] = []
      for entry in made.entries {
        groups += try await catalog.exercises.getExercise(
          GetExerciseRequest(exerciseID: entry.exerciseID), TestUser.ada.options
        ).muscleGroups
      }
      #expect(groups == ["CHEST", "ARMS", "CHEST", "ARMS"])
      let empty = try await catalog.workouts.createWorkout(
        CreateWorkoutRequest(workout: Workout(name: "Empty", muscleGroups: ["NECK"])), TestUser.ada.options)
      #expect(empty.entries.isEmpty && empty.muscleGroups == ["NECK"])
    }
  }

  @Test("[CA-12] [C-2] every bad field is named at once, and nothing is stored")
  func badFields() async throws {
    try await RunningCatalog.withExercises { catalog in
      let bad = WorkoutEntry(
        exerciseID: "x", sets: 0, reps: 1_001, durationS: -1, weightKg: .nan, restS: 3_601,
        note: String(repeating: "n", count: 201))
      let status = try await refusal {
        try await catalog.workouts.createWorkout(
          CreateWorkoutRequest(
            workout: Workout(
              name: " ", description: "\0", muscleGroups: ["TAIL"],
              entries: [bad, WorkoutEntry(exerciseID: TestUser.ada.id.description, sets: 1)]), suggestedExercises: 21,
            requestID: "x"), TestUser.ada.options)
      }
      #expect(
        status.fieldReasons == [
          "REQUEST_ID_INVALID", "NAME_REQUIRED", "DESCRIPTION_INVALID", "MUSCLE_GROUP_UNKNOWN", "EXERCISE_ID_INVALID",
          "SETS_INVALID", "REPS_INVALID", "DURATION_INVALID", "WEIGHT_INVALID", "REST_INVALID", "NOTE_INVALID",
          "REPS_REQUIRED", "SUGGESTIONS_INVALID", "EXERCISE_UNKNOWN",
        ])
      let unknown = try await refusal {
        try await catalog.workouts.createWorkout(
          CreateWorkoutRequest(
            workout: Workout(
              name: "X", entries: [WorkoutEntry(exerciseID: TestUser.ada.id.description, sets: 1, reps: 1)])),
          TestUser.ada.options)
      }
      #expect(unknown.reason == "EXERCISE_UNKNOWN" && unknown.fields == ["workout.entries[0].exercise_id"])
      let many = try await refusal {
        try await catalog.workouts.createWorkout(
          CreateWorkoutRequest(
            workout: Workout(name: "X", entries: [WorkoutEntry](repeating: WorkoutEntry(), count: 51))),
          TestUser.ada.options)
      }
      #expect(many.reason == "TOO_MANY_ENTRIES")
      let nothing = try await refusal {
        try await catalog.workouts.createWorkout(
          CreateWorkoutRequest(workout: Workout(name: "X")), TestUser.ada.options)
      }
      #expect(nothing.reason == "MUSCLE_GROUPS_REQUIRED")
      #expect(try await catalog.value("select count(*) from workouts") == "0")
    }
  }

  @Test("[CA-12] [C-2] an exercise that is not there is named together with the other bad fields")
  func unknownExercise() async throws {
    try await RunningCatalog.with { catalog in
      let workout = Workout(
        name: " ", muscleGroups: ["nose"],
        entries: [WorkoutEntry(exerciseID: TestUser.ada.id.description, sets: 1, reps: 1)])
      let refused = try await refusal {
        try await catalog.workouts.createWorkout(CreateWorkoutRequest(workout: workout), TestUser.ada.options)
      }
      #expect(refused.fieldReasons == ["NAME_REQUIRED", "MUSCLE_GROUP_UNKNOWN", "EXERCISE_UNKNOWN"])
      #expect(refused.fields.last == "workout.entries[0].exercise_id")
    }
  }

  @Test("[CA-12] entries are added, changed, moved and removed, and every change gives a new etag")
  func entries() async throws {
    try await RunningCatalog.withExercises { catalog in
      let made = try await catalog.make()
      let workouts = catalog.workouts
      let added = try await workouts.addWorkoutEntry(
        AddWorkoutEntryRequest(
          workoutID: made.workoutID, entry: try await catalog.entry("hip-thrust"), position: 1, etag: made.etag),
        TestUser.ada.options)
      #expect(
        added.entries.map(\.exerciseName) == ["Barbell Squat", "Barbell Hip Thrust", "Leg Press", "Lying Leg Curls"])
      #expect(added.etag != made.etag && added.entries[2].entryID == made.entries[1].entryID)

      let changed = try await workouts.updateWorkoutEntry(
        UpdateWorkoutEntryRequest(
          workoutID: made.workoutID,
          entry: WorkoutEntry(entryID: added.entries[1].entryID, sets: 9, reps: 12, weightKg: 40),
          updateMask: .init(paths: ["reps", "weight_kg"])), TestUser.ada.options)
      #expect(changed.entries[1].sets == 3 && changed.entries[1].reps == 12 && changed.entries[1].weightKg == 40)

      let reversed = try await workouts.reorderWorkoutEntries(
        ReorderWorkoutEntriesRequest(
          workoutID: made.workoutID, entryIds: changed.entries.reversed().map(\.entryID)), TestUser.ada.options)
      #expect(reversed.entries == changed.entries.reversed())

      let removed = try await workouts.removeWorkoutEntry(
        RemoveWorkoutEntryRequest(workoutID: made.workoutID, entryID: reversed.entries[0].entryID), TestUser.ada.options
      )
      #expect(removed.entries == Array(reversed.entries.dropFirst()))
      #expect(try await catalog.value("select revision from workouts") == "5")
      let read = try await workouts.getWorkout(GetWorkoutRequest(workoutID: made.workoutID), TestUser.ada.options)
      #expect(read == removed)
    }
  }

  @Test("[CA-12] an entry that is not there, a place beyond the end and half an order are refused")
  func refusesEntries() async throws {
    try await RunningCatalog.withExercises { catalog in
      let made = try await catalog.make()
      let none = TestUser.ada.id.description
      let add = try await refusal {
        try await catalog.workouts.addWorkoutEntry(
          AddWorkoutEntryRequest(workoutID: made.workoutID, entry: try await catalog.entry("plank"), position: 4),
          TestUser.ada.options)
      }
      let change = try await refusal {
        try await catalog.workouts.updateWorkoutEntry(
          UpdateWorkoutEntryRequest(workoutID: made.workoutID, entry: WorkoutEntry(entryID: none, sets: 1)),
          TestUser.ada.options)
      }
      let effort = try await refusal {
        try await catalog.workouts.updateWorkoutEntry(
          UpdateWorkoutEntryRequest(
            workoutID: made.workoutID, entry: WorkoutEntry(entryID: made.entries[0].entryID),
            updateMask: .init(paths: ["reps"])), TestUser.ada.options)
      }
      let order = try await refusal {
        try await catalog.workouts.reorderWorkoutEntries(
          ReorderWorkoutEntriesRequest(workoutID: made.workoutID, entryIds: [made.entries[0].entryID]),
          TestUser.ada.options)
      }
      let exercise = try await refusal {
        try await catalog.workouts.addWorkoutEntry(
          AddWorkoutEntryRequest(workoutID: made.workoutID, entry: WorkoutEntry(exerciseID: none, sets: 1, reps: 1)),
          TestUser.ada.options)
      }
      #expect(
        add.reason == "POSITION_INVALID" && change.reason == "ENTRY_NOT_FOUND" && effort.reason == "REPS_REQUIRED")
      #expect(order.reason == "ENTRY_IDS_INVALID" && exercise.fields == ["entry.exercise_id"])
      #expect(try await catalog.value("select revision from workouts") == "1")
    }
  }

  @Test("[CA-12] an update changes what its mask names and nothing else; entries that are named stay themselves")
  func update() async throws {
    try await RunningCatalog.withExercises { catalog in
      let made = try await catalog.make()
      catalog.clock.advance(by: .seconds(60))
      let named = try await catalog.workouts.updateWorkout(
        UpdateWorkoutRequest(
          workout: Workout(workoutID: made.workoutID, name: "Legs", description: "Ignored"),
          updateMask: .init(paths: ["name"])), TestUser.ada.options)
      #expect(named.name == "Legs" && named.description.isEmpty && named.entries == made.entries)
      #expect(named.updateTime?.seconds == catalog.clock.now.wholeSeconds)
      var kept = made.entries[2]
      kept.sets = 5
      let replaced = try await catalog.workouts.updateWorkout(
        UpdateWorkoutRequest(
          workout: Workout(
            workoutID: made.workoutID, entries: [kept, try await catalog.entry("plank")], etag: named.etag)),
        TestUser.ada.options)
      #expect(replaced.entries[0] == kept && replaced.entries.count == 2 && replaced.name == "Legs")
      let immutable = try await refusal {
        try await catalog.workouts.updateWorkout(
          UpdateWorkoutRequest(
            workout: Workout(workoutID: made.workoutID), updateMask: .init(paths: ["curated", "level", "owner"])),
          TestUser.ada.options)
      }
      #expect(immutable.fieldReasons == ["FIELD_IMMUTABLE", "FIELD_IMMUTABLE", "FIELD_UNKNOWN"])
    }
  }

  @Test("[CA-12] [C-11] of 24 entries added with one etag a single one comes in, and the others are told")
  func etags() async throws {
    try await RunningCatalog.withExercises { catalog in
      let made = try await catalog.make()
      let entry = try await catalog.entry("plank")
      let results = await catalog.raceWorkouts(24) { workouts, _ in
        try await workouts.addWorkoutEntry(
          AddWorkoutEntryRequest(workoutID: made.workoutID, entry: entry, etag: made.etag), TestUser.ada.options)
      }
      #expect(results.successes().count == 1)
      #expect(results.refusals().count == 23 && results.refusals().allSatisfy { $0.code == .aborted })
      #expect(try await catalog.value("select count(*) from workout_entries") == "4")
    }
  }

  @Test("[CA-12] of 24 entries that are added at once as many come in as there are places, each at its own")
  func places() async throws {
    try await RunningCatalog.withExercises { catalog in
      let made = try await catalog.make(of: [String](repeating: "crunch", count: 45))
      let entry = try await catalog.entry("plank")
      let results = await catalog.raceWorkouts(24) { workouts, number in
        try await workouts.addWorkoutEntry(
          AddWorkoutEntryRequest(workoutID: made.workoutID, entry: entry, position: Int32(number % 3)),
          TestUser.ada.options)
      }
      let refused = results.refusals()
      #expect(results.successes().count == 5)
      #expect(refused.count == 19 && refused.allSatisfy { $0.reason == "TOO_MANY_ENTRIES" })
      let places = try await catalog.sql("select min(place), max(place), count(distinct place) from workout_entries")
      #expect(places == [["1", "50", "50"]])
    }
  }

  @Test("[CA-12] nobody has more than 500 workouts, however many are made at once")
  func limit() async throws {
    try await RunningCatalog.withExercises { catalog in
      try await catalog.sql("update users set workouts = 497 where username = 'ada'")
      let results = await catalog.raceWorkouts(24) { workouts, number in
        try await workouts.createWorkout(
          CreateWorkoutRequest(workout: Workout(name: "Workout \(number)", muscleGroups: ["LEGS"])),
          TestUser.ada.options
        )
      }
      #expect(results.successes().count == 3)
      #expect(results.refusals().count == 21 && results.refusals().allSatisfy { $0.reason == "TOO_MANY_WORKOUTS" })
    }
  }

  @Test(
    "[C-4] of 32 repetitions of a request one makes the workout and all get its answer; [C-6] a rehearsal makes none")
  func repeats() async throws {
    try await RunningCatalog.withExercises { (catalog) async throws in
      var call = CreateWorkoutRequest(workout: Workout(name: "Once", muscleGroups: ["LEGS"]), validateOnly: true)
      #expect(try await catalog.workouts.createWorkout(call, TestUser.ada.options).name == "Once")
      #expect(try await catalog.value("select count(*) from workouts") == "0")
      (call.validateOnly, call.requestID) = (false, "0190f000-0000-7000-8000-00000000000b")
      let repeated = call
      let results = await catalog.raceWorkouts(32) { workouts, _ in
        try await workouts.createWorkout(repeated, TestUser.ada.options)
      }
      #expect(results.successes().count == 32 && Set(results.successes().map(\.workoutID)).count == 1)
      #expect(try await catalog.value("select count(*) from workouts") == "1")
    }
  }

  @Test("[CA-12] [C-5] own workouts are listed with their entries, the newest first, whoever adds some meanwhile")
  func lists() async throws {
    try await RunningCatalog.withExercises { catalog in
      for number in 0..<5 { try await catalog.make("Workout \(number)", of: ["plank", "crunch"]) }
      try await catalog.make("Another's", as: .grace)
      var (seen, token) = ([Workout](), "")
      repeat {
        let page = try await catalog.workouts.listMyWorkouts(
          ListMyWorkoutsRequest(pageSize: 2, pageToken: token), TestUser.ada.options)
        seen += page.workouts
        token = page.nextPageToken
        if seen.count == 2 { try await catalog.make("Late") }
      } while !token.isEmpty && seen.count < 20
      #expect(seen.map(\.name) == (0..<5).reversed().map { "Workout \($0)" })
      #expect(seen.allSatisfy { $0.entries.map(\.exerciseName) == ["Plank", "Crunches"] })
    }
  }

  @Test("[CA-12] a deleted workout leaves every list; [C-11] other devices learn of it")
  func deletes() async throws {
    try await RunningCatalog.withExercises { catalog in
      func changes(since: String = "") async throws -> ListMyWorkoutChangesResponse {
        try await catalog.workouts.listMyWorkoutChanges(
          ListMyWorkoutChangesRequest(since: since), TestUser.ada.options)
      }
      let (kept, gone) = (try await catalog.make("Kept"), try await catalog.make("Gone"))
      try await catalog.make("Another's", as: .grace)
      let first = try await changes()
      #expect(first.changes.map { $0.workout } == [kept, gone])

      let call = DeleteWorkoutRequest(workoutID: gone.workoutID, etag: gone.etag)
      let foreign = try await refusal { try await catalog.workouts.deleteWorkout(call, TestUser.grace.options) }
      _ = try await catalog.workouts.deleteWorkout(call, TestUser.ada.options)
      let again = try await refusal { try await catalog.workouts.deleteWorkout(call, TestUser.ada.options) }

      #expect(foreign.reason == "WORKOUT_NOT_FOUND" && again.reason == "WORKOUT_NOT_FOUND")
      let mine = try await catalog.workouts.listMyWorkouts(ListMyWorkoutsRequest(), TestUser.ada.options)
      #expect(mine.workouts == [kept])
      let second = try await changes(since: first.nextSince)
      #expect(second.changes.map(\.workoutID) == [gone.workoutID] && second.changes[0].workout == nil)
      #expect(second.changes[0].deleteTime?.seconds == catalog.clock.now.wholeSeconds)
      #expect(try await catalog.value("select workouts from users where username = 'ada'") == "1")
      #expect(try await catalog.value("select count(*) from workout_entries") == "6")
      let token = try await refusal { try await changes(since: "nonsense") }
      #expect(token.reason == "CHANGE_TOKEN_INVALID")
    }
  }
}

extension RunningCatalog {
  /// As ``race(_:_:)``, for workouts.
  func raceWorkouts<R: Sendable>(
    _ callers: Int, _ call: @escaping @Sendable (WorkoutsClient, Int) async throws -> R
  ) async -> [Result<R, any Error>] {
    await service.race(callers) { client, caller in
      try await call(WorkoutsClient(client), caller)
    }
  }
}

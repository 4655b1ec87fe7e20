import GoogleProtobuf
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("what was trained")
struct WorkoutLogTests {
  private func set(_ reps: Int32, _ weight: Double = 0, held duration: Int32 = 0) -> LoggedSet {
    LoggedSet(reps: reps, weightKg: weight, durationS: duration)
  }

  /// Logs sets of one exercise that began so many minutes ago.
  @discardableResult
  private func log(
    _ sets: [LoggedSet], of exercise: String, _ minutesAgo: Int64, _ catalog: RunningCatalog,
    as someone: TestUser = .ada
  ) async throws -> WorkoutLog {
    let exercises = [LoggedExercise(exerciseID: try await catalog.exercise(exercise), sets: sets)]
    return try await catalog.workouts.logWorkout(
      LogWorkoutRequest(
        log: WorkoutLog(
          name: "Session", startTime: Timestamp(seconds: catalog.clock.now.wholeSeconds - 60 * minutesAgo),
          exercises: exercises)), someone.options)
  }

  @Test("[C-11] other devices learn of every log, and of its deletion, in pages that skip none")
  func changes() async throws {
    try await RunningCatalog.withExercises { catalog in
      func changes(
        since: String = "", size: Int32 = 0, as someone: TestUser = .ada
      ) async throws -> ListMyWorkoutLogChangesResponse {
        try await catalog.workouts.listMyWorkoutLogChanges(
          ListMyWorkoutLogChangesRequest(since: since, pageSize: size), someone.options)
      }
      var made: [WorkoutLog] = []
      for minutes in 1...3 { made.append(try await log([set(5, 80)], of: "back-squat", Int64(minutes), catalog)) }
      _ = try await log([set(5, 80)], of: "back-squat", 1, catalog, as: .grace)
      var (seen, token, more) = ([WorkoutLogChange](), "", true)
      while more {
        let page = try await changes(since: token, size: 2)
        (seen, token, more) = (seen + page.changes, page.nextSince, page.more)
      }
      #expect(seen.map(\.log) == made && seen.allSatisfy { $0.deleteTime == nil })
      _ = try await catalog.workouts.deleteWorkoutLog(
        DeleteWorkoutLogRequest(logID: made[1].logID), TestUser.ada.options)
      let next = try await changes(since: token)
      #expect(next.changes.map(\.logID) == [made[1].logID] && next.changes[0].log == nil)
      #expect(next.changes[0].deleteTime?.seconds == catalog.clock.now.wholeSeconds)
      #expect(try await changes().changes.map(\.logID) == [made[0], made[2], made[1]].map(\.logID))
      for bad in ["x", token + "AAAA"] {
        let refused = try await refusal { try await changes(since: bad, size: -1) }
        #expect(Set(refused.fieldReasons) == ["CHANGE_TOKEN_INVALID", "PAGE_SIZE_INVALID"])
      }
      #expect(
        try await refusal { try await changes(since: next.nextSince, as: .grace) }.reason == "CHANGE_TOKEN_INVALID")
    }
  }

  @Test("[C-11] B8: tokens of a database that was restored since are refused, for logs, workouts and books")
  func restored() async throws {
    try await RunningCatalog.withExercises { catalog in
      _ = try await log([set(5, 80)], of: "back-squat", 1, catalog)
      try await catalog.make("Legs")
      try await catalog.add("Dune")
      let options = TestUser.ada.options
      let logs = try await catalog.workouts.listMyWorkoutLogChanges(ListMyWorkoutLogChangesRequest(), options).nextSince
      let workouts = try await catalog.workouts.listMyWorkoutChanges(ListMyWorkoutChangesRequest(), options).nextSince
      let books = try await catalog.books.listMyBookChanges(ListMyBookChangesRequest(), options).nextSince
      // As `EventEpochs` does when it finds the database on another server.
      try await catalog.sql("update event_log set transaction_offset = transaction_offset + (1::bigint << 44)")
      let refusals = [
        try await refusal {
          try await catalog.workouts.listMyWorkoutLogChanges(ListMyWorkoutLogChangesRequest(since: logs), options)
        },
        try await refusal {
          try await catalog.workouts.listMyWorkoutChanges(ListMyWorkoutChangesRequest(since: workouts), options)
        },
        try await refusal {
          try await catalog.books.listMyBookChanges(ListMyBookChangesRequest(since: books), options)
        },
      ]
      #expect(refusals.map(\.reason) == Array(repeating: "CHANGE_TOKEN_INVALID", count: 3))
      let anew = try await catalog.books.listMyBookChanges(ListMyBookChangesRequest(), options)
      #expect(anew.changes.count == 1)
      let next = try await catalog.books.listMyBookChanges(ListMyBookChangesRequest(since: anew.nextSince), options)
      #expect(next.changes.isEmpty)
    }
  }

  @Test("[CA-14] a performed workout is kept with its sets in their order, and what was lifted in all")
  func logs() async throws {
    try await RunningCatalog.withExercises { catalog in
      let workout = try await catalog.make("Legs")
      let (squat, plank) = (try await catalog.exercise("back-squat"), try await catalog.exercise("plank"))
      let start = catalog.clock.now.wholeSeconds - 3_600
      let wanted = WorkoutLog(
        workoutID: workout.workoutID, startTime: Timestamp(seconds: start), endTime: Timestamp(seconds: start + 3_000),
        note: "Felt\ngood",
        exercises: [
          LoggedExercise(exerciseID: squat, sets: [set(5, 80), set(5, 82.5)]),
          LoggedExercise(exerciseID: plank, sets: [set(0, held: 60)]),
          LoggedExercise(exerciseID: squat, sets: [set(3, 90)]),
        ])
      let made = try await catalog.workouts.logWorkout(LogWorkoutRequest(log: wanted), TestUser.ada.options)
      #expect(made.name == "Legs" && made.note == "Felt\ngood" && made.workoutID == workout.workoutID)
      #expect(made.exercises.map(\.exerciseName) == ["Barbell Squat", "Plank", "Barbell Squat"])
      #expect(made.exercises.map(\.sets) == wanted.exercises.map(\.sets))
      #expect(made.volumeKg == 400 + 412.5 + 270 && made.endTime?.seconds == start + 3_000)

      // The log outlives the workout.
      _ = try await catalog.workouts.deleteWorkout(
        DeleteWorkoutRequest(workoutID: workout.workoutID), TestUser.ada.options)
      let listed = try await catalog.workouts.listWorkoutLogs(ListWorkoutLogsRequest(), TestUser.ada.options)
      #expect(listed.logs == [made])
      let foreign = try await catalog.workouts.listWorkoutLogs(ListWorkoutLogsRequest(), TestUser.grace.options)
      #expect(foreign.logs.isEmpty)
    }
  }

  @Test(
    "[ID-64] [CA-14] a log and its deletion are told to other services once, and nothing is told of what is refused")
  func tellsOthers() async throws {
    try await RunningCatalog.withExercises { catalog in
      let exercises = [LoggedExercise(exerciseID: try await catalog.exercise("plank"), sets: [set(0, held: 60)])]
      let start = Timestamp(seconds: catalog.clock.now.wholeSeconds - 3_600)
      let call = LogWorkoutRequest(
        log: WorkoutLog(name: "Session", startTime: start, exercises: exercises),
        requestID: "0197a5a0-0000-4000-8000-000000000001")
      var rehearsal = call
      (rehearsal.validateOnly, rehearsal.requestID) = (true, "")

      _ = try await catalog.workouts.logWorkout(rehearsal, TestUser.ada.options)
      let made = try await catalog.workouts.logWorkout(call, TestUser.ada.options)
      _ = try await catalog.workouts.logWorkout(call, TestUser.ada.options)
      let foreign = try await refusal {
        try await catalog.workouts.deleteWorkoutLog(DeleteWorkoutLogRequest(logID: made.logID), TestUser.grace.options)
      }
      _ = try await catalog.workouts.deleteWorkoutLog(DeleteWorkoutLogRequest(logID: made.logID), TestUser.ada.options)

      let told = try await catalog.sql(
        "select replace(type, 'tandem.events.v1.', ''), key from events where topic = 'catalog.workouts' order by id")
      #expect(told == [["WorkoutLogged", made.logID], ["WorkoutLogDeleted", made.logID]])
      #expect(foreign.reason == "LOG_NOT_FOUND")
    }
  }

  @Test("[CA-14] [C-2] a workout that there is not is named together with the other bad fields, and alone is not found")
  func unknownWorkout() async throws {
    try await RunningCatalog.withExercises { catalog in
      let foreign = try await catalog.make("Legs").workoutID
      let start = Timestamp(seconds: catalog.clock.now.wholeSeconds - 60)
      func refused(_ exercises: [LoggedExercise]) async throws -> Status {
        try await refusal {
          try await catalog.workouts.logWorkout(
            LogWorkoutRequest(log: WorkoutLog(workoutID: foreign, startTime: start, exercises: exercises)),
            TestUser.grace.options)
        }
      }
      let several = try await refused([LoggedExercise(exerciseID: foreign, sets: [set(-1)])])
      #expect(several.fields == ["log.exercises[0].sets[0].reps", "log.exercises[0].exercise_id", "log.workout_id"])
      #expect(several.fieldReasons == ["REPS_INVALID", "EXERCISE_UNKNOWN", "WORKOUT_NOT_FOUND"])
      let both = try await refused([LoggedExercise(exerciseID: foreign, sets: [set(1)])])
      #expect(both.fieldReasons == ["EXERCISE_UNKNOWN", "WORKOUT_NOT_FOUND"])
      let squat = try await catalog.exercise("back-squat")
      let alone = try await refused([LoggedExercise(exerciseID: squat, sets: [set(1)])])
      #expect(alone.code == .notFound && alone.reason == "WORKOUT_NOT_FOUND")
    }
  }

  @Test("[CA-14] [C-5] the history is by the start, the latest first, in pages, and of one workout when asked to")
  func history() async throws {
    try await RunningCatalog.withExercises { catalog in
      let workout = try await catalog.make("Legs")
      for minutes in [10, 50, 30, 20, 40] as [Int64] { try await log([set(1)], of: "push-up", minutes, catalog) }
      let squat = LoggedExercise(exerciseID: try await catalog.exercise("back-squat"), sets: [set(1, 50)])
      let start = Timestamp(seconds: catalog.clock.now.wholeSeconds)
      _ = try await catalog.workouts.logWorkout(
        LogWorkoutRequest(log: WorkoutLog(workoutID: workout.workoutID, startTime: start, exercises: [squat])),
        TestUser.ada.options)
      var (seen, token) = ([Int64](), "")
      repeat {
        let page = try await catalog.workouts.listWorkoutLogs(
          ListWorkoutLogsRequest(pageSize: 2, pageToken: token), TestUser.ada.options)
        seen += page.logs.map { (catalog.clock.now.wholeSeconds - ($0.startTime?.seconds ?? 0)) / 60 }
        token = page.nextPageToken
      } while !token.isEmpty && seen.count < 20
      #expect(seen == [0, 10, 20, 30, 40, 50])
      let ofWorkout = try await catalog.workouts.listWorkoutLogs(
        ListWorkoutLogsRequest(workoutID: workout.workoutID), TestUser.ada.options)
      #expect(ofWorkout.logs.map(\.name) == ["Legs"])
    }
  }

  @Test("[CA-14] progress tells volume, best set and the estimated maximum on each occasion, the latest first")
  func progressOfOccasions() async throws {
    try await withSquats { catalog, squat in
      let answer = try await progress(.init(exerciseID: squat), catalog)
      #expect(answer.exerciseName == "Barbell Squat" && answer.occasions == 2)
      #expect(answer.history.map { $0.result?.volumeKg } == [1_770, 1_000])
      #expect(answer.history.map { $0.result?.bestSet } == [set(3, 90), set(5, 80)])
      let estimates: [Double?] = answer.history.map { $0.result?.oneRepetitionMaximumKg }
      let expected: [Double?] = [90 * (1 + 3.0 / 30), 80 * (1 + 5.0 / 30)]
      #expect(estimates == expected)
    }
  }

  @Test("[CA-14] progress tells the totals of one's own occasions alone")
  func totalProgress() async throws {
    try await withSquats { catalog, squat in
      let total = try #require(try await progress(.init(exerciseID: squat), catalog).total)
      #expect(total.sets == 4 && total.reps == 33 && total.volumeKg == 2_770)
      #expect(total.bestSet == set(3, 90))
    }
  }

  @Test("[CA-14] the estimated maximum is Epley's where no formula is named")
  func epley() async throws {
    try await withSquats { catalog, squat in
      let answer = try await progress(.init(exerciseID: squat), catalog)
      let maximum: Double = 90 * (1 + 3.0 / 30)
      #expect(answer.formulaName == "Epley" && answer.total?.oneRepetitionMaximumKg == maximum)
    }
  }

  @Test("[CA-14] the estimated maximum is by the formula that is named")
  func brzycki() async throws {
    try await withSquats { catalog, squat in
      let answer = try await progress(.init(exerciseID: squat, formula: .brzycki), catalog)
      let maximum: Double = 90 * 36 / 34
      #expect(answer.formulaName == "Brzycki" && answer.total?.oneRepetitionMaximumKg == maximum)
    }
  }

  @Test("[CA-14] [C-5] the pages of a progress skip none and repeat none")
  func progressPages() async throws {
    try await withSquats { catalog, squat in
      let whole = try await progress(.init(exerciseID: squat), catalog)
      let first = try await progress(.init(exerciseID: squat, pageSize: 1), catalog)
      let rest = try await progress(.init(exerciseID: squat, pageSize: 1, pageToken: first.nextPageToken), catalog)
      #expect((first.history + rest.history).map(\.logID) == whole.history.map(\.logID) && rest.nextPageToken.isEmpty)
    }
  }

  @Test("[CA-14] sets without a weight have no estimated maximum")
  func progressWithoutWeight() async throws {
    try await withSquats { catalog, _ in
      let pushUps = try await progress(.init(exerciseID: try await catalog.exercise("push-up")), catalog)
      #expect(pushUps.total?.bestSet == set(20) && pushUps.total?.oneRepetitionMaximumKg == nil)
    }
  }

  @Test("[CA-14] an exercise that was never logged has no progress")
  func noProgress() async throws {
    try await withSquats { catalog, _ in
      let none = try await progress(.init(exerciseID: try await catalog.exercise("plank")), catalog)
      #expect(none.occasions == 0 && none.total == nil && none.history.isEmpty)
    }
  }

  @Test("[CA-14] [C-2] progress in what is unknown is refused")
  func unknownProgress() async throws {
    try await withSquats { catalog, _ in
      let unknown = try await refusal { try await progress(.init(exerciseID: TestUser.ada.id.description), catalog) }
      let bad = try await refusal { try await progress(.init(exerciseID: "", formula: .unrecognized(9)), catalog) }
      #expect(unknown.reason == "EXERCISE_NOT_FOUND")
      #expect(Set(bad.fields) == ["exercise_id", "formula"] && bad.fieldReasons.contains("ENUM_VALUE_UNKNOWN"))
    }
  }

  private func progress(
    _ call: GetExerciseProgressRequest, _ catalog: RunningCatalog
  ) async throws -> GetExerciseProgressResponse {
    try await catalog.workouts.getExerciseProgress(call, TestUser.ada.options)
  }

  /// A catalog in which Ada has squatted twice and done push-ups once, and Grace has squatted once.
  private func withSquats(_ body: @escaping @Sendable (RunningCatalog, _ squat: String) async throws -> Void)
    async throws
  {
    try await RunningCatalog.withExercises { catalog in
      try await log([set(10, 60), set(5, 80)], of: "back-squat", 30, catalog)
      try await log([set(3, 90), set(15, 100)], of: "back-squat", 20, catalog)
      try await log([set(20)], of: "push-up", 10, catalog)
      try await log([set(1, 200)], of: "back-squat", 10, catalog, as: .grace)
      try await body(catalog, try await catalog.exercise("back-squat"))
    }
  }

  @Test("[CA-14] [C-2] what cannot have been done is refused, every field at once")
  func badFields() async throws {
    try await RunningCatalog.withExercises { catalog in
      let now = catalog.clock.now.wholeSeconds
      func status(_ log: WorkoutLog) async throws -> Status {
        try await refusal {
          try await catalog.workouts.logWorkout(LogWorkoutRequest(log: log), TestUser.ada.options)
        }
      }
      let all = try await status(
        WorkoutLog(
          workoutID: "x", name: "\0", startTime: Timestamp(seconds: now + 120), endTime: Timestamp(nanos: -1),
          note: "\0",
          exercises: [LoggedExercise(exerciseID: "x", sets: [LoggedSet(reps: -1, weightKg: -1), LoggedSet()])]))
      #expect(
        all.fieldReasons == [
          "WORKOUT_ID_INVALID", "NAME_INVALID", "NOTE_INVALID", "TIME_INVALID", "TIME_INVALID", "EXERCISE_ID_INVALID",
          "REPS_INVALID", "WEIGHT_INVALID", "REPS_REQUIRED",
        ])
      #expect(
        try await status(WorkoutLog()).fieldReasons == ["NAME_REQUIRED", "START_TIME_REQUIRED", "EXERCISES_REQUIRED"])
      let squat = try await catalog.exercise("back-squat")
      let long = WorkoutLog(
        name: "Long", startTime: Timestamp(seconds: now - 90_000), endTime: Timestamp(seconds: now),
        exercises: [LoggedExercise(exerciseID: squat, sets: [LoggedSet](repeating: set(1), count: 201))])
      #expect(try await status(long).fieldReasons == ["TIME_INVALID", "TOO_MANY_SETS"])
      let unknown = WorkoutLog(
        workoutID: TestUser.ada.id.description, name: "X", startTime: Timestamp(seconds: now),
        exercises: [LoggedExercise(exerciseID: squat, sets: [set(1)])])
      #expect(try await status(unknown).reason == "WORKOUT_NOT_FOUND")
      #expect(try await catalog.value("select count(*) from workout_logs") == "0")
      #expect(try await catalog.value("select workout_logs from users where username = 'ada'") == "0")
    }
  }

  @Test("[CA-14] a log is forgotten when its owner says so, and nobody has more than 20,000")
  func deletes() async throws {
    try await RunningCatalog.withExercises { catalog in
      let kept = try await log([set(5)], of: "push-up", 1, catalog)
      let call = DeleteWorkoutLogRequest(logID: kept.logID)
      let foreign = try await refusal { try await catalog.workouts.deleteWorkoutLog(call, TestUser.grace.options) }
      _ = try await catalog.workouts.deleteWorkoutLog(call, TestUser.ada.options)
      let again = try await refusal { try await catalog.workouts.deleteWorkoutLog(call, TestUser.ada.options) }
      #expect(foreign.reason == "LOG_NOT_FOUND" && again.reason == "LOG_NOT_FOUND")
      #expect(try await catalog.value("select count(*) from logged_sets") == "0")

      try await catalog.sql("update users set workout_logs = 19996 where username = 'ada'")
      let pushUp = try await catalog.exercise("push-up")
      let new = LogWorkoutRequest(
        log: WorkoutLog(
          name: "X", startTime: Timestamp(seconds: catalog.clock.now.wholeSeconds),
          exercises: [LoggedExercise(exerciseID: pushUp, sets: [set(1)])]))
      let results = await catalog.raceWorkouts(24) { workouts, _ in
        try await workouts.logWorkout(new, TestUser.ada.options)
      }
      #expect(results.successes().count == 4)
      #expect(results.refusals().count == 20 && results.refusals().allSatisfy { $0.reason == "TOO_MANY_LOGS" })
    }
  }
}

import CatalogStore
import Events
import GoogleProtobuf
import Identifiers
import Postgres
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("people and their workouts")
struct WorkoutDepartureTests {
  @Test("[C-9] who leaves takes their workouts, logs and links along; others' and curated ones stay")
  func departure() async throws {
    try await RunningCatalog.withSamples { catalog in
      let (mine, theirs) = (try await catalog.make("Mine"), try await catalog.make("Theirs", as: .grace))
      let token = try await catalog.workouts.shareWorkout(
        ShareWorkoutRequest(workoutID: mine.workoutID), TestUser.ada.options
      ).token
      for (workout, someone) in [(mine, TestUser.ada), (theirs, .grace)] {
        let sets = [LoggedSet(reps: 5, weightKg: 50)]
        _ = try await catalog.workouts.logWorkout(
          LogWorkoutRequest(
            log: WorkoutLog(
              workoutID: workout.workoutID, startTime: Timestamp(seconds: catalog.clock.now.wholeSeconds),
              exercises: [LoggedExercise(exerciseID: workout.entries[0].exerciseID, sets: sets)])), someone.options)
      }

      try await catalog.forget(.ada)

      let names = try await catalog.sql("select name from workouts where owner_id is not null")
      #expect(names == [["Theirs"]])
      #expect(try await catalog.sql("select name from workout_logs") == [["Theirs"]])
      #expect(try await catalog.value("select count(*) from logged_sets") == "1")
      #expect(try await catalog.value("select count(*) from workout_shares") == "0")
      #expect(try await catalog.value("select count(*) from workouts where owner_id is null") == "6")
      let left = try await catalog.sql(
        "select workouts::text, workout_logs::text, deleted from users where id = '\(TestUser.ada.id)'")
      #expect(left == [["0", "0", "t"]])
      let (shared, late) = (
        try await refusal {
          try await catalog.workouts.getSharedWorkout(GetSharedWorkoutRequest(token: token))
        }, try await refusal { try await catalog.make("Too late") }
      )
      #expect(shared.reason == "SHARE_NOT_FOUND" && late.code == .unauthenticated)
    }
  }

  @Test("[C-9] of 24 workouts and logs that race with a departure none stays behind")
  func race() async throws {
    try await RunningCatalog.withExercises { catalog in
      let squat = try await catalog.exercise("back-squat")
      async let writing = catalog.raceWorkouts(24) { workouts, number in
        if number.isMultiple(of: 2) {
          return try await workouts.createWorkout(
            CreateWorkoutRequest(workout: Workout(name: "Mine", muscleGroups: ["LEGS"])), TestUser.ada.options
          ).workoutID
        }
        let log = WorkoutLog(
          name: "Mine", startTime: Timestamp(seconds: catalog.clock.now.wholeSeconds),
          exercises: [LoggedExercise(exerciseID: squat, sets: [LoggedSet(reps: 1)])])
        return try await workouts.logWorkout(LogWorkoutRequest(log: log), TestUser.ada.options).logID
      }
      try await catalog.forget(.ada)
      #expect(await writing.refusals().allSatisfy { $0.code == .unauthenticated })
      #expect(try await catalog.value("select count(*) from workouts") == "0")
      #expect(try await catalog.value("select count(*) from workout_logs") == "0")
    }
  }
}

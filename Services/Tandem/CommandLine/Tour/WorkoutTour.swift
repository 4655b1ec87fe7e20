import Environment
import Identifiers
import Reflection
import TTRPC

/// Workouts, if there are exercises.
extension Tour {
  /// Creates, shares and logs a workout; skipped without exercises, as in the operator's own database.
  func train(as name: String, _ access: String) async throws {
    say("\(name) finds an exercise though its name is misspelt.")
    let found = try await call(
      Self.exercises, "SearchExercises",
      ["name": .string("dedlift"), "muscles": .array([.string("BACK"), .string("LEGS")]), "pageSize": .integer(1)],
      token: access)
    guard let exercise = found["exercises"]?.array?.first?["exerciseId"]?.string else {
      return say("No exercises are loaded here; `catalog load exercises` does that.")
    }
    say("A workout for back and legs is filled with exercises, and a link shows it to anybody who has it.")
    let made = try await call(
      Self.workouts, "CreateWorkout",
      [
        "workout": .members(["name": .string("Friday"), "muscleGroups": .array([.string("BACK"), .string("LEGS")])]),
        "suggestedExercises": .integer(2),
      ], token: access)
    let workout = try text("workoutId", of: made)
    let share = try await call(Self.workouts, "ShareWorkout", ["workoutId": .string(workout)], token: access)
    _ = try await call(Self.workouts, "GetSharedWorkout", ["token": .string(try text("token", of: share))])
    say("What was lifted is kept, and tells what could be lifted just once.")
    let sets = [(5, 80), (3, 90)].map { JSONValue.members(["reps": .integer($0), "weightKg": .integer($1)]) }
    let done = JSONValue.members(["exerciseId": .string(exercise), "sets": .array(sets)])
    let start = SystemClock().now - .seconds(3_600)
    _ = try await call(
      Self.workouts, "LogWorkout",
      [
        "log": .members([
          "workoutId": .string(workout), "startTime": .string("\(start)"), "exercises": .array([done]),
        ])
      ], token: access)
    _ = try await call(
      Self.workouts, "GetExerciseProgress", ["exerciseId": .string(exercise), "pageSize": .integer(1)], token: access)
  }
}

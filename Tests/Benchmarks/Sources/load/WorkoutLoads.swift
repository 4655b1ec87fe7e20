import ArgumentParser
import Foundation
import TTRPC
import TandemCatalog

/// Calls `tandem.catalog.v1.Exercises/SearchExercises`, for one question after the other: a name, a muscle and a piece of equipment between tabs.
struct ExerciseSearchLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "exercise-search")

  @OptionGroup var load: LoadOptions
  @OptionGroup var questions: Questions

  func run() async throws {
    let calls = try questions.lines().map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3 else { throw ValidationError("a question is a name, a muscle and equipment: \(line)") }
      return SearchExercisesRequest(
        name: parts[0], muscles: parts[1].isEmpty ? [] : [parts[1]], equipment: parts[2].isEmpty ? [] : [parts[2]],
        pageSize: 20)
    }
    let turns = Turns(of: calls.count)
    try await load.run(metadata: try questions.metadata()) { caller, options in
      _ = try await ExercisesClient(caller).searchExercises(calls[turns.next()], options)
    }
  }
}

/// Calls `tandem.catalog.v1.Workouts/LogWorkout`, each time with a set of the next exercise, whose ids are the questions.
struct LogWorkoutLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "log-workout")

  @OptionGroup var load: LoadOptions
  @OptionGroup var questions: Questions

  func run() async throws {
    let exercises = try questions.lines()
    let turns = Turns(of: exercises.count)
    let start = Int64(Date.now.timeIntervalSince1970) - 3_600
    try await load.run(metadata: try questions.metadata()) { caller, options in
      let done = LoggedExercise(exerciseID: exercises[turns.next()], sets: [LoggedSet(reps: 5, weightKg: 80)])
      let log = WorkoutLog(name: "Legs", startTime: .init(seconds: start), exercises: [done])
      let answer = try await WorkoutsClient(caller).logWorkout(LogWorkoutRequest(log: log), options)
      guard answer.volumeKg == 400 else { throw WrongAnswer(answer) }
    }
  }
}

public import Identifiers

/// Why something cannot be done with a workout, a log or an exercise.
public enum WorkoutRefusal: Error, Sendable, Hashable {
  /// There is none, or it is another user's.
  case noSuchWorkout
  /// A curated workout is changed by no user ([CA-11]).
  case curated
  /// It was changed after the user read it ([C-11]).
  case changed
  case tooManyWorkouts
  case noSuchExercise
  /// [CA-14].
  case noSuchLog
  /// [CA-14].
  case tooManyLogs

  /// Whether a user may change a workout.
  ///
  /// - Parameters:
  ///   - owner: `nil` for a curated workout.
  ///   - revision: the workout's.
  ///   - known: that of the workout as the user knows it; `nil` for any.
  public static func check(
    _ owner: UserID?, _ revision: Int64, isChangedBy user: UserID, expecting known: Int64?
  ) throws(WorkoutRefusal) {
    guard let owner else { throw .curated }
    guard owner == user else { throw .noSuchWorkout }
    guard known == nil || known == revision else { throw .changed }
  }
}

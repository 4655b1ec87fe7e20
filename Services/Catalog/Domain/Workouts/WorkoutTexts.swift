/// The limit of the name of a workout.
public enum WorkoutNameLimit: TextLimit {
  /// Code points.
  public static let most = 120
}

/// The limit of what is said about a workout.
public enum WorkoutDescriptionLimit: TextLimit {
  /// Code points.
  public static let most = 2_000
  /// A text of several lines.
  public static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
}

/// The limit of a note beside an exercise.
public enum EntryNoteLimit: TextLimit {
  /// Code points.
  public static let most = 200
}

/// The name of a workout.
public typealias WorkoutName = BoundedText<WorkoutNameLimit>
/// What is said about a workout, or about having done it.
public typealias WorkoutDescription = BoundedText<WorkoutDescriptionLimit>
/// A note beside an exercise.
public typealias EntryNote = BoundedText<EntryNoteLimit>

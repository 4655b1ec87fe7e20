public enum WorkoutNameLimit: TextLimit {
  /// Code points.
  public static let most = 120
}

public enum WorkoutDescriptionLimit: TextLimit {
  /// Code points.
  public static let most = 2_000
  /// A text of several lines.
  public static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
}

/// The limit of a note on an exercise.
public enum EntryNoteLimit: TextLimit {
  /// Code points.
  public static let most = 200
}

public typealias WorkoutName = BoundedText<WorkoutNameLimit>
/// The description of a workout, or the remarks on a performed one.
public typealias WorkoutDescription = BoundedText<WorkoutDescriptionLimit>
/// A note on an exercise of a workout.
public typealias EntryNote = BoundedText<EntryNoteLimit>

public import VisibleText

public enum WorkoutNameLimit: TextLimit {
  public static let name = "The name"
  /// Code points.
  public static let maxLength = 120
}

public enum WorkoutDescriptionLimit: TextLimit {
  public static let name = "The description"
  /// Code points.
  public static let maxLength = 2_000
  public static let lines = TextLines.several
}

/// The limit of a note on an exercise.
public enum EntryNoteLimit: TextLimit {
  public static let name = "The note"
  /// Code points.
  public static let maxLength = 200
}

public typealias WorkoutName = VisibleText<WorkoutNameLimit>
/// The description of a workout, or the remarks on a performed one.
public typealias WorkoutDescription = VisibleText<WorkoutDescriptionLimit>
/// A note on an exercise of a workout.
public typealias EntryNote = VisibleText<EntryNoteLimit>

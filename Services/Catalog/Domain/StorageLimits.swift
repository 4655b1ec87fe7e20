/// How much may be stored of a user. All but those of comments are constraints of the database, which refuses what is beyond.
public enum StorageLimits {
  public static let maxBooks: Int64 = 10_000
  public static let maxWorkouts: Int64 = 500
  public static let maxWorkoutLogs: Int64 = 20_000
  public static let maxRatings: Int64 = 5_000
}

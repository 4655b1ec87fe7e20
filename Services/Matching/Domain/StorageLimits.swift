/// How much may be stored of a user beside ``NewsLimits`` and ``WaitingRule``. Statements that insert have these numbers, too.
public enum StorageLimits {
  public static let maxSavedSearches: Int64 = 20
  public static let maxRepetitions: Int64 = 20
}

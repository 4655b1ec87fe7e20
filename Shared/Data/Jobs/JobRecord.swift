public import Postgres

extension JobRecord {
  /// What happens to a job next.
  public enum State: String, Sendable, CaseIterable, ColumnValue {
    /// It will be run when it is due.
    case waiting
    /// A replica is running it.
    case running
    /// It was given up.
    case dead
  }
}

extension RetryDeadJob {
  /// The constraint that allows one pending job of a kind and key.
  public static let livingConstraint = "jobs_kind_key"
}

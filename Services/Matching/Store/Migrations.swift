import AccountDeletions
import Events
import Idempotency
import Jobs
import Postgres

/// The schema `matching` and its migrations.
public enum MatchingSchema {
  /// What is removed or anonymised when an account is deleted ([C-9]): every table with users' data adds its statement here.
  public static let removals: [any AccountDeletionStatement.Type] = [DeleteIdempotencyKeysOfUser.self]
}

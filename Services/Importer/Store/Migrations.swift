import AccountDeletions
import Events
import Expiry
import Idempotency
import Jobs

import Postgres

/// The schema of the importer, and its statements.
package enum ImporterSchema {
  package static let name = "importer"

  /// What is removed or anonymised when an account is deleted ([C-9]): every table with users' data adds its statement here.
  package static let removals: [any AccountDeletionStatement.Type] = [
    DeleteActivitiesOfUser.self, DeleteStepsOfUser.self, DeleteSleepsOfUser.self, DeleteWeightsOfUser.self,
    DeleteFileImportsOfUser.self, EndConnectionsOfUser.self, DeleteImportsOfUser.self, DeleteAttemptsOfUser.self,
    DeleteIdempotencyKeysOfUser.self,
  ]
}

extension DeleteActivitiesOfUser: AccountDeletionStatement {
  package static let users = "select user_id from activities"
}

extension DeleteStepsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from daily_steps"
}

extension DeleteSleepsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from sleeps"
}

extension DeleteWeightsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from weights"
}

extension DeleteFileImportsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from file_imports"
}

extension EndConnectionsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from tracker_connections"
}

extension DeleteImportsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from tracker_imports"
}

extension DeleteAttemptsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from authorization_attempts"
}

extension DeleteOldImports: ExpiryStatement {
  package static let kept = Duration.seconds(90 * 86_400)
}

extension DeleteOldEndings: ExpiryStatement {
  package static let kept = Duration.seconds(7 * 86_400)
}

extension DeleteOldWebhookCalls: ExpiryStatement {
  package static let kept = Duration.seconds(2 * 86_400)
}

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
  ///
  /// In this order, imports that run store nothing afterwards: a connection that is being completed is stored before it loses its row,
  /// or not at all; without a connection none begins; a page holds the row
  /// of its import from its first statement, so the deletion waits for it and what it stored is removed later; and the import of
  /// a file that no longer finds its row rolls back.
  package static let removals: [any AccountDeletionStatement.Type] = [
    RememberDeletedUser.self, DeleteCompletionsOfUser.self, EndConnectionsOfUser.self, DeleteImportsOfUser.self,
    DeleteFileImportsOfUser.self, DeleteActivitySharesOfUser.self, DeleteAttemptsOfUser.self,
    ForgetDeletedProvidersOfUser.self, DropChangedActivitiesOfUser.self, ForgetLeftConsentsOfUser.self,
    BeginErasure.self, DeleteIdempotencyKeysOfUser.self,
  ]
}

extension BeginErasure: AccountDeletionStatement {
  package static let users = """
    select user_id from activities union all select user_id from daily_steps union all select user_id from sleeps
    union all select user_id from weights union all select user_id from deleted_activities
    """
}

extension DeleteActivitySharesOfUser: AccountDeletionStatement {
  package static let users = "select user_id from activity_shares"
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

extension DeleteCompletionsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from tracker_completions"
}

extension RememberDeletedUser: AccountDeletionStatement {
  package static let users = "select user_id from tracker_completions"
}

extension ForgetDeletedProvidersOfUser: AccountDeletionStatement {
  package static let users = "select user_id from deleted_providers"
}

extension ForgetLeftConsentsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from left_consents"
}

extension DropChangedActivitiesOfUser: AccountDeletionStatement {
  package static let users = "select user_id from changed_activities"
}

extension DropOldChangedActivities: ExpiryStatement {
  /// As long as a connection may wait for the user's consent without anything being lost.
  package static let kept = Duration.seconds(90 * 86_400)
}

extension DeleteOldCompletions: ExpiryStatement {
  package static let kept = Duration.seconds(86_400)
}

extension ForgetDeletedUsers: ExpiryStatement {
  /// Longer than any token or call of a user lasts.
  package static let kept = Duration.seconds(2 * 86_400)
}

extension DeleteOldImports: ExpiryStatement {
  package static let kept = Duration.seconds(90 * 86_400)
}

extension DeleteOldFileImports: ExpiryStatement {
  package static let kept = Duration.seconds(30 * 86_400)
}

extension ForgetOldLeftConsents: ExpiryStatement {
  package static let kept = Duration.seconds(90 * 86_400)
}

extension DropOldStagedReports: ExpiryStatement {
  /// Longer than any import of a file takes.
  package static let kept = Duration.seconds(86_400)
}

extension DeleteOldWebhookCalls: ExpiryStatement {
  package static let kept = Duration.seconds(2 * 86_400)
}

import AccountDeletions
import Blocks
import Events
import Idempotency
import Jobs
import Pictures
import Postgres
import Usernames

/// The schema of tracking, and its statements.
package enum TrackingSchema {
  package static let name = "tracking"

  /// What is removed when an account is deleted ([C-9]). The row that writers lock goes first: they find none from then on.
  package static let removals: [any AccountDeletionStatement.Type] = [
    MarkAccountDeleted.self, DeleteTrackerOfUser.self, DeletePlacesOfUser.self,
    DeleteMembershipsOfUser.self, BeginErasure.self, DeleteBlocksOfUser.self,
    DeleteNewsQuotaOfUser.self, ForgetChatUser.self, DeleteQuotaOfUser.self,
    DeleteIdempotencyKeysOfUser.self,
  ]
}

extension MarkAccountDeleted: AccountDeletionStatement {
  package static let users = "select id from users where not deleted"
}

extension BeginErasure: AccountDeletionStatement {
  package static let users = """
    select user_id from path_points union all select user_id from group_changes union all select user_id from journeys
    """
}

extension DeleteTrackerOfUser: AccountDeletionStatement {
  package static let users = "select user_id from trackers"
}

extension DeletePlacesOfUser: AccountDeletionStatement {
  package static let users = "select user_id from places"
}

extension DeleteMembershipsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from memberships"
}

extension DeleteNewsQuotaOfUser: AccountDeletionStatement {
  package static let users = "select user_id from news_quotas"
}

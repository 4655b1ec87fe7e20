import AccountDeletions
import Blocks
import Events
import Expiry
import Idempotency
import Identifiers
import Jobs
import MatchingDomain
import Postgres
import Usernames

/// The schema of matching, and its statements.
package enum MatchingSchema {
  package static let name = "matching"

  /// What is done at once when an account is deleted ([C-9]). A job closes and removes in parts what grows with the user: what sessions,
  /// feedback and the records of notices hold of them. No user sees it meanwhile, as the account is marked as deleted.
  package static let removals: [any AccountDeletionStatement.Type] = [
    MarkAccountDeleted.self, DeleteBlocksOfUser.self, DeleteBarsOfUser.self, DeleteIdempotencyKeysOfUser.self,
    DeleteListingOfUser.self, DeleteCalendarLinksOfUser.self, DeleteWaitingOfUser.self, DeleteSearchesOfUser.self,
    DeleteRepetitionsOfUser.self, DeleteNewsQuotaOfUser.self, DeleteSessionSharesOfUser.self,
  ]

  /// What is removed after its time.
  package static let expiries: [any ExpiryStatement.Type] = [
    DeleteExpiredIdempotencyKeys.self, DeleteOldOutages.self, DeleteOldBars.self, DeleteOldListings.self,
    DeleteOldWaiting.self, DeleteOldSearchNotices.self, DeleteOldGyms.self, DeleteOldNewsQuotas.self,
    DeleteOldSessions.self,
  ]

  /// The constraint by which the database refuses two sessions at a time ([MA-2]).
  package static let overlap = "participations_no_overlap"
  /// The constraint by which the database refuses feedback twice ([MA-11]).
  package static let feedbackOnce = "feedback_once"
  /// The constraint by which the database refuses to repeat a session twice ([MA-19]).
  package static let repetitionOnce = "repetitions_once"
}

extension MarkAccountDeleted: AccountDeletionStatement {
  package static let users = """
    select id from users where not deleted
    union all select user_id from participations
    union all select owner_id from sessions
    union all select partner_id from sessions
    union all select author_id from feedback
    union all select recipient_id from feedback
    union all select user_id from search_notices
    """
}

extension DeleteBarsOfUser: AccountDeletionStatement {
  package static let users = "select user_id from bars"
}

extension CountNews {
  /// - Parameters:
  ///   - joins: how many more.
  ///   - posts: how many more.
  package init(of user: UserID, joins: Int32 = 0, posts: Int32 = 0, at now: Instant) {
    self.init(userID: user, now: now, joins: joins, posts: posts, expiredAt: now - NewsLimits.window)
  }
}

extension DeleteOldNewsQuotas: ExpiryStatement {
  package static let kept = NewsLimits.window
}

extension DeleteNewsQuotaOfUser: AccountDeletionStatement {
  package static let users = "select user_id from news_quotas"
}

extension DeleteSessionSharesOfUser: AccountDeletionStatement {
  package static let users = "select user_id from session_shares"
}

extension DeleteOldSessions: ExpiryStatement {
  package static let kept = MatchingRetention.sessions
}

extension DeleteOldOutages: ExpiryStatement {
  package static let kept = Heartbeat.kept
}

extension DeleteOldBars: ExpiryStatement {
  /// As long as a user or an operator may ask about it.
  package static let kept = Duration.seconds(366 * 86_400)
}

extension DeleteOldGyms: ExpiryStatement {
  /// Longer than clocks of replicas differ.
  package static let kept = Duration.seconds(86_400)
}

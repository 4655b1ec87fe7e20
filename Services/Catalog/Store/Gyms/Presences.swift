import AccountDeletions
import CatalogDomain
import Expiry

extension DeleteOldPresences: ExpiryStatement {
  package static let kept = GymUsage.lifetime
}

extension DeletePresenceOfUser: AccountDeletionStatement {
  package static let users = "select user_id from gym_presences"
}

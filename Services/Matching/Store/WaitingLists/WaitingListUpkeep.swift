import AccountDeletions
import Expiry

extension DeleteOldWaiting: ExpiryStatement {
  package static let kept = Duration.zero
}

extension DeleteWaitingOfUser: AccountDeletionStatement {
  package static let users = "select user_id from waiting_list"
}

import AccountDeletions
import Blocks
import Events
import TrackingStore
import Usernames

extension EventSubscription {
  /// Stores usernames, and removes what is stored of users who delete their accounts ([C-9]).
  package static func users() -> EventSubscription {
    .accountDeletions(TrackingSchema.removals).keepingUsernames()
  }
}

import AccountDeletions
import Blocks
import Events
import TrackingHandlers
import TrackingStore
import Usernames

extension EventSubscription {
  /// Stores usernames, has viewers of groups see new ones, and removes what is stored of users who delete their accounts ([C-9]).
  package static func users(_ changes: GroupChanges) -> EventSubscription {
    .accountDeletions(TrackingSchema.removals)
      .keepingUsernames(renamed: { users, tx in try await changes.storeNames(of: users, tx) })
  }
}

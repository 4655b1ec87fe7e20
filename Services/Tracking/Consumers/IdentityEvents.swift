import AccountDeletions
import Blocks
import Events
import TrackingOperations
import TrackingStore
import Usernames

extension EventSubscription {
  /// Stores usernames, has viewers of groups see new ones, and removes what is stored of users who delete their accounts ([C-9]).
  package static func users(_ operations: TrackerOperations) -> EventSubscription {
    .accountDeletions(TrackingSchema.removals)
      .keepingUsernames(renamed: { users, tx in try await operations.showNames(of: users, tx) })
  }
}

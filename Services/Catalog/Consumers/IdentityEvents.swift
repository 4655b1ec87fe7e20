import AccountDeletions
import CatalogStore
import Events
import Usernames

extension EventSubscription {
  /// What identity tells of users: usernames are kept, and everything of a user whose account was deleted is removed ([C-9]).
  package static var users: EventSubscription { .accountDeletions(CatalogSchema.removals).keepingUsernames() }
}

import AccountDeletions
import CatalogStore
import Events
import Usernames

extension EventSubscription {
  /// Identity's user events: usernames are stored, and all data of a user whose account was deleted is removed ([C-9]).
  package static var users: EventSubscription { .accountDeletions(CatalogSchema.removals).keepingUsernames() }
}

import Cryptography
import Environment
import Idempotency
import IdentityDomain
import IdentityOperations
import IdentityStore
import Pagination
import Postgres
import TTRPC
import TandemNotification

/// The inbox of notifications, their channels and the reminder; one file for each method.
package struct Notifications: NotificationsService {
  let database: Database
  let environment: Environment
  let tokens: AccessTokens
  let inboxes: InboxWatch
  let reminders: ReminderScheduler
  let unsubscription: Unsubscription
  let pushTokens: PushTokens
  let pages: Pages
  let idempotency: IdempotencyStore

  /// - Parameter seal: for page tokens, push tokens, the tokens in mails, and for responses that are stored for
  ///   repeated requests ([C-4], [C-5]).
  package init(
    database: Database, environment: Environment, seal: Seal, tokens: AccessTokens, inboxes: InboxWatch,
    reminders: ReminderScheduler
  ) {
    self.database = database
    self.environment = environment
    self.tokens = tokens
    self.inboxes = inboxes
    self.reminders = reminders
    unsubscription = Unsubscription(seal: seal)
    pushTokens = PushTokens(seal: seal)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }
}

import Idempotency
import Pagination
import Ambient
import Cryptography
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemNotification

/// What people are told, and how it reaches them; a file for each method.
package struct Notifications: NotificationsService {
  let database: Database
  let ambient: Ambient
  let tokens: AccessTokens
  let inboxes: InboxWatch
  let timetable: ReminderTimetable
  let unsubscription: Unsubscription
  let pushTokens: PushTokens
  let pages: Pages
  let replays: Replays

  /// Handlers over `database`.
  ///
  /// - Parameter seal: for page tokens, push tokens, the tokens in mails, and for the answers that are kept to be repeated ([C-4], [C-5]).
  package init(
    database: Database, ambient: Ambient, seal: Seal, tokens: AccessTokens, inboxes: InboxWatch,
    timetable: ReminderTimetable
  ) {
    self.database = database
    self.ambient = ambient
    self.tokens = tokens
    self.inboxes = inboxes
    self.timetable = timetable
    unsubscription = Unsubscription(seal: seal)
    pushTokens = PushTokens(seal: seal)
    pages = Pages(seal: seal, clock: ambient.clock)
    replays = Replays(database: database, seal: seal, clock: ambient.clock)
  }
}

import Cryptography
import Environment
import Events
import Idempotency
import IdentityOperations
import Pagination
import Postgres
import TTRPC
import TandemIdentity

/// Methods for operators; one file for each method.
package struct Operators: OperatorsService {
  let database: Database
  let environment: Environment
  let endedSessions: EndedSessions
  let deletion: AccountDeletion
  let reminders: ReminderScheduler
  let keyring: SigningKeyring
  let log: SecurityLog
  let pages: Pages
  let idempotency: IdempotencyStore

  /// - Parameter seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  package init(
    database: Database, environment: Environment, seal: Seal, events: Outbox, endedSessions: EndedSessions,
    reminders: ReminderScheduler, keyring: SigningKeyring
  ) {
    self.database = database
    self.keyring = keyring
    self.reminders = reminders
    self.environment = environment
    self.endedSessions = endedSessions
    deletion = AccountDeletion(endedSessions: endedSessions, events: events, clock: environment.clock)
    log = SecurityLog(environment: environment)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }
}

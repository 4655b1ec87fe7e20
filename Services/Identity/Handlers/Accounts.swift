import Environment
import Cryptography
import Events
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Jobs
import Pagination
import Postgres
import ProtobufC
import TandemIdentity
import TTRPC

/// Accounts, sessions and the tokens that prove them; one file for each method.
package struct Accounts: AccountsService {
  let database: Database
  let environment: Environment
  let passwords: PasswordHasher
  let judge: PasswordPolicy
  let tokens: AccessTokens
  let sessions: NewSessions
  let endedSessions: EndedSessions
  let recentAuthentication: RecentAuthentication
  let events: Outbox
  let deliveries: any DeliverySignalling
  let reminders: ReminderScheduler
  let pages: Pages
  let idempotency: IdempotencyStore
  let throttles: Throttles
  let log: SecurityLog
  let securityMail: SecurityMail
  let loginMethods: LoginMethods
  let reservedUsernames: ReservedUsernames
  let resetAnswer: ResetAnswer
  let jobs: Jobs
  let notifier: Notifier

  /// - Parameters:
  ///   - seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  ///   - resetAnswer: what the response to a reset request reveals.
  ///   - judges: how many new passwords are checked at a time.
  ///   - reservedUsernames: the usernames that no account gets any more.
  ///   - policies: the limits of throttles.
  package init(
    database: Database, environment: Environment, seal: Seal, passwords: PasswordHasher, tokens: AccessTokens,
    endedSessions: EndedSessions, events: Outbox, deliveries: any DeliverySignalling, reminders: ReminderScheduler,
    jobs: Jobs, resetAnswer: ResetAnswer, judges: Int, loginMethods: LoginMethods,
    reservedUsernames: ReservedUsernames, policies: ThrottlePolicies, notifier: Notifier
  ) {
    self.database = database
    self.environment = environment
    self.passwords = passwords
    self.tokens = tokens
    self.endedSessions = endedSessions
    self.events = events
    self.deliveries = deliveries
    self.reminders = reminders
    judge = PasswordPolicy(workers: judges)
    securityMail = SecurityMail(environment: environment, deliveries: deliveries)
    sessions = NewSessions(
      database: database, environment: environment, tokens: tokens, endedSessions: endedSessions, mail: securityMail)
    recentAuthentication = RecentAuthentication(database: database, clock: environment.clock)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    throttles = Throttles(database: database, clock: environment.clock, policies: policies)
    log = SecurityLog(environment: environment)
    self.loginMethods = loginMethods
    self.reservedUsernames = reservedUsernames
    self.resetAnswer = resetAnswer
    self.jobs = jobs
    self.notifier = notifier
  }
}

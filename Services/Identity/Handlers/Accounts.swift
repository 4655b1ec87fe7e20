import Ambient
import Cryptography
import Events
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Jobs
import Pagination
import Postgres
import ProtobufC
import TandemIdentity
import TTRPC

/// Accounts, sessions and the tokens that prove them; a file for each method.
package struct Accounts: AccountsService {
  let database: Database
  let ambient: Ambient
  let passwords: PasswordHasher
  let judge: PasswordJudge
  let tokens: AccessTokens
  let sessions: NewSessions
  let endedSessions: EndedSessions
  let freshLogins: FreshLogins
  let events: Outbox
  let deliveryRoom: DeliveryRoom
  let timetable: ReminderTimetable
  let pages: Pages
  let replays: Replays
  let throttles: Throttles
  let log: SecurityLog
  let resetAnswer: ResetAnswer
  let jobs: Jobs

  /// Handlers over `database` that share what the service's other parts keep in memory.
  ///
  /// - Parameters:
  ///   - seal: for page tokens and for the answers that are kept to be repeated ([C-4], [C-5]).
  ///   - resetAnswer: what who asks for a reset mail is told.
  ///   - judges: new passwords that are judged at a time.
  ///   - policies: how often what may be done.
  package init(
    database: Database, ambient: Ambient, seal: Seal, passwords: PasswordHasher, tokens: AccessTokens,
    endedSessions: EndedSessions, events: Outbox, deliveryRoom: DeliveryRoom, timetable: ReminderTimetable,
    jobs: Jobs, resetAnswer: ResetAnswer, judges: Int, policies: ThrottlePolicies
  ) {
    self.database = database
    self.ambient = ambient
    self.passwords = passwords
    self.tokens = tokens
    self.endedSessions = endedSessions
    self.events = events
    self.deliveryRoom = deliveryRoom
    self.timetable = timetable
    judge = PasswordJudge(workers: judges)
    sessions = NewSessions(ambient: ambient, tokens: tokens)
    freshLogins = FreshLogins(database: database, clock: ambient.clock)
    pages = Pages(seal: seal, clock: ambient.clock)
    replays = Replays(database: database, seal: seal, clock: ambient.clock)
    throttles = Throttles(database: database, clock: ambient.clock, policies: policies)
    log = SecurityLog(ambient: ambient)
    self.resetAnswer = resetAnswer
    self.jobs = jobs
  }
}

import Ambient
import Cryptography
import Events
import Idempotency
import Pagination
import Postgres
import TTRPC
import TandemIdentity

/// What the people who operate the suite look at; a file for each method.
package struct Operators: OperatorsService {
  let database: Database
  let ambient: Ambient
  let endedSessions: EndedSessions
  let departures: Departures
  let timetable: ReminderTimetable
  let keyring: SigningKeyring
  let log: SecurityLog
  let pages: Pages
  let replays: Replays

  /// Handlers over `database`.
  ///
  /// - Parameter seal: for page tokens and for the answers that are kept to be repeated ([C-4], [C-5]).
  package init(
    database: Database, ambient: Ambient, seal: Seal, events: Outbox, endedSessions: EndedSessions,
    timetable: ReminderTimetable, keyring: SigningKeyring
  ) {
    self.database = database
    self.keyring = keyring
    self.timetable = timetable
    self.ambient = ambient
    self.endedSessions = endedSessions
    departures = Departures(endedSessions: endedSessions, events: events, clock: ambient.clock)
    log = SecurityLog(ambient: ambient)
    pages = Pages(seal: seal, clock: ambient.clock)
    replays = Replays(database: database, seal: seal, clock: ambient.clock)
  }
}

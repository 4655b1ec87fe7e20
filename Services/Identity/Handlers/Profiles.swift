import Ambient
import Cryptography
import Idempotency
import IdentityStore
import Pagination
import Postgres
import ProtobufC
import TandemIdentity
import TTRPC

/// What people tell others about themselves; a file for each method.
package struct Profiles: ProfilesService {
  let database: Database
  let clock: any WallClock
  let timeZones: TimeZones
  let timetable: ReminderTimetable
  let replays: Replays
  let pages: Pages

  /// Handlers over `database`.
  ///
  /// - Parameter seal: for page tokens and for the answers that are kept to be repeated ([C-4], [C-5]).
  package init(
    database: Database, clock: any WallClock, seal: Seal, timeZones: TimeZones, timetable: ReminderTimetable
  ) {
    self.database = database
    self.clock = clock
    self.timeZones = timeZones
    self.timetable = timetable
    replays = Replays(database: database, seal: seal, clock: clock)
    pages = Pages(seal: seal, clock: clock)
  }
}

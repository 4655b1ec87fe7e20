import Environment
import Cryptography
import Idempotency
import IdentityStore
import Pagination
import Pictures
import Postgres
import ProtobufC
import TandemIdentity
import TTRPC

/// Profiles of users; one file for each method.
package struct Profiles: ProfilesService {
  let database: Database
  let clock: any WallClock
  let timeZones: TimeZones
  let reminders: ReminderScheduler
  let idempotency: IdempotencyStore
  let environment: Environment
  let uploads: PictureUploads
  let pictures: PictureStore
  let pages: Pages

  /// - Parameter seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  package init(
    database: Database, environment: Environment, seal: Seal, timeZones: TimeZones, reminders: ReminderScheduler,
    uploads: PictureUploads
  ) {
    self.database = database
    self.environment = environment
    clock = environment.clock
    self.timeZones = timeZones
    self.reminders = reminders
    self.uploads = uploads
    idempotency = IdempotencyStore(database: database, seal: seal, clock: clock)
    pages = Pages(seal: seal, clock: clock)
    pictures = PictureStore(database: database)
  }
}

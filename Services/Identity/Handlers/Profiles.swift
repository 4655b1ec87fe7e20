import Environment
import Cryptography
import Events
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Pagination
import Pictures
import Postgres
import ProtobufC
import TandemEvents
import TandemIdentity
import Timestamps
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
  let events: Outbox

  /// - Parameter seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  package init(
    database: Database, environment: Environment, seal: Seal, timeZones: TimeZones, reminders: ReminderScheduler,
    uploads: PictureUploads, events: Outbox
  ) {
    self.database = database
    self.environment = environment
    clock = environment.clock
    self.timeZones = timeZones
    self.reminders = reminders
    self.uploads = uploads
    self.events = events
    idempotency = IdempotencyStore(database: database, seal: seal, clock: clock)
    pages = Pages(seal: seal, clock: clock)
    pictures = PictureStore(database: database)
  }

  /// Publishes what training sessions are matched by ([MA-3]).
  func publishTraits(of user: UserID, _ fields: ProfileFields, _ tx: Transaction) async throws {
    try await events.publish(
      ProfileChanged(
        userID: user.description, gender: fields.gender.wire.rawValue, level: fields.level.wire.rawValue,
        updateTime: clock.now.timestamp), in: tx)
  }
}

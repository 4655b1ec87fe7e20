import Cryptography
import Environment
import Events
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Pagination
import Pictures
import Postgres
import ProtobufC
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps

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

  /// Replaces the fields of the caller's profile, which the transaction has locked, with all that follows from it.
  func replace(_ stored: StoredProfile, by fields: ProfileFields, _ tx: Transaction) async throws -> Profile {
    let owner = stored.userID
    guard fields != stored.fields else { return Profile(stored) }
    guard let changed = try await tx.first(ReplaceProfile(fields, userID: owner, now: clock.now)) else {
      throw Status.notAUser
    }
    if let gym = fields.gym, gym.gender != stored.fields.gym?.gender || gym.level != stored.fields.gym?.level {
      try await publishTraits(of: owner, gym, tx)
    }
    if fields.timeZone != stored.fields.timeZone {
      try await reminders.clear(owner, in: tx)
      try await reminders.renew(owner, in: tx)
    }
    return Profile(changed)
  }

  /// Publishes what training sessions are matched by ([MA-3]).
  private func publishTraits(of user: UserID, _ gym: GymProfile, _ tx: Transaction) async throws {
    try await events.publish(
      ProfileChanged(
        userID: user.description, gender: gym.gender.wire.rawValue, level: gym.level.wire.rawValue,
        updateTime: clock.now.timestamp), in: tx)
  }
}

import Environment
import Identifiers
import Logging
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

/// Users who browse, post and join: their gender, level and bars.
///
/// Identity's events keep the profiles current. One that is not known, because it was created a moment ago or events were missed, is looked up.
struct Applicants: Sendable {
  private let database: Database
  private let clock: any WallClock
  private let identity: (any RPCChannel)?
  private let logger: Logger

  /// Short, as the caller waits for the answer.
  private static let timeout = Duration.seconds(3)

  init(database: Database, clock: any WallClock, identity: (any RPCChannel)?, logger: Logger) {
    self.database = database
    self.clock = clock
    self.identity = identity
    self.logger = logger
  }

  /// What is known of a user. Call it outside of transactions.
  ///
  /// - Throws: `gymProfileMissing` if the profile has no gym part; UNAVAILABLE if it is unknown here and identity does not answer.
  func applicant(_ user: UserID) async throws -> Applicant {
    let known = try await database.first(KnownProfile(now: clock.now, userID: user))
    guard known?.deleted != true else { throw Status.notAUser }
    if let gender = known?.gender, let level = known?.level {
      return Applicant(id: user, gender: gender, level: level, barredUntil: known?.barEndsAt)
    }
    let traits = try await lookUp(user)
    return Applicant(id: user, gender: traits.gender, level: traits.level, barredUntil: known?.barEndsAt)
  }

  /// The user as of the transaction, which holds a lock on the user's row until it ends: so the user's own requests wait for each other.
  func locked(_ user: Applicant, _ tx: Transaction) async throws -> Applicant {
    user.updated(by: try await tx.enter(user.id, at: clock.now))
  }

  private func lookUp(_ user: UserID) async throws -> (gender: Gender, level: Level) {
    guard let identity else { throw Status.identityUnavailable }
    let found: [Traits]
    do {
      let call = FindTraitsRequest(userIds: [user.description])
      found = try await DirectoryClient(identity).findTraits(call, CallOptions(timeout: Self.timeout)).traits
    } catch let status as Status {
      logger.warning("the lookup of a profile failed", metadata: ["cause": "\(status)"])
      throw Status.identityUnavailable
    }
    guard let traits = found.first, let gender = Gender(traits.gender),
      let level = Level(traits.level)
    else { throw SessionRefusal.gymProfileMissing }
    let time = try traits.updateTime.map { try Instant(wire: $0) } ?? clock.now
    try await database.write(PutProfiles(userIDs: [user], genders: [gender], levels: [level], times: [time]))
    return (gender, level)
  }
}

extension Applicant {
  /// The user as of the transaction that has locked the row.
  func updated(by row: LockedMember.Row) -> Applicant {
    Applicant(id: id, gender: row.gender ?? gender, level: row.level ?? level, barredUntil: row.barEndsAt)
  }
}

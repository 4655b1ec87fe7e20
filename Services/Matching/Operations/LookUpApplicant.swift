import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

extension SessionOperations {
  /// Short, as the caller waits for the answer.
  private static let timeout = Duration.seconds(3)

  /// What is known of a user who browses, posts or joins: gender, level and bars. Call it outside of transactions.
  ///
  /// Identity's events keep the profiles current. One that is not known, because it was created a moment ago or events were missed, is looked
  /// up.
  ///
  /// - Throws: `gymProfileMissing` if the profile has no gym part; `identityUnavailable` if it is unknown here and identity does not answer.
  package func lookUpApplicant(_ user: UserID) async throws -> Applicant {
    let known = try await database.first(KnownProfile(now: environment.clock.now, userID: user))
    guard known?.deleted != true else { throw MatchingFailure.noAccount }
    if let gender = known?.gender, let level = known?.level {
      return Applicant(id: user, gender: gender, level: level, barredUntil: known?.barEndsAt)
    }
    let traits = try await lookUpTraits(of: user)
    return Applicant(id: user, gender: traits.gender, level: traits.level, barredUntil: known?.barEndsAt)
  }

  private func lookUpTraits(
    of user: UserID
  ) async throws -> (gender: MatchingDomain.Gender, level: MatchingDomain.Level) {
    guard let identity else { throw MatchingFailure.identityUnavailable }
    let found: [Traits]
    do {
      let call = FindTraitsRequest(userIds: [user.description])
      found = try await DirectoryClient(identity).findTraits(call, CallOptions(timeout: Self.timeout)).traits
    } catch let status as Status {
      logger.warning("the lookup of a profile failed", metadata: ["cause": "\(status)"])
      throw MatchingFailure.identityUnavailable
    }
    guard let traits = found.first, let gender = MatchingDomain.Gender(traits.gender),
      let level = MatchingDomain.Level(traits.level)
    else { throw SessionRefusal.gymProfileMissing }
    let time = try traits.updateTime.map { try Instant(wire: $0) } ?? environment.clock.now
    try await database.write(PutProfiles(userIDs: [user], genders: [gender], levels: [level], times: [time]))
    return (gender, level)
  }
}

import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Makes a link to a journey of a user that is under way ([TR-14]).
  ///
  /// - Parameter hash: of the link's secret, which is not stored.
  package func createShare(
    of journey: JourneyID, by user: UserID, hash: [UInt8], at now: Instant, until end: Instant, _ tx: Transaction
  ) async throws -> ShareID {
    guard try await tx.first(OpenJourneyOf(journeyID: journey, userID: user)) != nil else {
      throw JourneyRefusal.noSuchJourney
    }
    let share = CreateShare(
      shareID: environment.newID(), journeyID: journey, tokenHash: hash, now: now, expiresAt: end,
      limit: Int64(ShareRefusal.maxShares))
    guard let made = try await tx.first(share) else { throw ShareRefusal.tooManyShares }
    return made
  }
}

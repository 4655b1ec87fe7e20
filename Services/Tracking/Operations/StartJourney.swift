import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Starts a journey that some of a user's groups see ([TR-6]).
  ///
  /// - Parameter mode: `nil` if the user does not say.
  package func startJourney(
    _ plan: JourneyPlan, by mode: TravelMode?, seenBy groups: [GroupID], of user: UserID, at now: Instant,
    _ tx: Transaction
  ) async throws -> JourneySeenBy.Row {
    let id = try await change(user, tx) { tracker in
      try tracker.checkMember(of: groups)
      let id: JourneyID = environment.newID()
      try tracker.start(OpenJourney(id, startedAt: now, plan: plan), seenBy: Set(groups))
      try await countJourney(of: user, tx)
      try await tx.execute(
        InsertJourney(
          journeyID: id, userID: user, journeyKind: .journey, startedAt: now, latitude: plan.destination.latitude,
          longitude: plan.destination.longitude, arrivalAt: plan.arrivalAt, mode: mode, groupIDs: groups))
      return id
    }
    return try await journey(id, of: user, tx)
  }

  /// Counts a journey that a user, whose row the transaction has locked, starts.
  ///
  /// - Throws: the refusal of a user who has started too many lately.
  private func countJourney(of user: UserID, _ tx: Transaction) async throws {
    let now = environment.clock.now
    let counted = try await tx.rows(CountNews([(user, NewsCounts(journeys: 1))], at: now))
    if let hour = counted.first, let wait = NewsLimits.wait(hour.journeys, since: hour.beganAt, at: now) {
      throw JourneyRefusal.tooManyJourneys(wait: wait)
    }
  }
}

import TTRPC
import TandemTracking
import TrackingDomain

extension Journeys {
  /// Ends the caller's journey before its destination ([TR-6]).
  package func stopJourney(_ call: StopJourneyRequest, _ context: CallContext) async throws -> Journey {
    try await change(call, context.requestKey(of: call), of: context.userID) { tracker, _ in
      guard let id = tracker.journey?.id else { throw MemberRefusal.notOnAJourney }
      try tracker.stopJourney(at: environment.clock.now)
      return id
    }
  }
}

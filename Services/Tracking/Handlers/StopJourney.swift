import FieldViolations
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Journeys {
  /// Ends the caller's journey before its destination, for all groups or for some ([TR-6]).
  package func stopJourney(_ call: StopJourneyRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    var bad = Violations()
    let key = context.requestKey(bad.requestID(call.requestID))
    let named = call.groupIds.isEmpty ? [] : bad.groupIDs(call.groupIds) ?? []
    try bad.check()
    return try await change(call, key, of: user) { tracker, tx in
      guard let journey = tracker.journey, journey.plan != nil else { throw MemberRefusal.notOnAJourney }
      let seeing = Set(tracker.groups.filter(\.status.isOnJourney).map(\.groupID))
      guard seeing.isSuperset(of: named) else { throw Status.noSuchGroup }
      try tracker.stopJourney(for: named.isEmpty ? nil : Set(named), at: environment.clock.now)
      if tracker.journey != nil { try await tx.execute(HideJourney(userID: user, groupIDs: named)) }
      return Step(journey.id)
    }
  }
}

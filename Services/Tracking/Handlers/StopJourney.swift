import FieldViolations
import Idempotency
import TTRPC
import TandemTracking
import TrackingOperations

extension Journeys {
  /// Ends the caller's journey before its destination, for all groups or for some ([TR-6]).
  package func stopJourney(_ call: StopJourneyRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    var bad = Violations()
    let key = context.requestKey(bad.requestID(call.requestID))
    let named = call.groupIds.isEmpty ? [] : bad.groupIDs(call.groupIds) ?? []
    try bad.check()
    return try await idempotency.execute(call, key) { tx in
      Journey(try await operations.stopJourney(for: named, of: user, tx), by: user)
    }
  }
}

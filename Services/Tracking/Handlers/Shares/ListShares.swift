import FieldViolations
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension JourneyShares {
  /// Lists the links to a journey of the caller.
  package func listShares(_ call: ListSharesRequest, _ context: CallContext) async throws -> ListSharesResponse {
    let user = try context.userID
    var bad = Violations()
    let journey = bad.journeyID(call.journeyID)
    let found = try await database.rows(
      SharesOfJourney(journeyID: try bad.all(journey), userID: user, now: environment.clock.now))
    return ListSharesResponse(
      shares: found.map {
        JourneyShare($0.shareID, of: $0.journeyID, createdAt: $0.createdAt, expiresAt: $0.expiresAt)
      })
  }
}

import FieldViolations
import Identifiers
import Pagination
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Places {
  /// A page of the caller's places, the newest first ([C-5]).
  package func listPlaces(_ call: ListPlacesRequest, _ context: CallContext) async throws -> ListPlacesResponse {
    let user = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: PlaceID.self)
    try bad.check()
    let found = try await database.rows(PlacesOf(userID: user, before: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.place.id }
    return ListPlacesResponse(places: shown.map { NamedPlace($0.place, told: $0.groupIDs) }, nextPageToken: next)
  }
}

import FieldViolations
import Geography
import Identifiers
import MatchingStore
import TTRPC
import TandemMatching

extension Partners {
  /// A user on the map ([MA-13]).
  package func getPartner(_ call: GetPartnerRequest, _ context: CallContext) async throws -> Partner {
    let viewer = try context.userID
    var bad = Violations()
    let named = bad.partnerID(call.userID)
    var center: GeoPoint?
    if let point = call.point { center = bad.point(point) }
    let id = try bad.all(named)
    guard let stored = try await database.first(PartnerOnMap(userID: id, viewerID: viewer)),
      let partner = try await shown([stored], to: viewer, from: center).first
    else { throw Status.noSuchPartner }
    return partner
  }
}

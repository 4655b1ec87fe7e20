import FieldViolations
import Geography
import Identifiers
import MatchingDomain
import MatchingStore
import Pagination
import TTRPC
import TandemMatching

extension Partners {
  /// The length of the list: nobody reads on, and a page makes the database skip those before it.
  private static let maxPartners: Int64 = 1_000
  private static let defaultRadius = Metres(10_000)
  private static let maxRadius = Metres(100_000)

  /// A page of the users around a point, by their cells ([MA-13], [C-5]).
  package func findPartners(_ call: FindPartnersRequest, _ context: CallContext) async throws -> FindPartnersResponse {
    let viewer = try context.userID
    var bad = Violations()
    let point = bad.point(call.point)
    let radius = bad.require(
      "radius_m", Self.radius(call.radiusM), "A radius is 0 to 100,000 metres", MatchingReason.radiusInvalid)
    // The number of users listed before, and the last of them.
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, UserID.self)
    let (center, within) = try bad.all(point, radius)
    let before = page.after?.0 ?? 0
    let found = try await database.rows(
      PartnersNear(
        around: center, within: within,
        focuses: Violations.unique(call.focuses.compactMap { Focus($0) }),
        levels: Violations.unique(call.levels.compactMap { Level($0) }), for: viewer,
        after: page.after.map { ($0.1, $0.2) }, limit: min(page.limit, Self.maxPartners - before)))
    let (rows, next) = try page.cut(found) { (before + Int64(page.size), $0.chord, $0.partner.id) }
    return FindPartnersResponse(
      partners: try await shown(rows.map(\.partner), to: viewer, from: center), nextPageToken: next)
  }

  private static func radius(_ radius: Double) -> Metres? {
    guard (0...maxRadius.value).contains(radius) else { return nil }
    return radius == 0 ? defaultRadius : Metres(radius)
  }
}

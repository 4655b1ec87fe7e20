import CatalogDomain
import CatalogStore
import FieldViolations
import Geography
import Pagination
import TTRPC
import TandemCatalog

extension Gyms {
  /// The length of the list: a page makes the database skip those before it, and users do not read that far ([CA-1]).
  private static let maxGyms: Int64 = 10_000

  /// A page of the gyms around a point, the nearest first ([CA-1], [C-5]).
  package func findNearestGyms(
    _ call: FindNearestGymsRequest, _ context: CallContext
  ) async throws -> FindNearestGymsResponse {
    var bad = Violations()
    let point = Self.point(call.point, &bad)
    let radius = Self.radius(call.radiusM, &bad)
    // The number of gyms listed before, and the last of them.
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, GymID.self)
    let (center, within) = try bad.all(point, radius)
    let before = page.after?.0 ?? 0
    let nearest = NearestGyms(
      around: center, within: within, after: page.after.map { ($0.1, $0.2) },
      limit: min(page.limit, Self.maxGyms - before), now: environment.clock.now)
    let found = try await database.rows(nearest)
    let (rows, next) = try page.cut(found) { (before + Int64(page.size), $0.chord, $0.gym.id) }
    let gyms = zip(try await shown(rows.map(\.gym)), rows).map { gym, row in
      NearbyGym(gym: gym, distanceM: GeoPoint.distance(ofChord: row.chord).value)
    }
    return FindNearestGymsResponse(gyms: gyms, nextPageToken: next)
  }

  private static func point(_ point: Point?, _ bad: inout Violations) -> GeoPoint? {
    guard let point else {
      bad.add("point", "The point is missing", CatalogReason.pointRequired)
      return nil
    }
    return bad.require(
      "point", GeoPoint(latitude: point.latitude, longitude: point.longitude),
      "A latitude is between -90 and 90 degrees, a longitude between -180 and 180", CatalogReason.pointInvalid)
  }

  /// - Parameter radius: 0 for the whole Earth.
  private static func radius(_ radius: Double, _ bad: inout Violations) -> Metres? {
    let isOne = radius >= 0
    return bad.require(
      "radius_m", isOne ? (radius == 0 ? GeoPoint.farthest : Metres(radius)) : nil, "A radius is not negative",
      CatalogReason.radiusInvalid)
  }
}

import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Geography
import Identifiers
import Pagination
import TTRPC
import TandemCatalog

extension Gyms {
  /// A page of the gyms in which every keyword occurs, or of those with similar words if there are none ([CA-2], [C-7]).
  package func searchGyms(_ call: SearchGymsRequest, _ context: CallContext) async throws -> SearchGymsResponse {
    let user = try context.userID
    var bad = Violations()
    let keywords = bad.query(call.query, "query") { text throws(SearchQuery.Refusal) in try GymKeywords(text) }
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, GymID.self)
    let origin = try await origin(of: call, for: user, &bad)
    let (wanted, now) = (try bad.all(keywords), environment.clock.now)
    let (found, step) = try await turns.run(for: user) {
      try await operations.searchGyms(for: wanted, around: origin, after: page.after, limit: page.limit, at: now)
    }
    let (rows, next) = try page.cut(found) { (step.rawValue, $0.score, $0.gym.id) }
    return SearchGymsResponse(
      gyms: try await shown(rows.map(\.gym)),
      distancesM: origin == nil ? [] : rows.map { GeoPoint.distance(ofChord: $0.score).value },
      match: rows.isEmpty ? .unspecified : step.wire,
      notice: rows.isEmpty ? GymQuery.emptyNotice : "", nextPageToken: next)
  }
}

extension Gyms {
  /// The point that distances are measured from; `nil` without one, and for an invalid one, to which it adds a violation.
  private func origin(
    of call: SearchGymsRequest, for user: UserID, _ bad: inout Violations
  ) async throws -> GeoPoint? {
    if let point = call.point {
      if !call.near.isEmpty {
        bad.add("near", "Give a point or a place, not both", CatalogReason.placeUnknown)
      }
      return bad.require(
        "point", GeoPoint(latitude: point.latitude, longitude: point.longitude),
        "A latitude is between -90 and 90 degrees, a longitude between -180 and 180", CatalogReason.pointInvalid)
    }
    guard !call.near.isEmpty else { return nil }
    var origin: GeoPoint?
    if let place = CatalogDomain.GymPlace(call.near) {
      origin = try await turns.run(for: user) { try await operations.middle(of: place) }
      if origin == nil { origin = try await operations.town(named: call.near) }
    }
    return bad.require("near", origin, "No gym or town is known by this", CatalogReason.placeUnknown)
  }
}

extension GymOperations.Step {
  var wire: GymMatch {
    switch self {
    case .exact: .exact
    case .similar: .similar
    }
  }
}

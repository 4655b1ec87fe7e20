import Cryptography
import Environment
import FieldViolations
import Geography
import Idempotency
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching

/// Users who look for a partner, on a map ([MA-13]); each method is in its own file.
package struct Partners: PartnersService {
  let operations: PartnerOperations
  let database: Database
  let pages: Pages
  let idempotency: IdempotencyStore

  /// - Parameter seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  package init(operations: PartnerOperations, database: Database, environment: Environment, seal: Seal) {
    self.operations = operations
    self.database = database
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// Users as the viewer sees them: everyone by their cell, and the viewer's friends by their position too.
  ///
  /// - Parameter center: where distances are measured from; `nil` for none.
  func shown(_ found: [StoredPartner], to viewer: UserID, from center: GeoPoint?) async throws -> [Partner] {
    let positions = try await operations.locateFriends(among: found.map(\.id), of: viewer)
    let exact = Dictionary(positions.map { ($0.userID, $0) }) { first, _ in first }
    return found.map { Partner($0, exact[$0.id], from: center) }
  }
}

extension Partner {
  /// - Parameter exact: set only for a friend of the viewer.
  fileprivate init(_ stored: StoredPartner, _ exact: PositionsOf.Row?, from center: GeoPoint?) {
    let cell = stored.cell.center
    self.init(
      userID: stored.id.description, username: stored.username, focus: stored.focus.wire, level: stored.level.wire,
      cellPoint: Point(cell), cellDistanceM: center?.distance(to: cell).value ?? 0,
      exact: exact.flatMap { ExactPosition($0, from: center) })
  }
}

extension ExactPosition {
  fileprivate init?(_ row: PositionsOf.Row, from center: GeoPoint?) {
    guard let point = row.point else { return nil }
    self.init(
      point: Point(point), accuracyM: row.accuracyM, distanceM: center?.distance(to: point).value ?? 0)
  }
}

extension TandemMatching.Point {
  init(_ point: GeoPoint) { self.init(latitude: point.latitude, longitude: point.longitude) }
}

extension Violations {
  /// Parses a point, which must be there, from the field of that name.
  mutating func partnerPoint(_ point: TandemMatching.Point?, _ field: String) -> GeoPoint? {
    guard let point else {
      add(field, "Say where it is", MatchingReason.pointRequired)
      return nil
    }
    return require(
      field, GeoPoint(latitude: point.latitude, longitude: point.longitude), "This is not a point on the Earth",
      MatchingReason.pointInvalid)
  }

  /// Parses the id of a user from the field `user_id`.
  mutating func partnerID(_ text: String) -> UserID? {
    require("user_id", UserID(text), "This is not the id of a user", MatchingReason.userIDInvalid)
  }
}

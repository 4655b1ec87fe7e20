import Environment
import FieldViolations
import Idempotency
import Identifiers
import Pagination
import Postgres
import TTRPC
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingStore

/// Places that users name; each method is in its own file.
package struct Places: PlacesService {
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let trackers: Trackers
  let pages: Pages

  package init(
    database: Database, environment: Environment, idempotency: IdempotencyStore, trackers: Trackers, pages: Pages
  ) {
    self.database = database
    self.environment = environment
    self.idempotency = idempotency
    self.trackers = trackers
    self.pages = pages
  }

  /// Stores which groups are told of a place; none of the memberships ends meanwhile.
  func setGroups(_ groups: [GroupID], of place: PlaceID, _ user: UserID, _ tx: Transaction) async throws {
    let held = try await tx.rows(HoldMemberships(userID: user, groupIDs: groups))
    guard held.count == groups.count else { throw Status.noSuchGroup }
    _ = try await tx.rows(
      DropPlaceGroups(placeID: place, groupIDs: groups), AddPlaceGroups(placeID: place, userID: user, groupIDs: groups))
  }

  /// A place of a user whose row the transaction has locked, unless it was changed since the user read it.
  func locked(_ id: PlaceID, of user: UserID, etag: String, _ tx: Transaction) async throws -> PlaceOf.Row {
    guard try await trackers.locked(user, tx) != nil else { throw Status.notAUser }
    guard let row = try await tx.first(PlaceOf(placeID: id, userID: user)) else { throw Status.noSuchPlace }
    guard etag.isEmpty || etag == row.place.etag else { throw Status.placeEtagMismatch }
    return row
  }

  /// A place as its user sees it.
  func stored(_ id: PlaceID, of user: UserID, _ tx: Transaction) async throws -> NamedPlace {
    guard let row = try await tx.first(PlaceOf(placeID: id, userID: user)) else { throw Status.noSuchPlace }
    return NamedPlace(row.place, told: row.groupIDs)
  }
}

extension StoredPlace {
  /// Another one after each change.
  var etag: String { "\(revision)" }
}

extension NamedPlace {
  init(_ stored: StoredPlace, told groups: [GroupID]) {
    self.init(
      placeID: stored.id.description, name: stored.name,
      point: Place(latitude: stored.latitude, longitude: stored.longitude), radiusM: stored.radiusM,
      groupIds: groups.map(\.description), createTime: stored.createdAt.timestamp, etag: stored.etag)
  }
}

extension Violations {
  mutating func placeID(_ text: String, _ field: String = "place_id") -> PlaceID? {
    require(field, PlaceID(text), "This is not the id of a place", TrackingReason.placeIDInvalid)
  }
}

extension Status {
  static let noSuchPlace = Status(TrackingReason.placeNotFound, "You have no such place")

  static let placeEtagMismatch = Status(
    TrackingReason.etagMismatch, "The place was changed meanwhile; read it again and repeat the change")

  static let tooManyPlaces = Status(
    TrackingReason.tooManyPlaces, "You have \(Geofence.most) places; delete one first")
}

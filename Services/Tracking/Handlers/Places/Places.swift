import FieldViolations
import Idempotency
import Identifiers
import Pagination
import Postgres
import TTRPC
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingOperations
import TrackingStore

/// Places that users name; each method is in its own file.
package struct Places: PlacesService {
  let operations: TrackerOperations
  let database: Database
  let idempotency: IdempotencyStore
  let pages: Pages

  package init(operations: TrackerOperations, database: Database, idempotency: IdempotencyStore, pages: Pages) {
    self.operations = operations
    self.database = database
    self.idempotency = idempotency
    self.pages = pages
  }
}

extension NamedPlace {
  /// The etag of a request; `nil` where it has none.
  static func known(_ etag: String) -> String? { etag.isEmpty ? nil : etag }

  init(_ row: PlaceOf.Row) { self.init(row.place, told: row.groupIDs) }

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

import Geography
import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

/// What changes of a place; what is `nil` stays.
package struct PlaceChange: Sendable {
  let name: PlaceName?
  let centre: GeoPoint?
  let radius: Metres?
  let groups: [GroupID]?

  package init(name: PlaceName?, centre: GeoPoint?, radius: Metres?, groups: [GroupID]?) {
    (self.name, self.centre, self.radius, self.groups) = (name, centre, radius, groups)
  }
}

extension TrackerOperations {
  /// Changes a place of a user ([TR-15]).
  ///
  /// - Parameter etag: that of the place as the user read it; `nil` if that does not matter.
  package func updatePlace(
    _ id: PlaceID, of user: UserID, readAs etag: String?, _ change: PlaceChange, _ tx: Transaction
  ) async throws -> PlaceOf.Row {
    let old = try await lockedPlace(id, of: user, readAs: etag, tx)
    try await tx.execute(ChangePlace(old, change, now: environment.clock.now))
    if let groups = change.groups { try await setGroups(groups, of: id, user, tx) }
    return try await place(id, of: user, tx)
  }
}

extension ChangePlace {
  fileprivate init(_ old: StoredPlace, _ change: PlaceChange, now: Instant) {
    let (latitude, longitude) = (change.centre?.latitude ?? old.latitude, change.centre?.longitude ?? old.longitude)
    let radius = change.radius?.value ?? old.radiusM
    self.init(
      placeID: old.id, isMoved: latitude != old.latitude || longitude != old.longitude || radius != old.radiusM,
      name: change.name?.text ?? old.name, latitude: latitude, longitude: longitude, radiusM: radius, now: now)
  }
}

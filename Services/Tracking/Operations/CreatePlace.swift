import Geography
import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

extension TrackerOperations {
  /// Creates a place of a user, with the groups that are told of it ([TR-15]).
  package func createPlace(
    named name: PlaceName, around centre: GeoPoint, within radius: Metres, telling groups: [GroupID],
    of user: UserID, _ tx: Transaction
  ) async throws -> PlaceOf.Row {
    guard try await trackers.locked(user, tx) != nil else { throw TrackingFailure.noAccount }
    guard try await tx.first(CountPlace(userID: user, limit: Int32(Geofence.maxOfUser))) != nil else {
      throw PlaceRefusal.tooManyPlaces
    }
    let id: PlaceID = environment.newID()
    try await tx.execute(
      InsertPlace(
        placeID: id, userID: user, name: name.text, latitude: centre.latitude, longitude: centre.longitude,
        radiusM: radius.value, now: environment.clock.now))
    try await setGroups(groups, of: id, user, tx)
    return try await place(id, of: user, tx)
  }
}

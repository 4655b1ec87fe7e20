import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Places {
  /// Creates a place of the caller.
  package func createPlace(_ call: CreatePlaceRequest, _ context: CallContext) async throws -> NamedPlace {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let draft = PlaceDraft(call.place ?? NamedPlace(), Set(PlaceDraft.Field.allCases), &bad)
    let (name, centre, radius, groups) = try bad.all(draft.name, draft.centre, draft.radius, draft.groups)
    let id: PlaceID = environment.newID()
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      guard try await trackers.locked(user, tx) != nil else { throw Status.notAUser }
      guard try await tx.first(CountPlace(userID: user, limit: Int32(Geofence.most))) != nil else {
        throw Status.tooManyPlaces
      }
      try await tx.execute(
        InsertPlace(
          placeID: id, userID: user, name: name.text, latitude: centre.latitude, longitude: centre.longitude,
          radiusM: radius.value, now: environment.clock.now))
      try await setGroups(groups, of: id, user, tx)
      return try await stored(id, of: user, tx)
    }
  }
}

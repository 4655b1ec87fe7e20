import FieldMasks
import FieldViolations
import Idempotency
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations

extension Places {
  /// Changes a place of the caller.
  package func updatePlace(_ call: UpdatePlaceRequest, _ context: CallContext) async throws -> NamedPlace {
    let user = try context.userID
    let new = call.place ?? NamedPlace()
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let fields: Set<PlaceDraft.Field> = bad.fields(
      named: call.updateMask, immutable: PlaceDraft.immutablePaths, otherwise: Set(PlaceDraft.Field.allCases))
    let placeID = bad.placeID(new.placeID, "place.place_id")
    let draft = PlaceDraft(new, fields, &bad)
    let id = try bad.all(placeID)
    let change = PlaceChange(name: draft.name, centre: draft.centre, radius: draft.radius, groups: draft.groups)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      NamedPlace(try await operations.updatePlace(id, of: user, readAs: NamedPlace.known(new.etag), change, tx))
    }
  }
}

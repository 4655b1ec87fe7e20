import FieldMasks
import FieldViolations
import Geography
import Idempotency
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

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
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let old = try await locked(id, of: user, etag: new.etag, tx).place
      try await tx.execute(ChangePlace(old, draft, now: environment.clock.now))
      if let groups = draft.groups { try await setGroups(groups, of: id, user, tx) }
      return try await stored(id, of: user, tx)
    }
  }
}

extension ChangePlace {
  fileprivate init(_ old: StoredPlace, _ draft: PlaceDraft, now: Instant) {
    let (latitude, longitude) = (draft.centre?.latitude ?? old.latitude, draft.centre?.longitude ?? old.longitude)
    let radius = draft.radius?.value ?? old.radiusM
    self.init(
      placeID: old.id, isMoved: latitude != old.latitude || longitude != old.longitude || radius != old.radiusM,
      name: draft.name?.text ?? old.name, latitude: latitude, longitude: longitude, radiusM: radius, now: now)
  }
}

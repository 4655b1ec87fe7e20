import FieldViolations
import Idempotency
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations

extension Places {
  /// Creates a place of the caller.
  package func createPlace(_ call: CreatePlaceRequest, _ context: CallContext) async throws -> NamedPlace {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let draft = PlaceDraft(call.place ?? NamedPlace(), Set(PlaceDraft.Field.allCases), &bad)
    let (name, centre, radius, groups) = try bad.all(draft.name, draft.centre, draft.radius, draft.groups)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      NamedPlace(
        try await operations.createPlace(
          named: name, around: centre, within: radius, telling: groups, of: user, tx))
    }
  }
}

import FieldViolations
import Geography
import Idempotency
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension Partners {
  /// Puts the caller on the map, or moves the caller ([MA-13]).
  package func setPartnerListing(
    _ call: SetPartnerListingRequest, _ context: CallContext
  ) async throws -> PartnerListing {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let draft = try ListingDraft(call.listing ?? PartnerListing(), &bad)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let position = try await operations.setPartnerListing(
        of: user, at: draft.point, accuracy: draft.accuracy, draft.focus, draft.level, tx)
      return PartnerListing(position, draft.focus, draft.level)
    }
  }
}

/// A listing that the caller wants.
private struct ListingDraft: Sendable {
  let point: GeoPoint
  let accuracy: Metres
  let focus: Focus
  let level: Level

  init(_ listing: PartnerListing, _ bad: inout Violations) throws {
    let point = bad.partnerPoint(listing.point, "listing.point")
    let accuracy = bad.require(
      "listing.accuracy_m", PartnerPosition.accepts(accuracy: listing.accuracyM) ? Metres(listing.accuracyM) : nil,
      "An accuracy is 0 to 500 metres", MatchingReason.accuracyInvalid)
    let focus = bad.require(
      "listing.focus", Focus(listing.focus), "Choose what you want to train", MatchingReason.focusRequired)
    let level = bad.require(
      "listing.level", Level(listing.level), "Choose your level", MatchingReason.levelRequired)
    (self.point, self.accuracy, self.focus, self.level) = try bad.all(point, accuracy, focus, level)
  }
}

extension PartnerListing {
  init(_ position: PartnerPosition, _ focus: Focus, _ level: Level) {
    self.init(
      point: Point(position.point), accuracyM: position.accuracy.value, focus: focus.wire, level: level.wire,
      shownPoint: Point(position.cell.center))
  }
}

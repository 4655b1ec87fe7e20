import FieldViolations
import Geography
import Idempotency
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
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
      // Moves of a user wait for each other.
      try await tx.enter(user, at: environment.clock.now)
      let earlier = try await tx.first(LockedListing(userID: user))
      let position = PartnerPosition(draft.point, accuracy: draft.accuracy, after: earlier?.cell)
      let moves = try Self.moves(of: earlier, to: draft.point, shownIn: position.cell, at: environment.clock.now)
      try await tx.execute(PutListing(user, at: position, focus: draft.focus, level: draft.level, moves: moves))
      return PartnerListing(position, draft.focus, draft.level)
    }
  }

  /// What is counted of the user's moves after this one, if it is one.
  private static func moves(
    of earlier: StoredListing?, to point: GeoPoint, shownIn cell: GridCell, at now: Instant
  ) throws(MovedTooOften) -> PartnerMoves {
    // Of a user who left the map the cell alone is known: to come back to it is no move.
    if let earlier, earlier.position.map({ $0.point == point }) ?? (earlier.cell == cell) { return earlier.moves }
    return try PartnerMoves.counted(after: earlier?.moves, at: now)
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

extension MovedTooOften: StatusConvertible {
  public var status: Status {
    Status(MatchingReason.movedTooOften, "You have moved too often today", retryAfter: retryAfter)
  }
}

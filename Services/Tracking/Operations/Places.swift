import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

// What the operations with places have in common.

extension TrackerOperations {
  /// Stores which groups are told of a place; none of the memberships ends meanwhile.
  func setGroups(_ groups: [GroupID], of place: PlaceID, _ user: UserID, _ tx: Transaction) async throws {
    let held = try await tx.rows(HoldMemberships(userID: user, groupIDs: groups))
    guard held.count == groups.count else { throw MemberRefusal.noSuchGroup }
    _ = try await tx.rows(
      DropPlaceGroups(placeID: place, groupIDs: groups), AddPlaceGroups(placeID: place, userID: user, groupIDs: groups))
  }

  /// A place of a user whose row it locks.
  ///
  /// - Parameter etag: that of the place as the user read it; `nil` if that does not matter.
  func lockedPlace(
    _ id: PlaceID, of user: UserID, readAs etag: String?, _ tx: Transaction
  ) async throws -> StoredPlace {
    guard try await trackers.locked(user, tx) != nil else { throw TrackingFailure.noAccount }
    let place = try await place(id, of: user, tx).place
    guard etag == nil || etag == place.etag else { throw PlaceRefusal.changedMeanwhile }
    return place
  }

  /// A place as its user sees it.
  func place(_ id: PlaceID, of user: UserID, _ tx: Transaction) async throws -> PlaceOf.Row {
    guard let row = try await tx.first(PlaceOf(placeID: id, userID: user)) else { throw PlaceRefusal.noSuchPlace }
    return row
  }
}

extension StoredPlace {
  /// Another one after each change.
  package var etag: String { "\(revision)" }
}

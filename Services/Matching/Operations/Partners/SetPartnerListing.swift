import Geography
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension PartnerOperations {
  /// Puts a user on the map, or moves the user ([MA-13]).
  ///
  /// - Returns: where, and in which cell others see the user.
  package func setPartnerListing(
    of user: UserID, at point: GeoPoint, accuracy: Metres, _ focus: Focus, _ level: Level, _ tx: Transaction
  ) async throws -> PartnerPosition {
    // Moves of a user wait for each other.
    try await tx.enter(user, at: environment.clock.now)
    let earlier = try await tx.first(LockedListing(userID: user))
    let position = PartnerPosition(point, accuracy: accuracy, after: earlier?.cell)
    let moves =
      if let earlier, position.isUnmoved(from: earlier.position, lastShownIn: earlier.cell) {
        earlier.moves
      } else {
        try PartnerMoves.counted(after: earlier?.moves, at: environment.clock.now)
      }
    try await tx.execute(PutListing(user, at: position, focus: focus, level: level, moves: moves))
    return position
  }
}

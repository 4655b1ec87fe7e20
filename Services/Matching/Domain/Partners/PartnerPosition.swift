import Geography
import Identifiers

/// The position of a partner who is on the map: what friends see, and what strangers see ([MA-13]).
package struct PartnerPosition: Sendable, Hashable {
  /// Where the user is, for users who have a group in common with them.
  package let point: GeoPoint
  /// Radius of the circle around `point` in which the user is; 0 for a point that was chosen on a map.
  package let accuracy: Metres
  /// All that distance, filter and order are computed from, and all that strangers see.
  package let cell: GridCell

  /// - Parameter earlier: the cell that the user was last shown in, although the user may have been off the map since; `nil` if there is
  ///   none.
  package init(_ point: GeoPoint, accuracy: Metres, after earlier: GridCell?) {
    (self.point, self.accuracy) = (point, accuracy)
    cell = Self.cell(of: point, after: earlier)
  }

  /// A position as it was stored.
  package init(stored point: GeoPoint, accuracy: Metres, cell: GridCell) {
    (self.point, self.accuracy, self.cell) = (point, accuracy, cell)
  }

  /// Whether the user is where they were before, so that nothing moves.
  ///
  /// - Parameters:
  ///   - earlier: `nil` for a user who left the map. Of such a one the cell alone is known: to come back to it is no move.
  ///   - cell: the one that the user was last shown in.
  package func isUnmoved(from earlier: PartnerPosition?, lastShownIn cell: GridCell) -> Bool {
    earlier.map { $0.point == point } ?? (cell == self.cell)
  }

  /// How long the cell of a user who has left the map is kept: a user who left and came back each day would otherwise be shown in a cell anew
  /// each day.
  package static let cellKept: Duration = .seconds(30 * 86_400)

  /// A less accurate fix says little about where the user trains.
  package static let worstAccuracy = Metres(500)

  /// Whether an accuracy can be stored; `false` for what is not a number.
  package static func accepts(accuracy: Double) -> Bool { (0...worstAccuracy.value).contains(accuracy) }

  /// The cell in which a position is shown: the earlier one, until the position has left that cell and those around it.
  ///
  /// Fixes of one place differ by tens of metres. If each were snapped by itself, a user near an edge would be seen in this cell now and in
  /// that then, and an observer would learn over days that the place is near the edge, or in a corner. The decision depends on cells alone:
  /// when a user appears in a new cell, every point of that cell is as likely as before. (Had it depended on the length of the way, the way
  /// itself would have been told.)
  package static func cell(of point: GeoPoint, after earlier: GridCell?) -> GridCell {
    let present = GridCell(of: point)
    guard let earlier, earlier.isNear(present) else { return present }
    return earlier
  }
}

/// How often a user may move the own position ([MA-13]): an account that walks over the map tells strangers' clients more than a partner has
/// to, and each move is written to a spatial index.
package struct PartnerMoves: Sendable, Hashable {
  /// Moves within a window.
  package static let maxOfDay: Int32 = 20
  /// The window begins with the first move.
  package static let window: Duration = .seconds(86_400)

  package let windowEndsAt: Instant
  /// Within the window.
  package let count: Int32

  package init(windowEndsAt: Instant, count: Int32) { (self.windowEndsAt, self.count) = (windowEndsAt, count) }

  /// Counts a move.
  ///
  /// - Throws: if the user has moved too often within the window.
  package static func counted(after earlier: PartnerMoves?, at now: Instant) throws(MovedTooOften) -> PartnerMoves {
    guard let earlier, now < earlier.windowEndsAt else { return PartnerMoves(windowEndsAt: now + window, count: 1) }
    guard earlier.count < maxOfDay else { throw MovedTooOften(retryAfter: earlier.windowEndsAt - now) }
    return PartnerMoves(windowEndsAt: earlier.windowEndsAt, count: earlier.count + 1)
  }
}

/// A user has moved the own position too often.
package struct MovedTooOften: Error, Hashable {
  /// After this the user may move it again.
  package let retryAfter: Duration

  package init(retryAfter: Duration) { self.retryAfter = retryAfter }
}

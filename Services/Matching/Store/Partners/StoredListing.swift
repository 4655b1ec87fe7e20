import AccountDeletions
import Expiry
import Geography
import Identifiers
import MatchingDomain
import Postgres

/// What is stored of a user's listing, also when the user has left the map ([MA-13]).
package struct StoredListing: Sendable {
  /// `nil` if the user is not on the map.
  package let position: PartnerPosition?
  /// The cell that the user is, or was, shown in.
  package let cell: GridCell
  package let focus: Focus
  package let level: Level
  package let moves: PartnerMoves

  init(_ columns: ListingColumns) throws(ColumnError) {
    cell = try GridCell(stored: columns.cellBand, columns.cellColumn)
    if let latitude = columns.latitude, let longitude = columns.longitude, let accuracy = columns.accuracyM {
      position = PartnerPosition(
        stored: try GeoPoint(stored: latitude, longitude), accuracy: Metres(accuracy), cell: cell)
    } else {
      position = nil
    }
    (focus, level) = (columns.focus, columns.level)
    moves = PartnerMoves(windowEndsAt: columns.windowEndsAt, count: columns.moves)
  }
}

/// A user on the map as strangers see them.
package struct StoredPartner: Sendable {
  package let id: UserID
  package let username: String
  package let cell: GridCell
  package let focus: Focus
  package let level: Level

  init(_ columns: PartnerColumns) throws(ColumnError) {
    (id, username) = (columns.userID, columns.username)
    cell = try GridCell(stored: columns.cellBand, columns.cellColumn)
    (focus, level) = (columns.focus, columns.level)
  }
}

extension GridCell {
  fileprivate init(stored band: Int32, _ column: Int32) throws(ColumnError) {
    guard let cell = GridCell(band: band, column: column) else {
      throw ColumnError("\(band), \(column) is no cell of the grid")
    }
    self = cell
  }
}

extension GeoPoint {
  init(stored latitude: Double, _ longitude: Double) throws(ColumnError) {
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
      throw ColumnError("\(latitude), \(longitude) is no point of the Earth")
    }
    self = point
  }
}

extension PositionsOf.Row {
  /// Where the user is; `nil` for a row without a point on Earth, which the table does not store.
  package var point: GeoPoint? { GeoPoint(latitude: latitude, longitude: longitude) }
}

extension PutListing {
  package init(
    _ user: UserID, at position: PartnerPosition, focus: Focus, level: Level, moves: PartnerMoves
  ) {
    self.init(
      userID: user, latitude: position.point.latitude, longitude: position.point.longitude,
      accuracyM: position.accuracy.value, cellBand: position.cell.band, cellColumn: position.cell.column,
      vector: position.cell.center.vector, focus: focus, level: level, windowEndsAt: moves.windowEndsAt,
      moves: moves.count)
  }
}

extension PartnersNear {
  /// The cube exceeds the ball by six metres, so that rounding excludes nothing.
  private static let margin = 1e-6

  /// - Parameter after: the chord and the id of the last user of the previous page.
  package init(
    around point: GeoPoint, within radius: Metres, focuses: [Focus], levels: [Level], for viewer: UserID,
    after: (chord: Double, id: UserID)?, limit: Int64
  ) {
    let chord = GeoPoint.chord(ofDistance: radius)
    self.init(
      vector: point.vector, cubeSize: chord + Self.margin, maxChord: chord, focuses: focuses, levels: levels,
      viewerID: viewer, afterChord: after?.chord, afterID: after?.id, limit: limit)
  }
}

extension DeleteOldListings: ExpiryStatement {
  package static let kept = PartnerPosition.cellKept
}

extension DeleteListingOfUser: AccountDeletionStatement {
  package static let users = "select user_id from partner_listings"
}

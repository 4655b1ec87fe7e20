import Geography

/// A cell of the fixed grid to which positions of partners are snapped for strangers ([MA-13]).
///
/// The grid has bands of equal height from pole to pole, each cut into columns from the antimeridian eastwards. Towards a pole a band has
/// fewer columns, so that no edge of any cell is shorter than 500 m; the outermost bands are one round cell each. The antimeridian is an
/// edge like every other, because each band has a whole number of columns.
package struct GridCell: Sendable, Hashable {
  /// The least length of a cell's edges.
  package static let edge = Metres(500)

  /// How many bands there are.
  package static let bands = Int64(GeoPoint.farthest.value / edge.value)

  /// Counted from the south pole, from 0.
  package let band: Int32
  /// Counted eastwards from the antimeridian, from 0.
  package let column: Int32

  /// The cell of a point. The same point is in the same cell at all times, on every machine.
  package init(of point: GeoPoint) {
    let fromSouth = (point.latitude + 90) / Self.bandHeight
    band = Int32(min(Self.bands - 1, Int64(fromSouth)))
    let columns = Self.columns(ofBand: band)
    // 180° east is 180° west, and so is what rounding makes of the last point before it.
    column = Int32(Int64((point.longitude + 180) / 360 * Double(columns)) % columns)
  }

  /// A cell as it was stored; `nil` if the grid has no such cell.
  package init?(band: Int32, column: Int32) {
    guard (0..<Self.bands).contains(Int64(band)), (0..<Self.columns(ofBand: band)).contains(Int64(column)) else {
      return nil
    }
    (self.band, self.column) = (band, column)
  }

  /// The middle of the cell: what strangers see of every position in it.
  package var center: GeoPoint {
    let columns = Self.columns(ofBand: band)
    let latitude =
      if columns > 1 { (Double(band) + 0.5) * Self.bandHeight - 90 } else { band == 0 ? -90.0 : 90.0 }
    let longitude = columns > 1 ? (Double(column) + 0.5) * 360 / Double(columns) - 180 : 0
    guard let center = GeoPoint(latitude: latitude, longitude: longitude) else {
      preconditionFailure("a cell of the grid lies on the Earth")
    }
    return center
  }

  /// Whether another cell is this one or around it: in the same band or one next to it, and not farther east or west than half a column.
  ///
  /// So it includes every cell that touches this one; and as the columns of two bands are not in line, those too that a way of less than 250
  /// m from this cell leads to.
  package func isNear(_ other: GridCell) -> Bool {
    guard abs(band - other.band) <= 1 else { return false }
    let (mine, theirs) = (Self.columns(ofBand: band), Self.columns(ofBand: other.band))
    // Longitudes as fractions of the circle, brought to one denominator: column / columns.
    let (west, east) = ((2 * Int64(column) - 1) * theirs, (2 * Int64(column) + 3) * theirs)
    let (otherWest, otherEast) = (2 * Int64(other.column) * mine, (2 * Int64(other.column) + 2) * mine)
    let circle = 2 * mine * theirs
    return [-circle, 0, circle].contains { shift in west <= otherEast + shift && otherWest + shift <= east }
  }

  // MARK: The grid

  /// In degrees of latitude.
  private static let bandHeight = 180 / Double(bands)

  /// How many columns a band has, at least one: as many as leave the edge nearer the pole 500 m.
  private static func columns(ofBand band: Int32) -> Int64 {
    let south = Double(band) * bandHeight - 90
    let poleward = south + bandHeight / 2 > 0 ? south + bandHeight : south
    return max(1, Int64(GeoPoint.lengthOfParallel(at: poleward).value / edge.value))
  }
}

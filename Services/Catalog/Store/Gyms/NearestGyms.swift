import CatalogDomain
import Identifiers
import Postgres

/// A page of the gyms around a point, the nearest first, of those at the same distance by their ids ([CA-1]).
package struct NearestGyms: Statement {
  package struct Row: Sendable {
    package let gym: StoredGym
    /// How far its vector is from the point's.
    package let chord: Double
  }

  /// Where a page begins.
  package struct Position: Sendable {
    let chord: Double
    let id: GymID

    /// Behind the gym of this id at this chord.
    package init(chord: Double, id: GymID) {
      self.chord = chord
      self.id = id
    }
  }

  package static let sql = """
    select \(StoredGym.columns), near.chord
    from nearest_gyms(extensions.cube($1::double precision[]), $2, $3, $4, $5) as near
    join gyms as gym on gym.id = near.id
    \(StoredGym.usage(since: "$6", now: "$7"))
    order by near.chord, near.id
    """
  /// So that rounding does not put the antipode beyond the whole Earth.
  private static let margin = 1e-6

  let point: GeoPoint
  let radius: Metres
  let after: Position?
  let limit: Int64
  let now: Instant

  package init(around point: GeoPoint, within radius: Metres, after: Position?, limit: Int64, now: Instant) {
    self.point = point
    self.radius = radius
    self.after = after
    self.limit = limit
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(point.vector)
    p.append(radius < GeoPoint.farthest ? GeoPoint.chord(ofDistance: radius) : 2 + Self.margin)
    p.append(after?.chord)
    p.append(after?.id)
    p.append(limit)
    p.appendUsage(at: now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(gym: try .decode(row), chord: try row.next())
  }
}

import CatalogDomain
import Geography
import Identifiers
import Postgres

/// A page of the gyms around a point, the nearest first, then by id ([CA-1]).
package struct NearestGyms: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let gym: StoredGym
    /// The distance of its vector from the point's.
    package let chord: Double
  }

  /// The position after which a page begins.
  package struct Position: Sendable {
    let chord: Double
    let id: GymID

    /// After the gym with this id at this chord.
    package init(chord: Double, id: GymID) {
      self.chord = chord
      self.id = id
    }
  }

  // The index returns the gyms by distance, and the scan ends with the last row needed and those at the same distance, among which the ids
  // decide. With a radius only the cube around the ball is scanned. Without one there is no such condition, as the planner would assume it
  // to be selective; one of the two halves is not executed.
  package static let sql = """
    select \(StoredGym.columns), gym.chord
    from (
      (
        \(candidates) where $2 >= 2 and \(isBehind)
        \(order)
      )
      union all
      (
        \(candidates)
        where $2 < 2 and gyms.place operator(extensions.<@) extensions.cube_enlarge(\(here), $3, 3)
          and gyms.place operator(extensions.<->) \(here) <= $2 and \(isBehind)
        \(order)
      )
    ) as gym
    \(StoredGym.usage(since: "$7", now: "$8"))
    order by gym.chord, gym.id
    limit $6::bigint
    """
  private static let candidates = "select gyms.*, gyms.place operator(extensions.<->) \(here) as chord from gyms"
  private static let isBehind =
    "($4::double precision is null or (gyms.place operator(extensions.<->) \(here), gyms.id) > ($4, $5::uuid))"
  private static let order =
    "order by gyms.place operator(extensions.<->) \(here) fetch first ($6::bigint) rows with ties"
  private static let here = "extensions.cube($1::double precision[])"
  /// The cube exceeds the ball by six metres, so that rounding excludes nothing.
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
    // The whole Earth lies within twice the radius of its sphere; rounding must not exclude the antipode.
    let chord = radius < GeoPoint.farthest ? GeoPoint.chord(ofDistance: radius) : 2 + Self.margin
    p.append(point.vector)
    p.append(chord)
    p.append(chord + Self.margin)
    p.append(after?.chord)
    p.append(after?.id)
    p.append(limit)
    p.appendUsage(at: now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(gym: try .decode(row), chord: try row.next())
  }
}

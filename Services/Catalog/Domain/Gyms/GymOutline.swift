public import Geography
import Glibc

/// The outline of a gym's building, as its source draws it ([MA-8]).
public struct GymOutline: Sendable, Hashable {
  /// A closed line of 4 to ``maxPoints`` points; the last is the first.
  public let points: [GeoPoint]

  /// A building is recognised by far fewer.
  public static let maxPoints = 64
  /// How far a building may reach from its point, in metres; a source that says more means a park, or nothing.
  public static let radii = 1.0...500.0
  /// Of longer lines every second, third … point is looked at.
  private static let maxLookedAt = 2_000

  /// The largest of some closed lines: the walls, and not a yard within them; `nil` without a line that encloses anything.
  public init?(ofLargest rings: [[GeoPoint]]) {
    let areas = rings.map { $0.first == $0.last ? Self.area($0) : 0 }
    guard let largest = zip(rings, areas).max(by: { $0.1 < $1.1 }), largest.1 > 0, largest.0.count >= 4 else {
      return nil
    }
    points = Self.simplified(largest.0)
    guard points.count >= 4 else { return nil }
  }

  /// Twice the area in square degrees of the equator, by the shoelace formula.
  private static func area(_ ring: [GeoPoint]) -> Double {
    guard let first = ring.first else { return 0 }
    let corners = ring.map { flat($0, around: first) }
    return abs(zip(corners, corners.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y })
  }

  /// Degrees east and north of a point near by, of the length that they have there.
  private static func flat(_ point: GeoPoint, around origin: GeoPoint) -> (x: Double, y: Double) {
    var east = point.longitude - origin.longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    return (east * cos(origin.latitude * .pi / 180), point.latitude - origin.latitude)
  }

  /// Leaves out the points that change the area least, until few enough are left (Visvalingam and Whyatt 1993).
  private static func simplified(_ ring: [GeoPoint]) -> [GeoPoint] {
    var corners = Array(ring.dropLast())
    guard let origin = corners.first else { return [] }
    let step = (corners.count + maxLookedAt - 1) / maxLookedAt
    if step > 1 { corners = corners.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element) }
    var places = corners.map { flat($0, around: origin) }
    while corners.count > maxPoints - 1 {
      let count = corners.count
      let least = (0..<count).min { weight($0, places) < weight($1, places) } ?? 0
      corners.remove(at: least)
      places.remove(at: least)
    }
    return corners + [corners[0]]
  }

  /// Twice the area of the triangle of a corner and its neighbours.
  private static func weight(_ place: Int, _ places: [(x: Double, y: Double)]) -> Double {
    let count = places.count
    let (before, here, after) = (places[(place + count - 1) % count], places[place], places[(place + 1) % count])
    return abs((here.x - before.x) * (after.y - before.y) - (after.x - before.x) * (here.y - before.y))
  }
}

import Geography
import Glibc

/// How far a gym reaches: the outline of its building, else a circle around its point ([MA-8]).
public struct GymArea: Sendable, Hashable {
  public let point: GeoPoint
  /// Of the building, by its source or an operator; `nil` if neither says so.
  public let radius: Metres?
  /// A closed line of 4 to 64 points; empty if the source has none.
  public let outline: [GeoPoint]

  /// Half a building: who stands at its door is at the gym.
  public static let defaultRadius = Metres(25)
  /// A larger one is no building's.
  public static let maxRadius = Metres(500)
  public static let maxPoints = 64

  /// - Parameter radius: one that is no building's counts as unknown.
  public init(around point: GeoPoint, radius: Metres? = nil, outline: [GeoPoint] = []) {
    self.point = point
    self.radius = radius.flatMap { $0 > Metres(0) && $0 <= Self.maxRadius ? $0 : nil }
    let isClosed = (4...Self.maxPoints).contains(outline.count) && outline.first == outline.last
    self.outline = isClosed ? outline : []
  }

  /// - Parameter outline: latitude and longitude in turn.
  public init(around point: GeoPoint, radius: Metres?, outline numbers: [Double]) {
    let points = stride(from: 0, to: numbers.count - 1, by: 2).compactMap {
      GeoPoint(latitude: numbers[$0], longitude: numbers[$0 + 1])
    }
    self.init(around: point, radius: radius, outline: points)
  }

  /// The outline as latitude and longitude in turn; `nil` without one.
  public var numbers: [Double]? { outline.isEmpty ? nil : outline.flatMap { [$0.latitude, $0.longitude] } }

  /// How far a place is from the gym: 0 within the outline, or within the radius of the point.
  public func distance(to place: GeoPoint) -> Metres {
    guard !outline.isEmpty else {
      return Metres(max(0, point.distance(to: place).value - (radius ?? Self.defaultRadius).value))
    }
    let corners = outline.map { Self.metres(from: place, to: $0) }
    let sides = zip(corners, corners.dropFirst())
    // A ray from the place crosses the outline an odd number of times if it begins within ("even-odd rule").
    let isWithin = sides.reduce(false) { isWithin, side in
      let (one, other) = side
      guard (one.y > 0) != (other.y > 0), one.x + (other.x - one.x) * -one.y / (other.y - one.y) > 0 else {
        return isWithin
      }
      return !isWithin
    }
    return isWithin ? Metres(0) : Metres(sides.map { Self.distance(to: $0, $1) }.min() ?? .infinity)
  }

  /// Metres east and north on the plane that touches the Earth at a place: exact enough for what is near, and far for what is far.
  private static func metres(from place: GeoPoint, to corner: GeoPoint) -> (x: Double, y: Double) {
    let metresOfDegree = GeoPoint.earthRadius.value * .pi / 180
    var east = corner.longitude - place.longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    return (
      east * cos(place.latitude * .pi / 180) * metresOfDegree, (corner.latitude - place.latitude) * metresOfDegree
    )
  }

  /// How far the origin is from a side.
  private static func distance(to one: (x: Double, y: Double), _ other: (x: Double, y: Double)) -> Double {
    let (dx, dy) = (other.x - one.x, other.y - one.y)
    let square = dx * dx + dy * dy
    let part = square == 0 ? 0 : min(1, max(0, -(one.x * dx + one.y * dy) / square))
    return hypot(one.x + part * dx, one.y + part * dy)
  }
}

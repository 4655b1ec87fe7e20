import Glibc

/// A length in metres.
public struct Metres: Sendable, Hashable, Comparable {
  /// How many.
  public let value: Double

  /// So many metres.
  public init(_ value: Double) { self.value = value }

  /// Whether `shorter` is less.
  public static func < (shorter: Metres, longer: Metres) -> Bool { shorter.value < longer.value }
}

/// A point of the Earth, which is taken for a sphere of the mean radius of WGS 84.
public struct GeoPoint: Sendable, Hashable {
  /// (2a + b) / 3 of the axes of WGS 84.
  public static let earthRadius = Metres(6_371_008.8)
  /// Half of the way around: nothing is farther away.
  public static let farthest = Metres(.pi * earthRadius.value)

  /// Degrees, -90 to 90.
  public let latitude: Double
  /// Degrees, -180 to 180.
  public let longitude: Double

  /// The point; `nil` for numbers that are none on the Earth.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Where it is on the unit sphere: towards longitude 0, towards longitude 90° east, towards the north pole. So poles and the
  /// antimeridian are places like all others.
  public var vector: [Double] {
    let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
    return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
  }

  /// The point in the middle of others, by their directions from the Earth's centre; `nil` where they have no middle.
  public init?(inTheMiddleOf points: [GeoPoint]) {
    let sum = points.reduce([0, 0, 0]) { sum, point in zip(sum, point.vector).map { $0 + $1 } }
    let length = sqrt(sum.reduce(0) { $0 + $1 * $1 })
    guard length > 1e-9 * Double(points.count) else { return nil }
    self.init(
      latitude: atan2(sum[2], hypot(sum[0], sum[1])) * 180 / .pi, longitude: atan2(sum[1], sum[0]) * 180 / .pi)
  }

  /// The way along the surface between points whose vectors are `chord` apart, 0 to 2.
  public static func distance(ofChord chord: Double) -> Metres {
    Metres(2 * earthRadius.value * asin(min(1, max(0, chord / 2))))
  }

  /// How far the vectors of points are apart between which the way along the surface is `distance`.
  public static func chord(ofDistance distance: Metres) -> Double {
    2 * sin(min(.pi, max(0, distance.value / earthRadius.value)) / 2)
  }

  /// The way along the surface to another point, by the haversine formula, which is exact for short ways too.
  public func distance(to other: GeoPoint) -> Metres {
    func haversine(_ degrees: Double) -> Double {
      let half = sin(degrees * .pi / 360)
      return half * half
    }
    let scale = cos(latitude * .pi / 180) * cos(other.latitude * .pi / 180)
    let square = haversine(other.latitude - latitude) + scale * haversine(other.longitude - longitude)
    return Self.distance(ofChord: 2 * square.squareRoot())
  }

  /// The latitudes of all points within `distance`, some of which may lie beyond a pole.
  public func latitudes(within distance: Metres) -> ClosedRange<Double> {
    let degrees = distance.value / Self.earthRadius.value * 180 / .pi
    return (latitude - degrees)...(latitude + degrees)
  }
}

import Glibc

/// A length in metres.
public struct Metres: Sendable, Hashable, Comparable {
  public let value: Double

  public init(_ value: Double) { self.value = value }

  public static func < (shorter: Metres, longer: Metres) -> Bool { shorter.value < longer.value }
}

/// A point on the Earth, which is modelled as a sphere with the mean radius of WGS 84.
public struct GeoPoint: Sendable, Hashable {
  /// (2a + b) / 3 of the axes of WGS 84.
  public static let earthRadius = Metres(6_371_008.8)
  /// Half of the circumference: no distance on the surface is greater.
  public static let farthest = Metres(.pi * earthRadius.value)

  /// Degrees, -90 to 90.
  public let latitude: Double
  /// Degrees, -180 to 180.
  public let longitude: Double

  /// `nil` for coordinates out of range.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Its position on the unit sphere: axes towards longitude 0, longitude 90° east and the north pole. Poles and the antimeridian need no
  /// special case.
  public var vector: [Double] {
    let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
    return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
  }

  /// The centre of points, by their directions from the Earth's centre; `nil` if they have none.
  public init?(inTheMiddleOf points: [GeoPoint]) {
    let sum = points.reduce([0, 0, 0]) { sum, point in zip(sum, point.vector).map { $0 + $1 } }
    let length = sqrt(sum.reduce(0) { $0 + $1 * $1 })
    guard length > 1e-9 * Double(points.count) else { return nil }
    self.init(
      latitude: atan2(sum[2], hypot(sum[0], sum[1])) * 180 / .pi, longitude: atan2(sum[1], sum[0]) * 180 / .pi)
  }

  /// The distance along the surface between points whose vectors are `chord` apart, 0 to 2.
  public static func distance(ofChord chord: Double) -> Metres {
    Metres(2 * earthRadius.value * asin(min(1, max(0, chord / 2))))
  }

  /// The distance of the vectors of two points that are `distance` apart along the surface.
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

  /// The length of the circle of all points at a latitude; 0 at the poles.
  ///
  /// - Parameter latitude: degrees, -90 to 90.
  public static func lengthOfParallel(at latitude: Double) -> Metres {
    Metres(2 * .pi * earthRadius.value * max(0, cos(latitude * .pi / 180)))
  }

  /// The latitudes of all points within `distance`, some of which may lie beyond a pole.
  public func latitudes(within distance: Metres) -> ClosedRange<Double> {
    let degrees = distance.value / Self.earthRadius.value * 180 / .pi
    return (latitude - degrees)...(latitude + degrees)
  }
}

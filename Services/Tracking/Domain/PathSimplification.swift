import Geography
import Glibc

/// Leaves out positions of a path that its line hardly needs, by Douglas and Peucker's algorithm ([TR-11]).
public enum PathSimplification {
  /// Metres that a caller may ask for.
  public static let tolerances: ClosedRange<Double> = 1...10_000

  /// The places of the points that stay: the first, the last, and as many as it takes so that no point that is left out is further than
  /// `tolerance` from the great circles between those that stay.
  ///
  /// The time is quadratic in the worst case, so paths are simplified in parts; the promise holds for the whole as well, since the ends of
  /// a part stay.
  public static func places(of points: [GeoPoint], tolerance: Metres) -> [Int] {
    guard points.count > 2 else { return Array(points.indices) }
    let vectors = points.map { point in
      let vector = point.vector
      return SIMD3(vector[0], vector[1], vector[2])
    }
    var isKept = [Bool](repeating: false, count: points.count)
    (isKept[0], isKept[points.count - 1]) = (true, true)
    var parts = [(0, points.count - 1)]
    while let (first, last) = parts.popLast() {
      let arc = Arc(from: vectors[first], to: vectors[last])
      var (farthest, most) = (first, tolerance.value)
      for place in first + 1..<max(last, first + 1) {
        let distance = arc.distance(to: vectors[place])
        if distance > most { (farthest, most) = (place, distance) }
      }
      guard farthest != first else { continue }
      isKept[farthest] = true
      parts.append((first, farthest))
      parts.append((farthest, last))
    }
    return points.indices.filter { isKept[$0] }
  }
}

/// The shorter part of a great circle between two points of the unit sphere.
private struct Arc {
  let start: SIMD3<Double>
  let end: SIMD3<Double>
  /// Perpendicular to the plane of the circle; `nil` where the points do not tell it.
  let normal: SIMD3<Double>?

  init(from start: SIMD3<Double>, to end: SIMD3<Double>) {
    (self.start, self.end) = (start, end)
    let cross = start.cross(end)
    let length = cross.dot(cross).squareRoot()
    normal = length > 1e-12 ? cross / length : nil
  }

  /// Metres from a point to the nearest of the arc.
  func distance(to point: SIMD3<Double>) -> Double {
    if let normal, normal.cross(start).dot(point) >= 0, end.cross(normal).dot(point) >= 0, start.dot(point) > 0 {
      return abs(asin(min(1, max(-1, normal.dot(point))))) * GeoPoint.earthRadius.value
    }
    return min(start.way(to: point), end.way(to: point))
  }
}

extension SIMD3<Double> {
  fileprivate func dot(_ other: Self) -> Double { (self * other).sum() }

  fileprivate func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// Metres along the surface.
  fileprivate func way(to other: Self) -> Double {
    let chord = self - other
    return GeoPoint.distance(ofChord: chord.dot(chord).squareRoot()).value
  }
}

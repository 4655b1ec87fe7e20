import Geography
import Identifiers
import SeededNumbers
import Testing
import TrackingDomain

@Suite("paths")
struct PathTests {
  @Test("[TR-11] no point that is left out is further from the line than the tolerance", arguments: [1.0, 10, 100])
  func error(tolerance: Double) throws {
    var numbers = SplitMix(seed: 7)
    var (latitude, longitude) = (-17.0, 179.99)
    var points: [GeoPoint] = []
    for _ in 0..<1_500 {
      latitude += Double.random(in: -0.0001...0.0002, using: &numbers)
      longitude += Double.random(in: -0.0001...0.0003, using: &numbers)
      if longitude > 180 { longitude -= 360 }
      points.append(try #require(GeoPoint(latitude: latitude, longitude: longitude)))
    }
    let kept = PathSimplification.places(of: points, tolerance: Metres(tolerance))
    #expect(kept.first == 0 && kept.last == points.count - 1 && kept.count < points.count)
    for (first, last) in zip(kept, kept.dropFirst()) {
      for place in first..<last {
        // On so short a way the Earth is flat; an independent reckoning.
        #expect(Self.flat(points[place], points[first], points[last]) <= tolerance * 1.001 + 0.01)
      }
    }
  }

  /// Metres from a point to a segment in a plane.
  private static func flat(_ point: GeoPoint, _ first: GeoPoint, _ last: GeoPoint) -> Double {
    func plane(_ other: GeoPoint) -> (x: Double, y: Double) {
      var east = other.longitude - first.longitude
      if east < -180 { east += 360 }
      if east > 180 { east -= 360 }
      // The cosine of 17 degrees.
      return (east * 111_195 * 0.9563, (other.latitude - first.latitude) * 111_195)
    }
    let (p, b) = (plane(point), plane(last))
    let length = b.x * b.x + b.y * b.y
    let share = length == 0 ? 0 : max(0, min(1, (p.x * b.x + p.y * b.y) / length))
    let (dx, dy) = (p.x - share * b.x, p.y - share * b.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  @Test("[TR-11] a path of few points, or all at one place, keeps its ends")
  func degenerate() throws {
    let point = try #require(GeoPoint(latitude: 1, longitude: 1))
    #expect(PathSimplification.places(of: [], tolerance: Metres(1)) == [])
    #expect(PathSimplification.places(of: [point], tolerance: Metres(1)) == [0])
    #expect(PathSimplification.places(of: Array(repeating: point, count: 9), tolerance: Metres(1)) == [0, 8])
  }

  @Test("[TR-11] [TR-10] a path is in segments, between which the user was silent for longer than a minute")
  func segments() throws {
    let fixes = try [0, 60, 121, 122, 400].map { second in
      Fix(try #require(GeoPoint(latitude: 1, longitude: 1)), at: Instant(microseconds: second * 1_000_000))
    }
    let all = PathSegment.segments(of: fixes, after: nil)
    #expect(all.map(\.fixes) == [Array(fixes[0...1]), Array(fixes[2...3]), [fixes[4]]])
    #expect(all.map(\.continues) == [false, false, false])
    // The same in parts.
    for place in 1..<fixes.count {
      let rest = PathSegment.segments(of: Array(fixes[place...]), after: fixes[place - 1])
      #expect(rest.map(\.continues) == [place == 1 || place == 3] + rest.dropFirst().map { _ in false })
      #expect(rest.flatMap(\.fixes) == Array(fixes[place...]))
    }
    #expect(PathSegment.segments(of: [], after: fixes[0]) == [])
  }
}

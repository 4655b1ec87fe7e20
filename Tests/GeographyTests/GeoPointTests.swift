import Geography
import Testing

@Suite("points on the Earth")
struct GeoPointTests {
  private func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
    try #require(GeoPoint(latitude: latitude, longitude: longitude))
  }

  private func distance(_ one: GeoPoint, _ other: GeoPoint) -> Double {
    let chord = zip(one.vector, other.vector).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    return GeoPoint.distance(ofChord: chord).value
  }

  @Test("[CA-1] distances are great-circle metres on the mean radius of WGS 84, across antimeridian and poles")
  func distances() throws {
    let quarter = GeoPoint.farthest.value / 2
    #expect(abs(distance(try point(0, 0), try point(0, 90)) - quarter) < 1e-6)
    #expect(abs(distance(try point(90, 0), try point(-90, 17)) - 2 * quarter) < 1)
    // A degree of a great circle.
    let degree = quarter / 90
    #expect(abs(degree - 111_195.080) < 0.001)
    #expect(abs(distance(try point(0, 179.5), try point(0, -179.5)) - degree) < 1e-6)
    #expect(abs(distance(try point(89.5, 10), try point(89.5, -170)) - degree) < 1e-6)
    #expect(distance(try point(90, 10), try point(90, -170)) < 1e-6)
    #expect(distance(try point(12, 180), try point(12, -180)) < 1e-6)
    // Berlin to Paris.
    #expect(abs(distance(try point(52.52, 13.405), try point(48.8566, 2.3522)) - 877_464) < 100)
  }

  @Test("[CA-1] a chord and its distance are each other's inverse")
  func chords() {
    for metres in [0, 0.01, 1, 1_000, 5e6, 1.5e7] {
      #expect(abs(GeoPoint.distance(ofChord: GeoPoint.chord(ofDistance: Metres(metres))).value - metres) < 1e-3)
    }
    #expect(GeoPoint.chord(ofDistance: Metres(1e12)) == 2)
  }

  @Test("[CA-1] numbers that are nowhere on the Earth are no point")
  func nowhere() {
    for (latitude, longitude) in [(90.1, 0), (-91, 0), (0, 180.1), (0, -181), (.nan, 0), (0, .infinity)] {
      #expect(GeoPoint(latitude: latitude, longitude: longitude) == nil)
    }
  }

  @Test("[CA-5] the middle of a building is found across the antimeridian, and at a pole")
  func middles() throws {
    let fiji = try #require(GeoPoint(inTheMiddleOf: [try point(-16, 179.9), try point(-16, -179.9)]))
    #expect(abs(abs(fiji.longitude) - 180) < 1e-9 && abs(fiji.latitude + 16) < 1e-3)
    let pole = try #require(GeoPoint(inTheMiddleOf: [try point(89, 0), try point(89, 120), try point(89, -120)]))
    #expect(abs(pole.latitude - 90) < 1e-6)
    #expect(GeoPoint(inTheMiddleOf: [try point(0, 0), try point(0, 180)]) == nil)
    #expect(GeoPoint(inTheMiddleOf: []) == nil)
  }

  @Test("[LE-8] the distance to a point is that of their vectors, and small ones are exact")
  func toPoint() throws {
    for (one, other) in [
      (try point(52.52, 13.405), try point(48.8566, 2.3522)), (try point(0, 179.5), try point(0, -179.5)),
    ] {
      #expect(abs(one.distance(to: other).value - distance(one, other)) < 1e-3)
    }
    #expect(abs(try point(10, 10).distance(to: try point(10.000_001, 10)).value - 0.111_195) < 1e-6)
    #expect(abs(try point(90, 0).distance(to: try point(-90, 77)).value - GeoPoint.farthest.value) < 1e-6)
  }
}

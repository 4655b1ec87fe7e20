import Geography
import MatchingDomain
import Testing

@Suite("how far a gym reaches")
struct GymAreaTests {
  private static func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
    try #require(GeoPoint(latitude: latitude, longitude: longitude))
  }

  /// An L of 200 m, whose notch is in the north-east; a degree is 111,195 m.
  private static func outline(around middle: GeoPoint) throws -> [GeoPoint] {
    try [(-100, -100), (-100, 100), (0, 100), (0, 0), (100, 0), (100, -100), (-100, -100)].map { north, east in
      var longitude = middle.longitude + Double(east) / 111_195.08 / cosine(middle.latitude)
      if longitude > 180 { longitude -= 360 }
      return try point(middle.latitude + Double(north) / 111_195.08, longitude)
    }
  }

  /// Of degrees, by its series: tests use no library of the system.
  private static func cosine(_ degrees: Double) -> Double {
    let x = degrees * .pi / 180
    return 1 - x * x / 2 + x * x * x * x / 24 - x * x * x * x * x * x / 720
  }

  @Test(
    "[MA-8] within the outline is 0 m, in its notch the way to the nearest wall, across the antimeridian too",
    arguments: [(1.3, 103.8), (-16.5, 180.0), (52.5, 13.4)])
  func outlines(latitude: Double, longitude: Double) throws {
    let middle = try Self.point(latitude, longitude)
    let area = GymArea(around: middle, outline: try Self.outline(around: middle))
    for (north, east, metres) in [
      (-50.0, -50.0, 0.0), (-50, 50, 0), (50, -50, 0), (30, 40, 30), (60, 20, 20), (-110, 0, 10),
    ] {
      var far = longitude + east / 111_195.08 / Self.cosine(latitude)
      if far > 180 { far -= 360 }
      let place = try Self.point(latitude + north / 111_195.08, far)
      #expect(abs(area.distance(to: place).value - metres) < 0.1, "\(north), \(east): \(area.distance(to: place))")
    }
  }

  @Test("[MA-8] a point has a radius of 25 m, unless its source says one; nonsense counts as unknown")
  func radii() throws {
    let (gym, place) = (try Self.point(0, 0), try Self.point(100 / 111_195.08, 0))
    for (radius, metres) in [(nil, 75.0), (60.0, 40), (100, 0), (0, 75), (-1, 75), (.nan, 75), (501, 75)]
      as [(Double?, Double)]
    {
      let area = GymArea(around: gym, radius: radius.map { Metres($0) })
      #expect(abs(area.distance(to: place).value - metres) < 0.01, "\(String(describing: radius))")
    }
    let open = GymArea(around: gym, outline: [gym, place, gym])
    #expect(open.outline.isEmpty && open.numbers == nil)
  }
}

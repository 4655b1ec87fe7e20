import Geography
import MatchingDomain
import SeededNumbers
import Testing

@Suite("The grid of partners' positions")
struct GridCellTests {
  private static func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
    try #require(GeoPoint(latitude: latitude, longitude: longitude))
  }

  /// Points from all over the Earth, and around its poles and the antimeridian.
  private static func points(_ count: Int) throws -> [GeoPoint] {
    var numbers = SplitMix(seed: 13)
    let anywhere = try (0..<count).map { _ in
      try point(Double.random(in: -90...90, using: &numbers), Double.random(in: -180...180, using: &numbers))
    }
    let special = try [-90, -89.9999, -89.996, -45, -0.000001, 0, 0.000001, 45, 89.996, 89.9999, 90].flatMap {
      latitude in
      try [-180, -179.999999, -90, 0, 1e-9, 90, 179.999999, 180].map { try point(latitude, $0) }
    }
    return anywhere + special
  }

  @Test("[MA-13] the middle of a cell is in that cell, on every part of the Earth")
  func centers() throws {
    for point in try Self.points(20_000) {
      let cell = GridCell(of: point)
      #expect(GridCell(of: cell.center) == cell, "\(point)")
      #expect(GridCell(band: cell.band, column: cell.column) == cell)
    }
  }

  @Test("[MA-13] no point is farther than 531 m from the middle of its cell")
  func nearness() throws {
    let worst = try Self.points(20_000).map { $0.distance(to: GridCell(of: $0).center).value }.max()
    #expect(try #require(worst) < 531)
  }

  @Test("[MA-13] a cell is at least 500 m by 500 m, near the poles too")
  func sizes() throws {
    for point in try Self.points(5_000) {
      let cell = GridCell(of: point)
      // The nearest points of other cells, in each direction from the middle.
      for (north, east) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] where abs(cell.center.latitude) < 89.99 {
        let away = 248.0 / 111_195
        let longitude = cell.center.longitude + east * away / cos(cell.center.latitude)
        let near = try Self.point(
          cell.center.latitude + north * away,
          longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
        // At the same height a cell is at least as wide as at its edge nearer the pole.
        #expect(GridCell(of: near) == cell, "\(cell) \(near)")
      }
    }
    func cos(_ degrees: Double) -> Double {
      GeoPoint.lengthOfParallel(at: degrees).value / GeoPoint.lengthOfParallel(at: 0).value
    }
  }

  @Test("[MA-13] all around a pole, up to 500 m from it, is one cell", arguments: [90.0, -90.0])
  func poles(pole: Double) throws {
    let cell = GridCell(of: try Self.point(pole, 0))
    #expect(cell.center == (try Self.point(pole, 0)))
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      #expect(GridCell(of: try Self.point(pole, longitude)) == cell)
      #expect(GridCell(of: try Self.point(pole * (1 - 499 / 10_007_557), longitude)) == cell)
      #expect(GridCell(of: try Self.point(pole * (1 - 501 / 10_007_557), longitude)) != cell)
    }
  }

  @Test("[MA-13] the antimeridian has one side only: 180 degrees east is 180 degrees west")
  func antimeridian() throws {
    for latitude in stride(from: -90.0, through: 90, by: 4.5) {
      #expect(GridCell(of: try Self.point(latitude, 180)) == GridCell(of: try Self.point(latitude, -180)))
    }
  }

  @Test("[MA-13] cells on both sides of the antimeridian are near each other")
  func neighboursAcross() throws {
    for latitude in [-80.0, 0, 12.34, 60] {
      let west = GridCell(of: try Self.point(latitude, -179.9999))
      let east = GridCell(of: try Self.point(latitude, 179.9999))
      #expect(west != east)
      #expect(west.isNear(east) && east.isNear(west))
    }
  }

  @Test("[MA-13] what is less than 250 m away is in the same cell or one near it; what is far is not")
  func neighbours() throws {
    for point in try Self.points(3_000) where abs(point.latitude) < 89.9 {
      let cell = GridCell(of: point)
      let degree = GeoPoint.lengthOfParallel(at: point.latitude).value / 360
      func moved(_ north: Double, _ east: Double) throws -> GridCell {
        var longitude = point.longitude + east / degree
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return GridCell(of: try Self.point(min(90, max(-90, point.latitude + north / 111_195)), longitude))
      }
      for (north, east) in [
        (249.0, 0.0), (-249, 0), (0, 249), (0, -249), (176, 176), (-176, 176), (176, -176), (-176, -176),
      ] {
        #expect(cell.isNear(try moved(north, east)), "\(point) \(north) \(east)")
      }
      #expect(!cell.isNear(try moved(1_100, 0)))
      #expect(!cell.isNear(try moved(0, 2_100)))
    }
  }

  @Test("[MA-13] a cell that the grid does not have is not read from the database")
  func strangeCells() throws {
    #expect(GridCell(band: -1, column: 0) == nil)
    #expect(GridCell(band: Int32(GridCell.bands), column: 0) == nil)
    #expect(GridCell(band: 0, column: 1) == nil)
    #expect(GridCell(band: 20_015, column: 100_000) == nil)
    #expect(GridCell(band: 20_015, column: -1) == nil)
  }
}

import Geography
import Identifiers
import MatchingDomain
import SeededNumbers
import Testing

@Suite("What strangers see of a partner's position")
struct PartnerPositionTests {
  private static func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
    try #require(GeoPoint(latitude: latitude, longitude: longitude))
  }

  /// Where two cells of the equator's northern band meet.
  private static let edge = (latitude: 0.002, longitude: 0.0)

  @Test("[MA-13] fixes of one place at the edge of cells show one cell, over however many days")
  func jitter() throws {
    var numbers = SplitMix(seed: 7)
    var shown: GridCell?
    var cells: Set<GridCell> = []
    for _ in 0..<2_000 {
      let fix = try Self.point(
        Self.edge.latitude + Double.random(in: -0.002...0.002, using: &numbers),
        Self.edge.longitude + Double.random(in: -0.002...0.002, using: &numbers))
      let cell = PartnerPosition.cell(of: fix, after: shown)
      cells.insert(cell)
      shown = cell
    }
    #expect(cells.count == 1)
  }

  @Test("[MA-13] who moves on is shown in a new cell, which does not depend on where in the old one the user was")
  func moving() throws {
    let start = try Self.point(47.3, 8.5)
    let old = GridCell(of: start)
    let farther = try Self.point(47.32, 8.5)
    #expect(PartnerPosition.cell(of: farther, after: old) == GridCell(of: farther))
    #expect(PartnerPosition.cell(of: try Self.point(47.304, 8.5), after: old) == old)
    // Every point of a new cell leads to it from every cell that does not touch it: a change tells a whole cell.
    var numbers = SplitMix(seed: 5)
    let new = GridCell(of: farther)
    for _ in 0..<500 {
      let inside = try Self.point(
        new.center.latitude + Double.random(in: -0.0022...0.0022, using: &numbers),
        new.center.longitude + Double.random(in: -0.0032...0.0032, using: &numbers))
      #expect(PartnerPosition.cell(of: inside, after: old) == new)
    }
  }

  @Test(
    "[MA-13] accuracies from 0 to 500 m are taken",
    arguments: [
      (0.0, true), (12.5, true), (500, true), (500.1, false), (-0.1, false), (.nan, false), (.infinity, false),
      (1e300, false),
    ])
  func accuracies(accuracy: Double, isTaken: Bool) {
    #expect(PartnerPosition.accepts(accuracy: accuracy) == isTaken)
  }

  @Test("[MA-13] a position is moved 20 times within 24 hours, and again from then on")
  func moves() throws {
    let start = Instant(microseconds: 1_000_000_000_000)
    var moves = try PartnerMoves.counted(after: nil, at: start)
    for _ in 1..<20 { moves = try PartnerMoves.counted(after: moves, at: start + .seconds(60)) }
    let until = start + .seconds(86_400)
    #expect(throws: MovedTooOften(retryAfter: .microseconds(1))) {
      try PartnerMoves.counted(after: moves, at: until - .microseconds(1))
    }
    #expect(try PartnerMoves.counted(after: moves, at: until).count == 1)
  }
}

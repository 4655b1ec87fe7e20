import Geography
import MatchingDomain
import MatchingStore
import SeededNumbers
import TandemMatching
import TestServices
import TestSupport
import Testing

/// The known attack on maps of users: whoever may ask for distances from places of their choice intersects circles, and whoever sees a radius
/// cut a user off searches for the edge.
@Suite("trilateration of partners", .timeLimit(.minutes(5)))
struct TrilaterationTests {
  /// Everything that a stranger is told about a user, from many viewpoints.
  private static func answers(_ matching: RunningMatching, as viewer: TestUser, around place: GeoPoint) async throws
    -> [Partner]
  {
    var answers: [Partner] = []
    var numbers = SplitMix(seed: 99)
    for _ in 0..<60 {
      let (latitude, longitude) = (
        place.latitude + Double.random(in: -0.01...0.01, using: &numbers),
        place.longitude + Double.random(in: -0.01...0.01, using: &numbers)
      )
      answers += try await matching.find(near: latitude, longitude, as: viewer)
      // The edge of the radius, to the metre, as an oracle.
      for radius in stride(from: 200.0, through: 1_400, by: 300) {
        answers += try await matching.find(near: latitude, longitude, radius: radius, as: viewer).map {
          var told = $0
          told.cellDistanceM = radius
          return told
        }
      }
    }
    return answers
  }

  @Test("[MA-13] whatever several strangers ask over days, all points of a cell answer alike")
  func wholeCell() async throws {
    let home = try #require(GeoPoint(latitude: 47.3700, longitude: 8.5400))
    let cell = GridCell(of: home)
    // Where the user might be as well: near the corners of the cell.
    let elsewhere = [(0.0021, 0.0030), (-0.0021, 0.0030), (-0.0021, -0.0030)].compactMap {
      GeoPoint(latitude: cell.center.latitude + $0.0, longitude: cell.center.longitude + $0.1)
    }
    for point in elsewhere { #expect(GridCell(of: point) == cell) }

    try await RunningMatching.with { matching in
      var numbers = SplitMix(seed: 4)
      try await matching.list(.ada, home.latitude, home.longitude)
      let first = try await Self.answers(matching, as: .grace, around: home)
      #expect(!first.isEmpty)
      for (day, point) in elsewhere.enumerated() {
        // Another day, another account, another fix of the same place, whose noise leads over the edge.
        matching.clock.advance(by: .seconds(86_400))
        for _ in 0..<5 {
          try await matching.list(
            .ada, point.latitude + Double.random(in: -0.0003...0.0003, using: &numbers),
            point.longitude + Double.random(in: -0.0004...0.0004, using: &numbers))
        }
        let viewer = [TestUser.alan, .kim, .grace][day % 3]
        #expect(try await Self.answers(matching, as: viewer, around: home) == first)
      }
      // Leaving and coming back does not tell more.
      _ = try await matching.partners.removePartnerListing(.init(), TestUser.ada.options)
      try await matching.list(.ada, cell.center.latitude + 0.0024, cell.center.longitude)
      #expect(try await Self.answers(matching, as: .kim, around: home) == first)
    }
  }

  @Test("[MA-13] the statement behind lists reads no position")
  func statement() async throws {
    #expect(!PartnersNear.sql.contains("latitude") && !PartnersNear.sql.contains("accuracy"))
    #expect(!PartnerOnMap.sql.contains("latitude"))
  }
}

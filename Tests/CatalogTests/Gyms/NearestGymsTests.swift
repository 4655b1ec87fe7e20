import CatalogDomain
import CatalogStore
import Foundation
import SeededNumbers
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("the nearest gyms", .timeLimit(.minutes(5)))
struct NearestGymsTests {
  /// Points all over the Earth, many of them where coordinates have their edges.
  private static func points(_ count: Int, _ randomness: inout SplitMix) -> [(
    latitude: Double, longitude: Double
  )] {
    (0..<count).map { number in
      // As many in the tropics as their share of the surface.
      let anywhere = (
        asin(Double.random(in: -1...1, using: &randomness)) * 180 / .pi,
        Double.random(in: -180...180, using: &randomness)
      )
      switch number % 8 {
      case 0: return (anywhere.0, [180, -180].randomElement(using: &randomness) ?? 180)
      case 1: return (anywhere.0, 180 - Double.random(in: 0...0.01, using: &randomness))
      case 2: return (anywhere.0, -180 + Double.random(in: 0...0.01, using: &randomness))
      case 3: return (90 - Double.random(in: 0...0.01, using: &randomness), anywhere.1)
      case 4: return (-90 + Double.random(in: 0...0.01, using: &randomness), anywhere.1)
      case 5: return ([90, -90].randomElement(using: &randomness) ?? 90, anywhere.1)
      default: return anywhere
      }
    }
  }

  /// The formula that textbooks have, which knows no chords.
  private static func distance(
    _ one: (latitude: Double, longitude: Double), _ other: (latitude: Double, longitude: Double)
  ) -> Double {
    let (a, b) = (one.latitude * .pi / 180, other.latitude * .pi / 180)
    let turn = (other.longitude - one.longitude) * .pi / 180
    let across = hypot(cos(b) * sin(turn), cos(a) * sin(b) - sin(a) * cos(b) * cos(turn))
    return 6_371_008.8 * atan2(across, sin(a) * sin(b) + cos(a) * cos(b) * cos(turn))
  }

  @Test("[CA-1] of 4,000 gyms all over the Earth the nearest are those that trying all finds, from 300 points")
  func bruteForce() async throws {
    try await RunningCatalog.with { catalog in
      var randomness = SplitMix(seed: 4)
      let places = Self.points(4_000, &randomness)
      try await catalog.load(
        places.enumerated().map { number, place in
          // A point is written with the digits that it has, so both sides have the same.
          GymFixture(id: "node/\(number)", latitude: place.latitude, longitude: place.longitude)
        })
      let numbers = Dictionary(
        uniqueKeysWithValues: try await catalog.sql("select id, substr(source_id, 6) from gyms").map { row in
          (row[0] ?? "", Int(row[1] ?? "") ?? -1)
        })
      for center in Self.points(300, &randomness) {
        let expected = places.map { Self.distance(center, $0) }.sorted().prefix(20)
        let found = try await catalog.nearest(center.latitude, center.longitude, size: 20).gyms
        #expect(found.count == 20)
        for (gym, distance) in zip(found, expected) {
          #expect(abs(gym.distanceM - distance) < 0.01, "\(center)")
          let place = places[try #require(numbers[gym.gym?.gymID ?? ""])]
          #expect(abs(Self.distance(center, place) - gym.distanceM) < 0.01, "\(center) \(place)")
        }
      }
    }
  }

  @Test(
    "[CA-1] within a radius are the gyms that trying all finds, and none else, from 100 points and at any size of page")
  func radius() async throws {
    try await RunningCatalog.with { catalog in
      var randomness = SplitMix(seed: 5)
      let places = Self.points(1_500, &randomness)
      try await catalog.load(
        places.enumerated().map { GymFixture(id: "node/\($0)", latitude: $1.latitude, longitude: $1.longitude) })
      for center in Self.points(100, &randomness) {
        let radius = pow(10, Double.random(in: 1...7.2, using: &randomness))
        let expected = places.map { Self.distance(center, $0) }.filter { $0 <= radius }.sorted()
        var (found, token) = ([NearbyGym](), "")
        repeat {
          let page = try await catalog.nearest(
            center.latitude, center.longitude, radius: radius, size: 200, token: token)
          found += page.gyms
          token = page.nextPageToken
        } while !token.isEmpty
        #expect(
          found.count == expected.count && Set(found.map { $0.gym?.gymID }).count == found.count, "\(center) \(radius)")
        for (gym, distance) in zip(found, expected) { #expect(abs(gym.distanceM - distance) < 1, "\(center)") }
      }
    }
  }

  @Test("[CA-1] beyond the antimeridian and the poles gyms are as near as they are")
  func edges() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([
        GymFixture(id: "east", latitude: -16.5, longitude: 179.99),
        GymFixture(id: "west", latitude: -16.5, longitude: -179.99),
        GymFixture(id: "north", latitude: 89.99, longitude: 10), GymFixture(id: "south", latitude: -90, longitude: 0),
      ])
      let fiji = try await catalog.nearest(-16.5, 179.995, size: 2).gyms
      #expect(fiji.map { Int($0.distanceM.rounded()) } == [533, 1_599])
      let pole = try await catalog.nearest(89.99, -170, size: 1).gyms
      #expect(pole.map { Int($0.distanceM.rounded()) } == [2_224])
      let antipode = try await catalog.nearest(90, 55, size: 4).gyms
      #expect(antipode.last.map { abs($0.distanceM - .pi * 6_371_008.8) < 1 } == true)
      #expect(try await catalog.nearest(-90, 123, size: 1).gyms.map { $0.distanceM < 1e-6 } == [true])
    }
  }

  @Test(
    "[C-5] gyms at one place come in the order of their ids, and no page skips or repeats one while others are loaded")
  func ties() async throws {
    try await RunningCatalog.with { catalog in
      func gyms(_ numbers: Range<Int>) -> [GymFixture] {
        numbers.map { GymFixture(id: "node/\($0)", latitude: 1.3, longitude: $0 % 2 == 0 ? 103.8 : 103.9) }
      }
      try await catalog.load(gyms(0..<40))
      let ids = try await catalog.sql("select id from gyms order by longitude, id").compactMap { $0[0] }
      var (seen, token, next) = ([String](), "", 40)
      repeat {
        let page = try await catalog.nearest(1.3, 103.8, size: 7, token: token)
        seen += page.gyms.compactMap { $0.gym?.gymID }
        token = page.nextPageToken
        // Newer ones have greater ids, so they come behind those that are at their place.
        try await catalog.load(gyms(next..<next + 2))
        next += 2
      } while !token.isEmpty && seen.count < 100
      #expect(seen.filter { ids.contains($0) } == ids)
      #expect(Set(seen).count == seen.count)
    }
  }

  @Test("[CA-1] [C-5] the list ends with the 10,000th gym")
  func end() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load(
        (0..<10_100).map { GymFixture(id: "node/\($0)", latitude: 1.3, longitude: 100 + Double($0) / 1_000) })
      var (count, token) = (0, "")
      repeat {
        let page = try await catalog.nearest(1.3, 100, size: 190, token: token)
        count += page.gyms.count
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(count == 10_000)
    }
  }

  /// So many gyms around a place, eight at each place, in an order that is not that of their distances.
  private static func crowd(_ count: Int) -> [GymFixture] {
    (0..<count).map { number in
      GymFixture(id: "node/\(number)", latitude: 1.3, longitude: 103.8 + Double(number * 37 % count / 8 + 1) / 10_000)
    }
  }

  @Test(
    "[CA-1] [C-5] near a place with 500 gyms and with 1,000 the pages list each once, in order",
    arguments: [500, 1_000])
  func crowded(count: Int) async throws {
    try await RunningCatalog.with { catalog in
      let gyms = Self.crowd(count)
      try await catalog.load(gyms)
      let ids = Dictionary(
        uniqueKeysWithValues: try await catalog.sql("select source_id, id from gyms").map { ($0[0] ?? "", $0[1] ?? "") }
      )
      var (found, token, pages) = ([NearbyGym](), "", 0)
      repeat {
        let page = try await catalog.nearest(1.3, 103.8, size: 47, token: token)
        found += page.gyms
        token = page.nextPageToken
        pages += 1
      } while !token.isEmpty && pages < count
      #expect(found.count == count && pages == (count + 46) / 47)
      #expect(Set(found.compactMap { $0.gym?.gymID }) == Set(ids.values))
      let places = Dictionary(uniqueKeysWithValues: gyms.map { (ids[$0.id] ?? "", ($0.latitude, $0.longitude)) })
      for gym in found {
        let place = try #require(places[gym.gym?.gymID ?? ""])
        #expect(abs(Self.distance((1.3, 103.8), place) - gym.distanceM) < 0.01)
      }
      #expect(
        zip(found, found.dropFirst()).allSatisfy {
          ($0.distanceM, $0.gym?.gymID ?? "") < ($1.distanceM, $1.gym?.gymID ?? "")
        })
    }
  }

  @Test("[CA-1] a page of the nearest gyms looks at the gyms in one scan of an index, among 500 as among 1,000")
  func scans() async throws {
    var plans: [[String]] = []
    for count in [500, 1_000] {
      plans += [
        try await TestDatabase.with([RunningCatalog.schema]) { database in
          let before = try await Self.serving(database) { catalog in
            try await catalog.load(Self.crowd(count))
            try await catalog.sql("analyze")
          }
          let after = try await Self.serving(database) { catalog in
            var token = ""
            for _ in 0..<10 { token = try await catalog.nearest(1.3, 103.8, size: 20, token: token).nextPageToken }
          }
          #expect(after - before == 10, "among \(count)")
          return try await database.sql(
            """
            set plan_cache_mode = force_generic_plan;
            prepare nearest as \(NearestGyms.sql);
            explain (costs off) execute nearest(array[0.5, 0.5, 0.7], 3, null, null, 21, 3, now(), now())
            """, in: "catalog"
          ).compactMap { $0[0] }
        }
      ]
    }
    #expect(plans[0] == plans[1] && plans[0].contains { $0.contains("Index Scan using gyms_place_idx") }, "\(plans)")
  }

  /// How often the index of places was scanned when the service has ended after `body`, and its connections with it: each then has counted.
  private static func serving(
    _ database: TestDatabase, _ body: @escaping @Sendable (RunningCatalog) async throws -> Void
  ) async throws -> Int {
    let clock = ManualClock()
    try await RunningService.with(OpenCatalog.self, on: database, clock: clock) { service in
      try await RunningCatalog.beside(service, database, clock, body)
    }
    try await until("the service's connections have ended") {
      try await database.value(
        "select count(*) from pg_stat_activity where usename = 'tandem_catalog' and datname = current_database()")
        == "0"
    }
    let scans = try await database.value(
      "select idx_scan from pg_stat_user_indexes where schemaname = 'catalog' and indexrelname = 'gyms_place_idx'"
    )
    return try #require(scans.flatMap { Int($0) })
  }

  @Test("[C-2] [C-5] every bad field is named at once, and another list's token is refused")
  func refusals() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load((0..<3).map { GymFixture(id: "node/\($0)", latitude: 1, longitude: Double($0) + 1) })
      let status = try await refusal { try await catalog.nearest(90.5, 0, radius: -1, size: -1) }
      #expect(status.fieldReasons == ["POINT_INVALID", "RADIUS_INVALID", "PAGE_SIZE_INVALID"])
      #expect(
        try await refusal { try await catalog.nearest(0, .nan, radius: .nan) }.fieldReasons == [
          "POINT_INVALID", "RADIUS_INVALID",
        ])
      let missing = try await refusal {
        try await catalog.gyms.findNearestGyms(FindNearestGymsRequest(), TestUser.ada.options)
      }
      #expect(missing.fieldReasons == ["POINT_REQUIRED"])
      let token = try await catalog.nearest(1, 1, size: 1).nextPageToken
      #expect(
        try await refusal { try await catalog.nearest(1, 1.5, size: 1, token: token) }.fieldReasons == [
          "PAGE_TOKEN_INVALID"
        ])
      #expect(try await catalog.nearest(1, 1, radius: .infinity).gyms.count == 3)
      let none = try await catalog.nearest(50, 50, radius: 1)
      #expect(none.gyms.isEmpty && none.nextPageToken.isEmpty)
      let badID = try await refusal { try await catalog.gyms.getGym(GetGymRequest(gymID: "x"), TestUser.ada.options) }
      #expect(badID.fieldReasons == ["GYM_ID_INVALID"])
      let unknown = try await refusal {
        try await catalog.gyms.getGym(GetGymRequest(gymID: TestUser.ada.id.description), TestUser.ada.options)
      }
      #expect(unknown.reason == "GYM_NOT_FOUND" && unknown.code == .notFound)
      let stranger = try await refusal { try await catalog.gyms.getGym(GetGymRequest(gymID: "x"), CallOptions()) }
      #expect(stranger.reason == "TOKEN_MISSING")
    }
  }

  @Test("[CA-1] the index finds the nearest of 5,000 gyms without looking at the others")
  func plan() async throws {
    try await RunningCatalog.with { catalog in
      var randomness = SplitMix(seed: 6)
      let places = Self.points(5_000, &randomness)
      try await catalog.load(
        places.enumerated().map { GymFixture(id: "node/\($0)", latitude: $1.latitude, longitude: $1.longitude) })
      let here = "extensions.cube(array[0.5, 0.5, 0.7]::double precision[])"
      let plan = try await catalog.sql(
        """
        explain (analyze, costs off, timing off, summary off)
        select id from gyms order by place operator(extensions.<->) \(here) fetch first 51 rows with ties
        """
      ).compactMap { $0[0] }
      #expect(plan.contains { $0.contains("Index Scan using gyms_place_idx") && $0.contains("rows=52") }, "\(plan)")
    }
  }
}

import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("searching gyms", .timeLimit(.minutes(5)))
struct SearchGymsTests {
  private static let gyms = [
    gym(1, "Virgin Active Raffles Place", "One Raffles Place", "048616", "Singapore"),
    gym(2, "Anytime Fitness Tampines", "Tampines Street 81", "529508", "Singapore"),
    gym(3, "Anytime Fitness Holborn", "High Holborn", "WC1V 6XX", "London"),
    gym(4, "Gold's Gym", "Oranienstraße", "10999", "Berlin"),
    gym(5, "Holborn Boxing", "Gold Lane", "EC1N 2TD", "London"),
  ]

  private static func gym(
    _ number: Int, _ name: String, _ street: String, _ postcode: String, _ city: String
  ) -> GymFixture {
    GymFixture(
      id: "node/\(number)", name: name, latitude: 10, longitude: Double(number),
      tags: ["addr:street": street, "addr:postcode": postcode, "addr:city": city, "addr:housenumber": "\(number)"])
  }

  @Test("[CA-2] a town is not called unknown while lending, which knows towns without gyms, cannot be asked")
  func townsOutOfReach() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let certificates = try SuiteCertificates()
      let address = ["--lending-address", "127.0.0.1:\(try FreePort.take())"]
      try await RunningService.with(OpenCatalog.self, on: database, certificates: certificates, address) { service in
        let gyms = GymsClient(service.client)
        let refused = try await refusal {
          try await gyms.searchGyms(SearchGymsRequest(query: "anytime", near: "Atlantis"), TestUser.ada.options)
        }
        #expect(refused.code == .unavailable && refused.reason == "LENDING_UNAVAILABLE", "\(refused)")
        let point = Point(latitude: 1, longitude: 1)
        let found = try await gyms.searchGyms(SearchGymsRequest(query: "anytime", point: point), TestUser.ada.options)
        #expect(found.gyms.isEmpty)
      }
    }
  }

  @Test("[CA-2] with a point, a postcode or a town answers carry distances and are ordered by them, in pages")
  func distances() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load(Self.gyms)
      func search(
        _ query: String, point: Point? = nil, near: String = "", size: Int32 = 0, token: String = ""
      ) async throws -> SearchGymsResponse {
        try await catalog.gyms.searchGyms(
          SearchGymsRequest(query: query, point: point, near: near, pageSize: size, pageToken: token),
          TestUser.ada.options)
      }
      let point = Point(latitude: 10, longitude: 3)
      let found = try await search("anytime", point: point)
      #expect(found.gyms.map(\.name) == ["Anytime Fitness Holborn", "Anytime Fitness Tampines"])
      #expect(found.distancesM.map { Int($0) } == [0, 109_505])
      let first = try await search("anytime", point: point, size: 1)
      let second = try await search("anytime", point: point, size: 1, token: first.nextPageToken)
      #expect(
        first.gyms.map(\.name) + second.gyms.map(\.name) == found.gyms.map(\.name) && second.nextPageToken.isEmpty)
      for near in ["london", "WC1V6XX", "wc1v 6xx"] {
        #expect(try await search("anytime", near: near).gyms.first?.name == "Anytime Fitness Holborn", "\(near)")
      }
      #expect(try await search("anytime", near: "SINGAPORE").gyms.first?.name == "Anytime Fitness Tampines")
      #expect(try await search("anytime").distancesM.isEmpty)
      for (place, near) in [(nil, "Atlantis"), (nil, "?"), (point, "London")] as [(Point?, String)] {
        let refused = try await refusal { try await search("", point: place, near: near) }
        #expect(Set(refused.fieldReasons) == ["QUERY_REQUIRED", "PLACE_UNKNOWN"], "\(near)")
      }
      let nowhere = try await refusal { try await search("anytime", point: Point(latitude: 91, longitude: 0)) }
      #expect(nowhere.fieldReasons == ["POINT_INVALID"])
    }
  }

  @Test(
    "[CA-2] an exact name comes first, then whole words, then beginnings, also where letters are exchanged",
    arguments: [("fit", "Fit"), ("ift", "Fit"), ("iron temple", "Iron Temple"), ("iorn temple", "Iron Temple")])
  func exactNames(query: String, name: String) async throws {
    try await RunningCatalog.with { catalog in
      let names = [
        "Fitness First", "Fit Fit Fit", "Fit", "Iron Temple Iron Temple", "Temple of Iron", "Iron Temple", "Irons",
      ]
      try await catalog.load(
        names.enumerated().map { GymFixture(id: "node/\($0.offset + 1)", name: $0.element, latitude: 1, longitude: 2) })
      #expect(try await catalog.searchGyms(query).gyms.first?.name == name)
    }
  }

  @Test(
    "[CA-2] a name that repeats a word is exact where it is typed so, and where a word is misspelt",
    arguments: [
      ("go go gym", "Go Go Gym"), ("GO-GO-GYM", "Go Go Gym"), ("go gym", "Go Gym"), ("go go gmy", "Go Go Gym"),
    ])
  func repeatedWords(query: String, name: String) async throws {
    try await RunningCatalog.with { catalog in
      let names = ["Go Gym", "Go Go Gym", "Gym Go Go Go"]
      try await catalog.load(
        names.enumerated().map { GymFixture(id: "node/\($0.offset + 1)", name: $0.element, latitude: 1, longitude: 2) })
      let found = try await catalog.searchGyms(query)
      #expect(found.gyms.first?.name == name && found.gyms.count == 3)
    }
  }

  @Test(
    "[CA-2] every keyword must occur, in name, address or postcode, as a word or the beginning of one",
    arguments: [
      ("raffles", ["Virgin Active Raffles Place"]), ("VIRGIN raffles", ["Virgin Active Raffles Place"]),
      ("anytime tampines", ["Anytime Fitness Tampines"]), ("tampi", ["Anytime Fitness Tampines"]),
      ("529508", ["Anytime Fitness Tampines"]), ("wc1v 6xx", ["Anytime Fitness Holborn"]),
      ("WC1V6XX", ["Anytime Fitness Holborn"]), ("oranienstrasse", ["Gold's Gym"]), ("golds", ["Gold's Gym"]),
      // A word of the name comes before one of the address.
      ("gold", ["Holborn Boxing", "Gold's Gym"]), ("81", ["Anytime Fitness Tampines"]),
      ("Tampines Street 81", ["Anytime Fitness Tampines"]), ("anytime  raffles", []),
    ])
  func keywords(query: String, expected: [String]) async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load(Self.gyms)
      let found = try await catalog.searchGyms(query)
      let names = found.match == .exact ? found.gyms.map(\.name) : []
      #expect(names == expected, "\(query)")
    }
  }

  @Test(
    "[CA-2] misspelt keywords find what they are like, and the answer says that it is a second step",
    arguments: [
      ("rafles", "Virgin Active Raffles Place"), ("tmapines", "Anytime Fitness Tampines"),
      ("glods gim", "Gold's Gym"), ("vurgin rafffles", "Virgin Active Raffles Place"),
      ("oranjenstrase", "Gold's Gym"), ("anytime tanpines singapor", "Anytime Fitness Tampines"),
    ])
  func typos(query: String, name: String) async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load(Self.gyms)
      let found = try await catalog.searchGyms(query)
      #expect(found.gyms.first?.name == name && found.match == .similar && found.notice.isEmpty, "\(found)")
    }
  }

  @Test("[CA-2] a postcode with another digit is another postcode")
  func numbers() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load(Self.gyms)
      #expect(try await catalog.searchGyms("529509").gyms.isEmpty)
    }
  }

  @Test("[CA-2] [C-7] nothing found is no error, and says so in the words of the rule")
  func notice() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load(Self.gyms)
      for query in ["xylophone", "raffles xylophone"] {
        let found = try await catalog.searchGyms(query)
        #expect(found.gyms.isEmpty && found.match == .unspecified && found.nextPageToken.isEmpty)
        #expect(found.notice == "Search did not return any results. Please try a different search term.")
      }
    }
  }

  @Test("[CA-2] [C-2] an empty search and one that is too long are refused")
  func refusals() async throws {
    try await RunningCatalog.with { catalog in
      for query in ["", "  ", "?!"] {
        let status = try await refusal { try await catalog.searchGyms(query) }
        #expect(status.reason == "QUERY_REQUIRED" && status.message == "You must enter something")
      }
      let long = try await refusal { try await catalog.searchGyms(String(repeating: "a ", count: 300), size: -1) }
      #expect(long.fieldReasons == ["QUERY_TOO_LONG", "PAGE_SIZE_INVALID"])
      let many = try await refusal { try await catalog.searchGyms((0...20).map { "word\($0)" }.joined(separator: " ")) }
      #expect(many.fieldReasons == ["QUERY_TOO_LONG"])
      #expect(try await catalog.searchGyms("a'); drop table gyms; -- \\ & | ! :* <->").gyms.isEmpty)
    }
  }

  @Test(
    "[C-5] pages of a search skip none and repeat none, in either step", arguments: ["anytime", "anytme"])
  func pages(query: String) async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load(
        (0..<11).map { GymFixture(id: "node/\($0)", name: "Anytime \($0)", latitude: 1, longitude: Double($0)) })
      var (seen, token) = ([String](), "")
      repeat {
        let page = try await catalog.searchGyms(query, size: 3, token: token)
        seen += page.gyms.map(\.name)
        token = page.nextPageToken
      } while !token.isEmpty && seen.count < 50
      #expect(seen.count == 11 && Set(seen) == Set((0..<11).map { "Anytime \($0)" }))
    }
  }

  @Test(
    "[CA-2] [C-5] of 500 gyms with a word all are listed, of 1,000 the 500 best, on pages that skip none and repeat none",
    arguments: [500, 1_000])
  func many(count: Int) async throws {
    try await RunningCatalog.with { catalog in
      // Those of exactly that name are stored last.
      try await catalog.load(
        (0..<count).map { number in
          GymFixture(
            id: "node/\(number)", name: number < count - 3 ? "Anytime \(number)" : "Anytime", latitude: 1,
            longitude: Double(number) / 10)
        })
      var (seen, token) = ([Gym](), "")
      repeat {
        let page = try await catalog.searchGyms("anytime", size: 48, token: token)
        #expect(page.match == .exact && page.notice.isEmpty)
        seen += page.gyms
        token = page.nextPageToken
      } while !token.isEmpty && seen.count < 2 * count
      #expect(seen.count == 500 && Set(seen.map(\.gymID)).count == 500)
      #expect(
        seen.prefix(3).allSatisfy { $0.name == "Anytime" } && !seen.dropFirst(3).contains { $0.name == "Anytime" })
    }
  }

  @Test("[CA-2] a gym whose name a later file changes is found by the new one and no more by the old")
  func renamed() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load(Self.gyms)
      try await catalog.load([GymFixture(id: "node/4", name: "Kraftwerk", latitude: 10, longitude: 4)])
      #expect(try await catalog.searchGyms("kraftwerk").gyms.map(\.name) == ["Kraftwerk"])
      #expect(try await catalog.searchGyms("golds").match == .similar, "what is left is a lane of a like name")
    }
  }
}

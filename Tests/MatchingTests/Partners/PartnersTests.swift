import Geography
import MatchingDomain
import MatchingStore
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

extension RunningMatching {
  var partners: PartnersClient { PartnersClient(client) }

  /// Puts a user on the map.
  @discardableResult
  func list(
    _ user: TestUser, _ latitude: Double, _ longitude: Double, accuracy: Double = 10,
    focus: TandemMatching.Focus = .strength, level: TandemMatching.Level = .novice
  ) async throws -> PartnerListing {
    let listing = PartnerListing(
      point: Point(latitude: latitude, longitude: longitude), accuracyM: accuracy, focus: focus, level: level)
    return try await partners.setPartnerListing(SetPartnerListingRequest(listing: listing), user.options)
  }

  func find(
    near latitude: Double, _ longitude: Double, radius: Double = 5_000, as user: TestUser = .grace,
    _ change: (inout FindPartnersRequest) -> Void = { _ in }
  ) async throws -> [Partner] {
    var call = FindPartnersRequest(point: Point(latitude: latitude, longitude: longitude), radiusM: radius)
    change(&call)
    return try await partners.findPartners(call, user.options).partners
  }

  func partner(_ user: TestUser, as viewer: TestUser = .grace) async throws -> Partner {
    try await partners.getPartner(GetPartnerRequest(userID: user.id.description), viewer.options)
  }

  /// Makes two users members of a group, or strangers again.
  func befriend(_ one: TestUser, _ other: TestUser, areFriends: Bool = true) {
    neighbours.friends.withLock {
      for (user, friend) in [(one, other), (other, one)] {
        var known = $0[user.id.description] ?? []
        if areFriends { known.insert(friend.id.description) } else { known.remove(friend.id.description) }
        $0[user.id.description] = known
      }
    }
  }
}

@Suite("partners on a map", .timeLimit(.minutes(5)))
struct PartnersTests {
  @Test("[MA-13] strangers see the middle of a cell, friends the position too")
  func cells() async throws {
    try await RunningMatching.with { matching in
      let own = try await matching.list(.ada, 1.2897, 103.8501)
      let cell = GridCell(of: try #require(GeoPoint(latitude: 1.2897, longitude: 103.8501))).center
      #expect(own.shownPoint == Point(latitude: cell.latitude, longitude: cell.longitude))

      let seen = try #require(try await matching.find(near: 1.2897, 103.8501).first)
      #expect(seen.userID == TestUser.ada.id.description && seen.username == "ada" && seen.focus == .strength)
      #expect(seen.cellPoint == own.shownPoint && seen.exact == nil)
      let center = try #require(GeoPoint(latitude: 1.2897, longitude: 103.8501))
      #expect(abs(seen.cellDistanceM - center.distance(to: cell).value) < 0.01)

      matching.befriend(.ada, .grace)
      let friend = try await matching.partner(.ada)
      #expect(friend.exact == ExactPosition(point: Point(latitude: 1.2897, longitude: 103.8501), accuracyM: 10))
      #expect(try await matching.partner(.ada, as: .alan).exact == nil)
    }
  }

  @Test("[MA-13] a user who left the group is a stranger at once, and everyone is while identity is down")
  func strangersAgain() async throws {
    try await RunningMatching.with { matching in
      try await matching.list(.ada, 47.37, 8.54)
      matching.befriend(.ada, .grace)
      #expect(try await matching.find(near: 47.37, 8.54).first?.exact != nil)
      matching.befriend(.ada, .grace, areFriends: false)
      #expect(try await matching.find(near: 47.37, 8.54).first?.exact == nil)

      matching.befriend(.ada, .grace)
      matching.neighbours.areDown.withLock { $0 = true }
      let seen = try await matching.find(near: 47.37, 8.54)
      #expect(seen.count == 1 && seen.first?.exact == nil)
    }
  }

  @Test("[MA-13] opting out takes effect at once, and nothing of the position stays")
  func optOut() async throws {
    try await RunningMatching.with { matching in
      try await matching.list(.ada, 47.37, 8.54)
      _ = try await matching.partners.removePartnerListing(.init(), TestUser.ada.options)
      #expect(try await matching.find(near: 47.37, 8.54).isEmpty)
      #expect(try await refusal { try await matching.partner(.ada) }.reason == "PARTNER_NOT_FOUND")
      #expect(
        try await refusal {
          try await matching.partners.getPartnerListing(.init(), TestUser.ada.options)
        }.reason == "LISTING_NOT_FOUND")
      let left = try await matching.sql("select latitude, longitude, accuracy_m from partner_listings")
      #expect(left == [[nil, nil, nil]])
    }
  }

  @Test("[C-10] a block hides both from each other, in lists and in detail")
  func blocks() async throws {
    try await RunningMatching.with { matching in
      for user in [TestUser.ada, .grace] { try await matching.list(user, 47.37, 8.54) }
      try await matching.sql(
        "insert into blocks (blocker_id, blocked_id) values ('\(TestUser.ada.id)', '\(TestUser.grace.id)')")
      for (viewer, other) in [(TestUser.ada, TestUser.grace), (.grace, .ada)] {
        #expect(try await matching.find(near: 47.37, 8.54, as: viewer).isEmpty)
        #expect(try await refusal { try await matching.partner(other, as: viewer) }.reason == "PARTNER_NOT_FOUND")
      }
      #expect(try await matching.find(near: 47.37, 8.54, as: .alan).count == 2)
    }
  }

  @Test("[MA-13] lists are filtered by focus and level, without the caller, the nearest cells first")
  func filters() async throws {
    try await RunningMatching.with { matching in
      try await matching.list(.grace, 47.37, 8.54)
      try await matching.list(.ada, 47.40, 8.54, focus: .yoga, level: .expert)
      try await matching.list(.alan, 47.38, 8.54, focus: .yoga)
      try await matching.list(.kim, 47.39, 8.54, focus: .cardio, level: .expert)
      let all = try await matching.find(near: 47.37, 8.54)
      #expect(all.map(\.username) == ["alan", "kim", "ada"])
      #expect(all.map(\.cellDistanceM) == all.map(\.cellDistanceM).sorted())
      #expect(try await matching.find(near: 47.37, 8.54) { $0.focuses = [.yoga] }.map(\.username) == ["alan", "ada"])
      #expect(try await matching.find(near: 47.37, 8.54) { $0.levels = [.expert] }.map(\.username) == ["kim", "ada"])
      #expect(try await matching.find(near: 47.37, 8.54, radius: 2_000).map(\.username) == ["alan"])
    }
  }

  @Test("[MA-13] poles and the antimeridian are places like every other")
  func edges() async throws {
    try await RunningMatching.with { matching in
      try await matching.list(.ada, 89.9999, 10)
      try await matching.list(.alan, 0.5, 179.9999)
      try await matching.list(.kim, -90, 0)
      #expect(try await matching.find(near: 89.9999, -170).map(\.username) == ["ada"])
      #expect(try await matching.find(near: 0.5, -179.9999).map(\.username) == ["alan"])
      #expect(try await matching.find(near: -89.9999, 77).map(\.username) == ["kim"])
    }
  }

  @Test("[C-5] pages go through users of one cell without gap or repetition")
  func pages() async throws {
    try await RunningMatching.with { matching in
      let users = (0..<23).map { TestUser.one($0) }
      try await matching.introduce(users)
      for (number, user) in users.enumerated() {
        try await matching.list(user, 47.37 + Double(number / 8) * 0.02, 8.54)
      }
      var (names, token) = ([String](), "")
      repeat {
        let page = try await matching.partners.findPartners(
          FindPartnersRequest(
            point: Point(latitude: 47.37, longitude: 8.54), radiusM: 50_000, pageSize: 5, pageToken: token),
          TestUser.grace.options)
        names += page.partners.map(\.username)
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(names == users.map(\.name))
    }
  }

  @Test(
    "[C-2] every bad field of a listing is named at once",
    arguments: [
      (Point(latitude: 90.1, longitude: 0), 10.0), (Point(latitude: .nan, longitude: 0), .nan),
      (Point(latitude: 0, longitude: .infinity), -1), (Point(latitude: 0, longitude: -180.1), 500.1),
    ])
  func badFields(point: Point, accuracy: Double) async throws {
    try await RunningMatching.with { matching in
      let status = try await refusal {
        try await matching.partners.setPartnerListing(
          SetPartnerListingRequest(listing: PartnerListing(point: point, accuracyM: accuracy)), TestUser.ada.options)
      }
      #expect(status.code == .invalidArgument)
      #expect(Set(status.fields).isSuperset(of: ["listing.point", "listing.focus", "listing.level"]))
      #expect(accuracy == 10 || status.fields.contains("listing.accuracy_m"))
      #expect(try await matching.value("select count(*) from partner_listings") == "0")
      #expect(
        try await refusal { try await matching.find(near: 0, 0, radius: 100_001) }.fieldReasons == ["RADIUS_INVALID"])
    }
  }

  @Test("[MA-13] the 21st move within 24 hours is refused, leaving the map does not help, and the next day it is taken")
  func moves() async throws {
    try await RunningMatching.with { matching in
      for number in 0..<20 { try await matching.list(.ada, 10 + Double(number), 20) }
      _ = try await matching.list(.ada, 29, 20)
      #expect(try await refusal { try await matching.list(.ada, 40, 20) }.reason == "MOVED_TOO_OFTEN")
      _ = try await matching.partners.removePartnerListing(.init(), TestUser.ada.options)
      #expect(try await refusal { try await matching.list(.ada, 40, 20) }.reason == "MOVED_TOO_OFTEN")
      matching.clock.advance(by: .seconds(86_400))
      try await matching.list(.ada, 40, 20)
    }
  }

  @Test("[C-9] a deleted account leaves the map")
  func deletion() async throws {
    try await RunningMatching.with { matching in
      try await matching.list(.ada, 47.37, 8.54)
      try await matching.own.write(DeleteListingOfUser(userID: TestUser.ada.id))
      #expect(try await matching.find(near: 47.37, 8.54).isEmpty)
    }
  }
}

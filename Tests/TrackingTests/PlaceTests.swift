import GoogleProtobuf
import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingStore

extension RunningTracking {
  /// A place of Ada's, 100 m around 52.5, 13.4.
  @discardableResult
  func home(told groups: [GroupID] = [], as user: TestUser = .ada) async throws -> NamedPlace {
    try await places.createPlace(
      CreatePlaceRequest(place: .home(told: groups)), user.options)
  }

  /// Reports a position so many metres north of home, half a minute after the one before.
  func walk(to metres: Double, as user: TestUser = .ada) async throws {
    clock.advance(by: .seconds(30))
    try await report(52.5 + metres / 111_195, 13.4, accuracy: 5, as: user)
  }

  /// The caller's places, by their names.
  func places(of user: TestUser) async throws -> [NamedPlace] {
    try await places.listPlaces(ListPlacesRequest(), user.options).places
  }
}

extension NamedPlace {
  fileprivate static func home(told groups: [GroupID] = [], named name: String = "Home") -> NamedPlace {
    NamedPlace(
      name: name, point: Place(latitude: 52.5, longitude: 13.4), radiusM: 100, groupIds: groups.map(\.description))
  }
}

@Suite("places that users name", .timeLimit(.minutes(5)))
struct PlaceTests {
  // MARK: The places

  @Test(
    "[TR-15] [C-2] T-6: a radius that is no number, or too small or large, is named by both methods, and nothing changes",
    arguments: [
      Double.nan, -.nan, .signalingNaN, .infinity, -.infinity, -0.0, 49.999, 20_000.001, -.greatestFiniteMagnitude,
    ])
  func badRadius(_ radius: Double) async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.home()
      var wrong = home
      wrong.radiusM = radius
      let created = try await refusal {
        try await tracking.places.createPlace(CreatePlaceRequest(place: wrong), TestUser.ada.options)
      }
      let updated = try await refusal {
        try await tracking.places.updatePlace(
          UpdatePlaceRequest(place: wrong, updateMask: FieldMask(paths: ["radius_m"])), TestUser.ada.options)
      }
      for refused in [created, updated] {
        #expect(refused.code == .invalidArgument && refused.fields == ["place.radius_m"], "\(refused)")
      }
      #expect(try await tracking.places(of: .ada) == [home])
    }
  }

  @Test("[TR-15] [C-2] [C-12] every bad field of a place is named at once, and nothing is stored")
  func badFields() async throws {
    try await RunningTracking.with { tracking in
      let wrong = NamedPlace(
        name: "Ho\u{202E}me", point: Place(latitude: .nan, longitude: 13.4), radiusM: .infinity, groupIds: ["x"])
      let created = try await refusal {
        try await tracking.places.createPlace(CreatePlaceRequest(place: wrong, requestID: "1"), TestUser.ada.options)
      }
      #expect(
        created.fields == ["request_id", "place.name", "place.point", "place.radius_m", "place.group_ids[0]"],
        "\(created)")
      let updated = try await refusal {
        try await tracking.places.updatePlace(
          UpdatePlaceRequest(
            place: NamedPlace(placeID: "x", radiusM: 49),
            updateMask: FieldMask(paths: ["radius_m", "etag", "nothing"])), TestUser.ada.options)
      }
      #expect(
        updated.fields == ["update_mask.paths[1]", "update_mask.paths[2]", "place.place_id", "place.radius_m"],
        "\(updated)")
      #expect(try await tracking.value("select count(*) from places") == "0")
    }
  }

  @Test("[C-4] [C-5] [C-6] places are created once, and listed in pages, the newest first, to their user alone")
  func list() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let call = CreatePlaceRequest(place: .home(told: [group]), requestID: "0190a7c4-0000-7000-8000-000000000001")
      let first = try await tracking.places.createPlace(call, TestUser.ada.options)
      #expect(try await tracking.places.createPlace(call, TestUser.ada.options) == first)
      #expect(first.name == "Home" && first.radiusM == 100 && first.groupIds == [group.description])
      _ = try await tracking.places.createPlace(
        CreatePlaceRequest(place: .home(), validateOnly: true), TestUser.ada.options)
      tracking.clock.advance(by: .seconds(1))
      let second = try await tracking.places.createPlace(
        CreatePlaceRequest(place: .home(named: "Work")), TestUser.ada.options)

      var (pages, token) = ([[NamedPlace]](), "")
      repeat {
        let page = try await tracking.places.listPlaces(
          ListPlacesRequest(pageSize: 1, pageToken: token), TestUser.ada.options)
        pages.append(page.places)
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(pages == [[second], [first]])
      #expect(try await tracking.places(of: .grace) == [])
    }
  }

  @Test("[C-11] a place that was changed meanwhile is not changed by who has not seen that")
  func etag() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      let home = try await tracking.home(told: [group])
      let changed = try await tracking.places.updatePlace(
        UpdatePlaceRequest(
          place: NamedPlace(placeID: home.placeID, name: "Nest", etag: home.etag),
          updateMask: FieldMask(paths: ["name"])), TestUser.ada.options)
      #expect(changed.name == "Nest" && changed.radiusM == 100 && changed.groupIds == home.groupIds)
      #expect(changed.etag != home.etag)
      #expect(
        await reason {
          _ = try await tracking.places.updatePlace(UpdatePlaceRequest(place: home), TestUser.ada.options)
        } == "ETAG_MISMATCH")
      let deletion = DeletePlaceRequest(placeID: home.placeID, etag: home.etag)
      #expect(
        await reason { _ = try await tracking.places.deletePlace(deletion, TestUser.ada.options) } == "ETAG_MISMATCH")
      #expect(
        await reason {
          _ = try await tracking.places.deletePlace(DeletePlaceRequest(placeID: home.placeID), TestUser.grace.options)
        } == "PLACE_NOT_FOUND")
      _ = try await tracking.places.deletePlace(DeletePlaceRequest(placeID: home.placeID), TestUser.ada.options)
      #expect(try await tracking.places(of: .ada) == [])
      #expect(try await tracking.value("select place_count from trackers") == "0")
    }
  }

  @Test("[TR-15] of 64 places created at once 20 are stored, and of 64 changes of one by the same etag one is made")
  func races() async throws {
    try await RunningTracking.with { tracking in
      let outcomes = await tracking.service.race(64) { client, caller in
        try await PlacesClient(client).createPlace(
          CreatePlaceRequest(place: .home(named: "Place \(caller)")), TestUser.ada.options)
      }
      #expect(outcomes.successes().count == 20)
      #expect(Set(outcomes.refusals().map(\.reason)) == ["TOO_MANY_PLACES"])
      #expect(try await tracking.value("select count(*) from places") == "20")

      let place = try #require(try await tracking.places(of: .ada).first)
      let changes = await tracking.service.race(64) { client, caller in
        try await PlacesClient(client).updatePlace(
          UpdatePlaceRequest(
            place: NamedPlace(placeID: place.placeID, name: "By \(caller)", etag: place.etag),
            updateMask: FieldMask(paths: ["name"])), TestUser.ada.options)
      }
      #expect(changes.successes().count == 1)
      #expect(Set(changes.refusals().map(\.reason)) == ["ETAG_MISMATCH"])
    }
  }

  // MARK: What groups see

  @Test(
    "[TR-15] [TR-12] the place's group sees the name and the arrival, once and at no coordinates; other groups see nothing"
  )
  func arrival() async throws {
    try await RunningTracking.with { tracking in
      let (family, work) = (
        try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada, .alan])
      )
      try await tracking.home(told: [family])
      try await tracking.share(with: [family, work])
      try await tracking.walk(to: 500)
      try await tracking.watch([WatchedGroup(family)], as: .grace) { _, reader in
        _ = try await reader.snapshot()
        try await tracking.walk(to: 0)
        let arrived = tracking.clock.now
        try await tracking.walk(to: 500)
        let left = tracking.clock.now
        try await tracking.walk(to: 500)
        var events: [MemberChange.Change?] = []
        while events.count < 5 { events.append(try await reader.change().change) }
        let ada = TestUser.ada.id.description
        #expect(
          events.filter { if case .placeEvent = $0 { true } else { false } } == [
            .placeEvent(PlaceEvent(userID: ada, placeName: "Home", kind: .arrived, time: arrived.timestamp)),
            .placeEvent(PlaceEvent(userID: ada, placeName: "Home", kind: .left, time: left.timestamp)),
          ])
      }
      #expect(try await tracking.news() == ["reached Home to grace.h", "left Home to grace.h"])
      #expect(
        try await tracking.sql(
          "select distinct group_id::text, latitude::text from group_changes where place_name is not null")
          == [[family.description, nil]])
    }
  }

  @Test("[TR-15] [C-10] a user who has blocked the member, or was blocked, is told nothing of places")
  func blocks() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace, .alan])
      try await tracking.home(told: [group])
      try await tracking.share(with: [group])
      try await tracking.sql(
        "insert into blocks (blocker_id, blocked_id) values ('\(TestUser.grace.id)', '\(TestUser.ada.id)')")
      try await tracking.walk(to: 500)
      try await tracking.watch([WatchedGroup(group)], as: .grace) { _, reader in
        _ = try await reader.snapshot()
        try await tracking.walk(to: 0)
        try await tracking.move(.alan, in: group, to: 7)
        #expect(try await reader.change().number == 7)
      }
      #expect(try await tracking.news() == ["reached Home to alan"])
    }
  }

  @Test("[TR-15] [TR-12] [ID-43] a group that the user left is told nothing, though the user joins again")
  func leaving() async throws {
    try await RunningTracking.with { tracking in
      let (left, kept) = (try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada]))
      try await tracking.home(told: [left, kept])
      #expect(
        await reason { _ = try await tracking.home(told: [left], as: .alan) } == "GROUP_NOT_FOUND")
      try await tracking.share(with: [left, kept])
      try await tracking.walk(to: 500)
      // As if the end of the first membership had not been reported.
      try await tracking.group(1, of: [.ada])
      #expect(try await tracking.places(of: .ada).map(\.groupIds) == [[kept.description]])
      try await tracking.sql("delete from memberships where group_id = '\(kept)' and user_id = '\(TestUser.ada.id)'")
      #expect(try await tracking.places(of: .ada).map(\.groupIds) == [[]])
      try await tracking.share(with: [left])
      try await tracking.walk(to: 500)
      try await tracking.walk(to: 0)
      #expect(try await tracking.news() == [])
    }
  }

  @Test("[TR-15] a place that is moved to where its user is tells no arrival, and one that is renamed is still left")
  func changed() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let home = try await tracking.home(told: [group])
      try await tracking.share(with: [group])
      try await tracking.walk(to: 5_000)
      let moved = try await tracking.places.updatePlace(
        UpdatePlaceRequest(
          place: NamedPlace(placeID: home.placeID, radiusM: 9_000), updateMask: FieldMask(paths: ["radius_m"])),
        TestUser.ada.options)
      try await tracking.walk(to: 5_000)
      _ = try await tracking.places.updatePlace(
        UpdatePlaceRequest(
          place: NamedPlace(placeID: moved.placeID, name: "Town"), updateMask: FieldMask(paths: ["name"])),
        TestUser.ada.options)
      try await tracking.walk(to: 10_000)
      try await tracking.walk(to: 10_000)
      #expect(try await tracking.news() == ["left Town to grace.h"])
    }
  }

  /// Reports home, again where the database was too busy: nothing was done.
  private static func arrive(at replica: RunningTracking) async throws -> ReportSummary {
    while true {
      do { return try await replica.report(52.5, 13.4, accuracy: 5) } catch let status as Status {
        guard status.isOfBusyDatabase else { throw status }
      }
      await Task.yield()
    }
  }

  @Test("[TR-15] an arrival that 64 reports at two replicas show is told once, and not again after a restart")
  func once() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock()
      try await RunningTracking.with(on: database, clock) { tracking in
        let group = try await tracking.group(of: [.ada, .grace])
        try await tracking.home(told: [group])
        try await tracking.share(with: [group])
        try await tracking.walk(to: 500)
        clock.advance(by: .seconds(30))
        try await RunningTracking.with(on: database, clock) { other in
          let replicas = [tracking, other]
          try await withThrowingTaskGroup(of: ReportSummary.self) { group in
            for number in 0..<64 { group.addTask { try await Self.arrive(at: replicas[number % 2]) } }
            for try await summary in group { #expect(summary.accepted + summary.duplicate == 1) }
          }
        }
        #expect(try await tracking.counts() == ["reached Home": 1])
      }
      try await RunningTracking.with(on: database, clock) { tracking in
        try await tracking.walk(to: 1)
        #expect(try await tracking.counts() == ["reached Home": 1])
        try await tracking.walk(to: 500)
        try await tracking.walk(to: 500)
        #expect(try await tracking.counts() == ["reached Home": 1, "left Home": 1])
      }
    }
  }

  @Test(
    "[TR-15] 31: what a phone stored is told by its own times, once; what happened before it was shared is not told")
  func ownTimes() async throws {
    try await RunningTracking.with { tracking in
      let (early, late) = (
        try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada, .alan])
      )
      try await tracking.home(told: [early, late])
      try await tracking.share(with: [early])
      try await tracking.walk(to: 500)
      let began = tracking.clock.now
      tracking.clock.advance(by: .seconds(3_000))
      try await tracking.share(with: [late])
      tracking.clock.advance(by: .seconds(600))
      // There from 10 to 20 minutes, when the other group was not shared with, and again after 55 minutes.
      let stored = stride(from: 30, through: 3_540, by: 30).map { (second: Int) -> Position in
        let metres = (600..<1_200).contains(second) || second >= 3_300 ? 0.0 : 500.0
        return Position(
          latitude: 52.5 + metres / 111_195, longitude: 13.4, time: (began + .seconds(second)).timestamp, accuracyM: 5)
      }
      for batch in [stored.shuffled(), stored, Array(stored.suffix(10))] {
        _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: batch), TestUser.ada.options)
      }
      #expect(
        try await tracking.news() == [
          "reached Home to grace.h", "left Home to grace.h", "reached Home to alan,grace.h",
        ])
      let times = try await tracking.sql(
        """
        select distinct
          (extract(epoch from recorded_at) - \(began.microseconds)::numeric / 1000000)::int::text as second, kind
        from group_changes where place_name is not null order by second
        """)
      #expect(times == [["1200", "PLACE_LEFT"], ["3300", "PLACE_REACHED"], ["600", "PLACE_REACHED"]])
    }
  }

  @Test("[C-9] nothing of a deleted account's places is kept, nor their names in what groups saw")
  func deletion() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.home(told: [group])
      try await tracking.share(with: [group])
      try await tracking.walk(to: 500)
      try await tracking.walk(to: 0)
      #expect(try await tracking.value("select count(place_name) from group_changes") == "1")
      try await tracking.own.transaction { tx in
        for removal in TrackingSchema.removals { try await tx.remove(TestUser.ada.id, by: removal) }
      }
      #expect(
        try await tracking.sql("select (select count(*) from places), (select count(*) from place_groups)")
          == [["0", "0"]])
      // What groups saw is removed in parts, soon afterwards.
      try await until("no name and position is left in what the group saw, and every number") {
        try await tracking.sql(
          "select count(place_name), count(latitude), count(distinct sequence) from group_changes") == [
            ["0", "0", "4"]
          ]
      }
    }
  }
}

@Suite("estimated arrivals")
struct EstimateTests {
  @Test("[TR-6] [TR-9] a journey shows when it ends if it goes on so, beside the promised time, wherever it is seen")
  func shown() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      #expect(journey.estimatedArrivalTime == nil)
      // 100 m in half a minute, from 2,000 m.
      for step in 0...5 { try await tracking.walk(to: 2_000 - 100 * Double(step)) }
      let expected = (tracking.clock.now + .seconds(15 * 30)).timestamp
      let seen = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: journey.journeyID), TestUser.grace.options)
      #expect(seen.estimatedArrivalTime == expected && seen.arrivalTime == journey.arrivalTime)
      let member = try await tracking.member(.ada, in: group, seenBy: .grace)
      #expect(member.estimatedArrivalTime == expected && member.arrivalTime == journey.arrivalTime)
      let link = try await JourneySharesClient(tracking.client).createShare(
        CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
      let shared = try await JourneySharesClient(tracking.client).getSharedJourney(
        GetSharedJourneyRequest(token: link.token))
      #expect(shared.estimatedArrivalTime == expected)
    }
  }

  @Test("[TR-4] [TR-9] viewers see the estimate with each position, live and from the log; it ends with the journey")
  func watched() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      for step in 0...4 { try await tracking.walk(to: 2_000 - 100 * Double(step)) }
      let live = try await tracking.watch([WatchedGroup(group)], as: .grace) { _, reader in
        let last = try #require(try await reader.snapshot().group?.sequence)
        try await tracking.walk(to: 1_500)
        let change = try await reader.change()
        #expect(change.sequence == last + 1)
        return change
      }
      guard case .member(let member) = live.change else { throw Missing() }
      #expect(member.estimatedArrivalTime == (tracking.clock.now + .seconds(15 * 30)).timestamp)
      #expect(member.arrivalTime == journey.arrivalTime)
      let logged = try await tracking.watch([WatchedGroup(group, after: live.sequence - 1)], as: .grace) { _, reader in
        _ = try await reader.next()
        return try await reader.change()
      }
      #expect(logged == live)
      _ = try await tracking.journeys.stopJourney(StopJourneyRequest(), TestUser.ada.options)
      let ended = try await tracking.member(.ada, in: group, seenBy: .grace)
      #expect(ended.estimatedArrivalTime == nil && ended.arrivalTime == nil)
      let stopped = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: journey.journeyID), TestUser.ada.options)
      #expect(stopped.estimatedArrivalTime == nil)
    }
  }
}

/// Something else was sent than the test expects.
private struct Missing: Error {}

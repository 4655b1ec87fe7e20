import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain

extension RunningTracking {
  /// Reports a position of this moment to some groups.
  @discardableResult
  fileprivate func report(
    _ latitude: Double, to groups: [GroupID], after seconds: Int64 = 0, as user: TestUser = .ada
  ) async throws -> ReportSummary {
    clock.advance(by: .seconds(seconds))
    let point = Position(latitude: latitude, longitude: 13.4, time: clock.now.timestamp, accuracyM: 5)
    return try await locations.reportBatch(
      ReportBatchRequest(points: [point], groupIds: groups.map(\.description)), user.options)
  }

  fileprivate func latitude(in group: GroupID, seenBy viewer: TestUser) async throws -> Double? {
    try await member(.ada, in: group, seenBy: viewer).position?.latitude
  }

  /// The latitudes that the log of a group has, which live views are sent, in order.
  fileprivate func logged(_ group: GroupID) async throws -> [Double] {
    try await sql(
      "select latitude from group_changes where group_id = '\(group)' and latitude is not null order by sequence"
    ).compactMap { $0.first.flatMap { $0 }.flatMap { Double($0) } }
  }

  /// A group of Ada and Grace, and one of Ada and Alan, both of which Ada shares with.
  fileprivate func homeAndClub() async throws -> (home: GroupID, club: GroupID) {
    let groups = (try await group(1, of: [.ada, .grace]), try await group(2, of: [.ada, .alan]))
    try await share(with: [groups.0, groups.1])
    return groups
  }
}

@Suite("positions that are reported to some groups", .timeLimit(.minutes(5)))
struct NamedGroupsTests {
  @Test("[TR-2] 31 item 7: only the named groups see a position, in snapshots, views and the log; by default all do")
  func named() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = try await tracking.homeAndClub()
      #expect(try await tracking.report(52.1, to: []).groups == 2)
      try await tracking.watch([WatchedGroup(club)], as: .alan) { _, reader in
        #expect(try await reader.snapshot().group?.members.first?.position?.latitude == 52.1)
        let counts = try await tracking.report(52.101, to: [home, home], after: 10)
        #expect(counts.accepted == 1 && counts.groups == 1)
        #expect(try await tracking.latitude(in: home, seenBy: .grace) == 52.101)
        #expect(try await tracking.latitude(in: club, seenBy: .alan) == 52.1)
        // A new member sees what the others see.
        try await tracking.group(2, of: [.grace])
        #expect(try await tracking.latitude(in: club, seenBy: .grace) == 52.1)

        #expect(try await tracking.report(52.102, to: [], after: 10).groups == 2)
        guard case .member(let ada) = try await reader.change().change else {
          Issue.record("no member")
          return
        }
        #expect(ada.position?.latitude == 52.102, "the first that the view is sent of her")
      }
      #expect(try await tracking.latitude(in: club, seenBy: .alan) == 52.102)
      #expect(try await tracking.logged(home) == [52.1, 52.101, 52.102])
      #expect(try await tracking.logged(club) == [52.1, 52.102])

      // The last position that the group saw stays when sharing ends.
      try await tracking.report(52.103, to: [home], after: 10)
      tracking.clock.advance(by: .seconds(1))
      try await tracking.stopSharing(with: [home, club])
      #expect(try await tracking.latitude(in: home, seenBy: .grace) == 52.103)
      #expect(try await tracking.latitude(in: club, seenBy: .alan) == 52.102)
    }
  }

  @Test("[TR-2] 31 item 7: each message of a stream names its groups")
  func stream() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = try await tracking.homeAndClub()
      try await tracking.locations.report(TestUser.ada.options) { writer, summaries in
        var summaries = summaries.makeAsyncIterator()
        for (latitude, groups) in [(52.1, [home]), (52.101, [club]), (52.102, [home, club])] {
          tracking.clock.advance(by: .seconds(10))
          let point = Position(latitude: latitude, longitude: 13.4, time: tracking.clock.now.timestamp)
          try await writer.send(ReportRequest(points: [point], groupIds: groups.map(\.description)))
          #expect(try await summaries.next()?.groups == Int32(groups.count))
        }
        writer.finish()
      }
      #expect(try await tracking.logged(home) == [52.1, 52.102])
      #expect(try await tracking.logged(club) == [52.101, 52.102])
    }
  }

  @Test("[TR-2] [TR-12] [C-2] 31 item 7: every group that cannot be named is, and no position of the message is stored")
  func badGroups() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(1, of: [.ada, .grace])
      let (foreign, unshared) = (try await tracking.group(2, of: [.alan]), try await tracking.group(3, of: [.ada]))
      let unknown = GroupID(UUID7(high: 0x0190_0000_0000_7001, low: 0x8000_0000_0000_00FF))
      try await tracking.share(with: [home])
      let point = Position(latitude: 52.1, longitude: 13.4, time: tracking.clock.now.timestamp)
      for (groups, fields, reason) in [
        ([home.description, "x", ""], ["group_ids[1]", "group_ids[2]"], "GROUP_ID_INVALID"),
        ([unknown, home, foreign, unshared].map(\.description), ["group_ids[0]", "group_ids[2]"], "GROUP_NOT_FOUND"),
        ([home, unshared].map(\.description), ["group_ids[1]"], "GROUP_NOT_SHARED"),
        (Array(repeating: home.description, count: 101), ["group_ids"], "TOO_MANY_GROUPS"),
      ] {
        let refused = try await refusal {
          try await tracking.locations.reportBatch(
            ReportBatchRequest(points: [point], groupIds: groups), TestUser.ada.options)
        }
        #expect(refused.fields == fields, "\(refused)")
        #expect(refused.badRequest?.fieldViolations.map(\.reason) == fields.map { _ in reason }, "\(refused)")
      }
      let both = try await refusal {
        try await tracking.locations.reportBatch(ReportBatchRequest(groupIds: ["x"]), TestUser.ada.options)
      }
      #expect(both.fields == ["points", "group_ids[0]"])
      let streamed = try await refusal {
        try await tracking.locations.report(TestUser.ada.options) { writer, summaries in
          try await writer.send(ReportRequest(points: [point], groupIds: [foreign.description]))
          for try await _ in summaries {}
        }
      }
      #expect(streamed.code == .notFound && streamed.fields == ["group_ids[0]"])
      #expect(try await tracking.value("select count(*) from trackers where latitude is not null") == "0")
    }
  }

  @Test("[TR-5] [TR-2] 31 item 7: in SOS all groups see every position, whichever it names, and none from before")
  func alert() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = try await tracking.homeAndClub()
      try await tracking.report(52.1, to: [])
      try await tracking.report(52.101, to: [home], after: 10)
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      #expect(try await tracking.member(.ada, in: club, seenBy: .alan).state == .sos)
      #expect(try await tracking.latitude(in: club, seenBy: .alan) == 52.1, "the other one was not for them")
      #expect(try await tracking.logged(club) == [52.1])
      // A group that she has left must not make an alert blind.
      let foreign = try await tracking.group(3, of: [.alan])
      let counts = try await tracking.report(52.102, to: [home, foreign], after: 10)
      #expect(counts.accepted == 1 && counts.groups == 2)
      for (group, viewer) in [(home, TestUser.grace), (club, .alan)] {
        #expect(try await tracking.latitude(in: group, seenBy: viewer) == 52.102)
        let path = try await tracking.path(GetPathRequest(journeyID: alert.journeyID), as: viewer)
        #expect(path.map(\.latitude) == [52.102])
      }
      _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
      try await tracking.report(52.103, to: [club], after: 10)
      #expect(try await tracking.latitude(in: home, seenBy: .grace) == 52.102)
    }
  }

  @Test("[TR-11] [TR-14] [TR-2] 31 item 7: paths, estimates and links show what was reported to their viewers")
  func paths() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = try await tracking.homeAndClub()
      let journey = try await tracking.depart(seenBy: [home, club])
      let call = GetPathRequest(journeyID: journey.journeyID)
      let shares = JourneySharesClient(tracking.client)
      let link = try await shares.createShare(CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
      func linked() async throws -> Double? {
        try await shares.getSharedJourney(GetSharedJourneyRequest(token: link.token)).position?.latitude
      }
      func estimate(_ viewer: TestUser) async throws -> Bool {
        let seen = try await tracking.journeys.getJourney(
          GetJourneyRequest(journeyID: journey.journeyID), viewer.options)
        return seen.estimatedArrivalTime != nil
      }
      for step in 1...6 { try await tracking.report(52.4 + Double(step) / 1_000, to: [], after: 30) }
      #expect(try await linked() == 52.406)
      #expect(try await estimate(.alan))
      try await tracking.report(52.407, to: [home], after: 30)
      #expect(try await linked() == nil, "a link is for whoever has it")
      #expect(try await estimate(.grace))
      #expect(!(try await estimate(.alan)))
      #expect(try await tracking.member(.ada, in: club, seenBy: .alan).estimatedArrivalTime == nil)
      #expect(try await tracking.member(.ada, in: club, seenBy: .alan).state == .routing)
      try await tracking.report(52.408, to: [club], after: 30)
      try await tracking.report(52.409, to: [home, club], after: 30)
      #expect(try await linked() == 52.409)
      let first = (1...6).map { 52.4 + Double($0) / 1_000 }
      #expect(try await tracking.path(call, as: .ada).map(\.latitude) == first + [52.407, 52.408, 52.409])
      #expect(try await tracking.path(call, as: .grace).map(\.latitude) == first + [52.407, 52.409])
      #expect(try await tracking.path(call, as: .alan).map(\.latitude) == first + [52.408, 52.409])

      // What a phone stored, for one group; then for the other one, too.
      let stored = [3, 6].map { second in
        Position(
          latitude: 52.4 + Double(second) / 100_000, longitude: 13.4,
          time: (tracking.clock.now + .seconds(second - 270)).timestamp, accuracyM: 5)
      }
      for group in [home, club] {
        #expect(try await tracking.path(call, as: .alan).count == 8)
        let counts = try await tracking.locations.reportBatch(
          ReportBatchRequest(points: stored, groupIds: [group.description]), TestUser.ada.options)
        #expect(counts.outOfOrder == 2)
      }
      #expect(try await tracking.path(call, as: .alan).count == 10)

      // Whoever stays ends the journey for all: it is one.
      tracking.clock.advance(by: .seconds(300))
      try await tracking.report(52.5, to: [home], after: 60)
      #expect(try await tracking.news().last == "arrivedOnTime to alan,grace.h")
      let seen = try await tracking.member(.ada, in: club, seenBy: .alan)
      #expect(seen.journeyID == "" && seen.position?.latitude == 52.409)
      #expect(try await tracking.path(call, as: .alan).last?.latitude == 52.409)
    }
  }

  @Test("[TR-2] 31 item 7: the same position that is reported to a further group is seen by it, too, and counted once")
  func furtherGroup() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = try await tracking.homeAndClub()
      let journey = try await tracking.depart(seenBy: [home, club])
      try await tracking.report(52.1, to: [home], after: 10)
      #expect(try await tracking.latitude(in: club, seenBy: .alan) == nil)
      for _ in 1...2 {
        let again = try await tracking.report(52.1, to: [club])
        #expect(again.duplicate == 1 && again.accepted == 0 && again.groups == 2)
      }
      #expect(try await tracking.latitude(in: club, seenBy: .alan) == 52.1)
      #expect(try await tracking.logged(club) == [52.1])
      #expect(try await tracking.logged(home) == [52.1])
      let path = try await tracking.path(GetPathRequest(journeyID: journey.journeyID), as: .alan)
      #expect(path.map(\.latitude) == [52.1])
    }
  }

  @Test("[TR-15] [TR-2] 31 item 7: groups are told of a place by the positions that are for them, members of both once")
  func places() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = try await tracking.homeAndClub()
      let both = try await tracking.group(3, of: [.ada, .grace, .alan])
      try await tracking.share(with: [both])
      _ = try await tracking.home(told: [home, club])
      try await tracking.walk(to: 500)
      try await tracking.report(52.5, to: [home, both], after: 30)
      #expect(try await tracking.news() == ["reached Home to grace.h"])
      #expect(try await tracking.value("select count(*) from place_groups where presence = 'OUTSIDE'") == "1")
      // Alan's group sees her there only now; whoever is in both knows it.
      try await tracking.group(2, of: [.grace])
      try await tracking.walk(to: 1)
      #expect(try await tracking.news() == ["reached Home to grace.h", "reached Home to alan"])
      #expect(try await tracking.value("select count(*) from place_groups where presence is not null") == "0")

      // Away and back for one group: the other one has not missed her.
      for metres in [500.0, 500, 0] { try await tracking.report(52.5 + metres / 111_195, to: [home], after: 30) }
      #expect(try await tracking.news().suffix(2) == ["left Home to grace.h", "reached Home to grace.h"])
      try await tracking.walk(to: 0)
      #expect(try await tracking.news().count == 4)
      for _ in 1...2 { try await tracking.walk(to: 500) }
      #expect(try await tracking.news().last == "left Home to alan,grace.h")
    }
  }

  @Test("[TR-10] [TR-2] 31 item 7: a group that is not reported to for a minute sees INACTIVE, quietly")
  func silence() async throws {
    try await RunningTracking.with(["--look-interval", "10ms"]) { tracking in
      let (home, club) = try await tracking.homeAndClub()
      try await tracking.report(52.1, to: [])
      for _ in 1...5 { try await tracking.report(52.1, to: [home], after: 15) }
      try await until("the other group sees her inactive") {
        try await tracking.member(.ada, in: club, seenBy: .alan).state == .inactive
      }
      #expect(try await tracking.latitude(in: club, seenBy: .alan) == 52.1)
      #expect(try await tracking.member(.ada, in: home, seenBy: .grace).state == .active)
      try await tracking.report(52.1, to: [club], after: 10)
      #expect(try await tracking.member(.ada, in: club, seenBy: .alan).state == .active)
      #expect(try await tracking.news() == [])
    }
  }

  @Test("[TR-2] [TR-4] 31 item 7: of 96 reports at once each group has those for it alone, in its log and its view")
  func race() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = try await tracking.homeAndClub()
      let time = tracking.clock.now
      tracking.clock.advance(by: .seconds(8))
      // The third decimal says whom it is for: 1 home, 2 the club, 3 both.
      let outcomes = await tracking.service.race(96) { client, caller in
        let kind = caller % 3 + 1
        let groups = [[home], [club], []][kind - 1]
        let point = Position(
          latitude: 52.4 + Double(kind) / 1_000 + Double(caller) / 10_000_000, longitude: 13.4,
          time: (time + .milliseconds(80 * caller)).timestamp, accuracyM: 500)
        return try await LocationsClient(client).reportBatch(
          ReportBatchRequest(points: [point], groupIds: groups.map(\.description)), TestUser.ada.options)
      }
      let counts = try outcomes.map { try $0.get() }
      #expect(counts.allSatisfy { $0.accepted + $0.outOfOrder == 1 })
      func kinds(_ latitudes: [Double]) -> Set<Int> { Set(latitudes.map { Int((($0 - 52.4) * 1_000).rounded()) }) }
      for (group, viewer, other) in [(home, TestUser.grace, 2), (club, .alan, 1)] {
        #expect(!kinds(try await tracking.logged(group)).contains(other))
        let seen = try #require(try await tracking.latitude(in: group, seenBy: viewer))
        #expect(try await tracking.logged(group).last == seen, "snapshot and log agree")
      }
      #expect(
        try await tracking.sql(
          "select id from groups left join group_changes on group_id = id group by id, groups.sequence "
            + "having groups.sequence <> count(group_changes.sequence)") == [])
    }
  }
}

import Identifiers
import TTRPC
import TandemEvents
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingStore

@Suite("sharing positions")
struct SharingTests {
  @Test("[TR-1] [TR-2] a position that was reported is what the members of the group see")
  func share() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let started = try await tracking.locations.startSharing(
        StartSharingRequest(groupIds: [group.description]), TestUser.ada.options)
      #expect(started.members.map(\.state) == [.active])
      let counts = try await tracking.report(52.5, 13.4, accuracy: 5)
      #expect(counts.accepted == 1 && counts.groups == 1)
      let ada = try await tracking.member(.ada, in: group, seenBy: .grace)
      #expect(ada.state == .active && ada.username == "ada")
      #expect(ada.position?.latitude == 52.5 && ada.position?.accuracyM == 5)
      #expect(ada.position?.time == tracking.clock.now.timestamp)
    }
  }

  @Test("[TR-1] who stops sharing is inactive at once, and the last known position stays readable with its time")
  func stop() async throws {
    try await RunningTracking.with { tracking in
      let groups = [try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada])]
      try await tracking.share(with: groups)
      try await tracking.report(52.5, 13.4)
      let time = tracking.clock.now
      tracking.clock.advance(by: .seconds(1))
      let stopped = try await tracking.locations.stopSharing(
        StopSharingRequest(groupIds: [groups[0].description]), TestUser.ada.options)
      #expect(stopped.members.map(\.state) == [.inactive])
      tracking.clock.advance(by: .seconds(1))
      let counts = try await tracking.report(52.501, 13.4)
      #expect(counts.groups == 1)
      let ada = try await tracking.member(.ada, in: groups[0], seenBy: .grace)
      #expect(ada.state == .inactive && ada.position?.latitude == 52.5 && ada.position?.time == time.timestamp)
    }
  }

  @Test("[TR-12] to a user who is no member, a group does not exist")
  func strangers() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      for call in [
        { try await tracking.share(with: [group], as: .grace) },
        { _ = try await tracking.member(.ada, in: group, seenBy: .grace) },
        { _ = try await tracking.depart(seenBy: [group], as: .grace) },
      ] as [() async throws -> Void] {
        #expect(await reason { try await call() } == "GROUP_NOT_FOUND")
      }
    }
  }

  @Test("[TR-2] a batch of too many positions, or none, is refused with its limit")
  func limits() async throws {
    try await RunningTracking.with { tracking in
      let point = Position(latitude: 1, longitude: 1, time: tracking.clock.now.timestamp)
      for (count, expected) in [(0, "POINTS_REQUIRED"), (501, "TOO_MANY_POINTS")] {
        let found = await reason {
          _ = try await tracking.locations.reportBatch(
            ReportBatchRequest(points: Array(repeating: point, count: count)), TestUser.ada.options)
        }
        #expect(found == expected)
      }
    }
  }

  @Test("[TR-2] a batch of 100,000 positions is refused, and the connection serves on")
  func hugeBatch() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      try await tracking.share(with: [group])
      let point = Position(latitude: 1, longitude: 1, time: tracking.clock.now.timestamp)
      let status = try await refusal {
        try await tracking.locations.reportBatch(
          ReportBatchRequest(points: Array(repeating: point, count: 100_000)), TestUser.ada.options)
      }
      #expect(status.code == .resourceExhausted, "\(status)")
      #expect(try await tracking.report(1, 1).accepted == 1)
    }
  }

  @Test("[TR-2] a batch that is sent again, to another replica or after a restart, is counted as duplicates")
  func again() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock()
      let time = clock.now
      clock.advance(by: .seconds(200))
      let batches = [0, 100].map { first in
        ReportBatchRequest(
          points: (first..<first + 100).map { second in
            Position(
              latitude: 52.4 + Double(second) / 100_000, longitude: 13.4, time: (time + .seconds(second)).timestamp)
          })
      }
      try await RunningTracking.with(on: database, clock) { tracking in
        let group = try await tracking.group(of: [.ada])
        try await tracking.share(with: [group])
        for batch in batches {
          #expect(try await tracking.locations.reportBatch(batch, TestUser.ada.options).accepted == 100)
        }
      }
      try await RunningTracking.with(on: database, clock) { tracking in
        for batch in batches {
          let counts = try await tracking.locations.reportBatch(batch, TestUser.ada.options)
          #expect(counts.duplicate == 100 && counts.outOfOrder == 0, "\(counts)")
        }
      }
    }
  }

  @Test(
    "[TR-2] coordinates that are no numbers or not on Earth, rockets and clocks a day off are counted by their reasons")
  func badInput() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      try await tracking.share(with: [group])
      let now = tracking.clock.now
      func point(_ latitude: Double, _ seconds: Double = 0, speed: Double? = nil, accuracy: Double? = nil)
        -> TandemTracking.Position
      {
        TandemTracking.Position(
          latitude: latitude, longitude: 13.4, time: (now + .seconds(seconds)).timestamp, accuracyM: accuracy,
          speedMps: speed)
      }
      let points = [
        point(.nan), point(.infinity), point(-.infinity), point(91), point(1, 86_400), point(1, -86_401),
        point(1, speed: 7_900), point(1, speed: .nan), point(1, accuracy: .nan), point(1),
      ]
      let counts = try await tracking.locations.reportBatch(ReportBatchRequest(points: points), TestUser.ada.options)
      #expect(
        counts
          == ReportSummary(
            accepted: 1, stale: 1, wrongTime: 1, wrongCoordinates: 4, wrongMeasurement: 2, tooFast: 1, groups: 1))
    }
  }

  @Test("[TR-2] a position as far away as only a rocket gets is not believed, until the next one confirms it")
  func rocket() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.share(with: [group])
      try await tracking.report(52.5, 13.4)
      for (latitude, isBelieved) in [(48.1, false), (52.5001, true), (48.1, false), (48.1001, true)] {
        tracking.clock.advance(by: .seconds(10))
        let counts = try await tracking.report(latitude, 13.4)
        #expect(counts.accepted == (isBelieved ? 1 : 0) && counts.tooFast == (isBelieved ? 0 : 1), "\(latitude)")
        let seen = try await tracking.member(.ada, in: group, seenBy: .grace).position?.latitude
        #expect((seen == latitude) == isBelieved)
      }
    }
  }

  @Test("[TR-2] each message of a stream is answered once its positions are stored")
  func stream() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      try await tracking.share(with: [group])
      let time = tracking.clock.now
      try await tracking.locations.report(TestUser.ada.options) { writer, summaries in
        var summaries = summaries.makeAsyncIterator()
        for second in 0..<3 {
          try await writer.send(
            ReportRequest(points: [
              Position(
                latitude: Double(second) / 1_000_000, longitude: 1, time: (time - .seconds(3 - second)).timestamp)
            ]))
          #expect(try await summaries.next()?.accepted == 1)
          #expect(
            try await tracking.value("select count(*) from group_changes where kind = 'POSITION'") == "\(second + 1)")
        }
        writer.finish()
      }
    }
  }

  @Test("[TR-2] positions of a user who shares with no group are not kept")
  func unwatched() async throws {
    try await RunningTracking.with { tracking in
      try await tracking.group(of: [.ada])
      let counts = try await tracking.report(52.5, 13.4)
      #expect(counts.accepted == 1 && counts.groups == 0)
      #expect(try await tracking.value("select count(*) from trackers where latitude is not null") == "0")
    }
  }

  @Test("[TR-2] [TR-4] reports of 64 users at once are all stored, and each group's changes have no gap")
  func race() async throws {
    try await RunningTracking.with { tracking in
      let users = (0..<64).map { TestUser.one($0) }
      var groups: [GroupID] = []
      for place in 0..<16 {
        groups.append(try await tracking.group(UInt64(place), of: (0..<8).map { users[(place * 4 + $0) % 64] }))
      }
      for user in users {
        let own = groups.indices.filter { place in
          (0..<8).contains { (place * 4 + $0) % 64 == Int(user.id.uuid.low & 0xFFFF) - 1_000 }
        }
        try await tracking.share(with: own.map { groups[$0] }, as: user)
      }
      let time = tracking.clock.now
      let outcomes = await tracking.service.race(64 * 4) { client, caller in
        try await LocationsClient(client).reportBatch(
          ReportBatchRequest(points: [
            Position(
              latitude: Double(caller) / 1_000_000, longitude: 1, time: (time - .milliseconds(300 - caller)).timestamp)
          ]), users[caller % 64].options)
      }
      let accepted = try outcomes.reduce(0) { $0 + Int(try $1.get().accepted) }
      let late = try outcomes.reduce(0) { $0 + Int(try $1.get().outOfOrder) }
      #expect(accepted + late == 256)
      #expect(
        try await tracking.sql(
          "select id from groups left join group_changes on group_id = id group by id, groups.sequence "
            + "having groups.sequence <> count(group_changes.sequence) or groups.sequence <> max(group_changes.sequence)"
        ) == [])
      // What of a user is stored together is one change for each group, of which the last one has the newest position.
      let changes = try #require(
        try await tracking.value("select count(*) from group_changes where kind = 'POSITION'").flatMap { Int($0) })
      #expect(changes >= 128 && changes <= accepted * 2, "\(changes) of \(accepted) positions, each seen by 2 groups")
      let current = try await tracking.value(
        """
        select count(*) from (
          select distinct on (group_id, user_id) user_id, recorded_at from group_changes
          where kind = 'POSITION' order by group_id, user_id, sequence desc
        ) as seen join trackers on trackers.user_id = seen.user_id and trackers.recorded_at = seen.recorded_at
        """)
      #expect(current == "128")
    }
  }
}

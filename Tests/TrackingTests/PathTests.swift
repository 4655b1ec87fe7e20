import Blocks
import Identifiers
import LoopExecutor
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingStore

@Suite("paths of journeys")
struct PathTests {
  @Test("[TR-11] [TR-10] members see the path, with what was reported late after silence; strangers see none")
  func path() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      let start = tracking.clock.now
      tracking.clock.advance(by: .seconds(300))
      try await tracking.report(52.41, 13.4)
      let offline = (1...100).map { second in
        Position(latitude: 52.4 + Double(second) / 20_000, longitude: 13.4, time: (start + .seconds(second)).timestamp)
      }
      let counts = try await tracking.locations.reportBatch(ReportBatchRequest(points: offline), TestUser.ada.options)
      #expect(counts.outOfOrder == 100)
      let call = GetPathRequest(journeyID: journey.journeyID)
      #expect(try await tracking.path(call, as: .grace).count == 101)
      #expect(
        try await tracking.path(GetPathRequest(journeyID: journey.journeyID, toleranceM: 5), as: .grace).count < 5)
      #expect(await reason { _ = try await tracking.path(call, as: .alan) } == "JOURNEY_NOT_FOUND")
    }
  }

  @Test("[TR-11] [TR-10] what a phone stored on the way is part of the path though it comes after the arrival")
  func afterArrival() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      let start = tracking.clock.now
      tracking.clock.advance(by: .seconds(300))
      try await tracking.report(52.5, 13.4)
      let stored = (-2...10).map { second in
        Position(latitude: 52.49, longitude: 13.4, time: (start + .seconds(second)).timestamp)
      }
      _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: stored), TestUser.ada.options)

      let path = try await tracking.path(GetPathRequest(journeyID: journey.journeyID), as: .grace)
      #expect(path.count == 12, "the 11 from within the journey, and the arrival")
    }
  }

  @Test("[TR-11] [TR-12] a member who leaves a group on the way and joins again shows nothing of the journey there")
  func rejoined() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      let id = try await tracking.value("select membership_id from memberships where user_id = '\(TestUser.ada.id)'")
      let membership = try #require(id.flatMap { MembershipID($0) })
      try await tracking.own.write(
        RemoveMemberships(groupIDs: [group], userIDs: [TestUser.ada.id], membershipIDs: [membership]))
      _ = try await tracking.group(of: [.ada])

      let refusal = await reason {
        _ = try await tracking.path(GetPathRequest(journeyID: journey.journeyID), as: .grace)
      }
      #expect(refusal == "JOURNEY_NOT_FOUND")
    }
  }

  @Test("[TR-1] [TR-4] a group that is shared with later is not told of an earlier position")
  func earlierPosition() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = (
        try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada, .alan])
      )
      try await tracking.share(with: [home])
      try await tracking.report(52.5, 13.4)
      tracking.clock.advance(by: .seconds(10))
      try await tracking.share(with: [club])

      let change = try await tracking.sql("select state, latitude from group_changes where group_id = '\(club)'")
      #expect(change.last == ["ACTIVE", nil])
    }
  }

  @Test(
    "[TR-12] [C-10] [TR-11] who is removed or blocked while a path is sent gets no more of it",
    arguments: [(true, true), (true, false), (false, true), (false, false)])
  func endsWithMembership(isBlock: Bool, isExported: Bool) async throws {
    try await RunningTracking.with { tracking in
      let alert = try await tracking.longAlert(of: .ada)
      let group = try #require(alert.groupIds.first.flatMap { GroupID($0) })
      let status = try await refusal {
        try await tracking.service.withSlowReader { client in
          try await client.readPath(of: alert, isExported: isExported, TestUser.grace.options) {
            if isBlock {
              try await tracking.block(Block(of: TestUser.grace.id, by: TestUser.ada.id))
            } else {
              try await tracking.remove(.grace, from: group)
            }
          }
        }
      }
      #expect(status.reason == "JOURNEY_NOT_FOUND")
    }
  }

  @Test("[TR-11] a path has what was recorded until it was asked for, however long it takes to read")
  func endsWhereItBegan() async throws {
    try await RunningTracking.with { tracking in
      let alert = try await tracking.longAlert(of: .ada)
      let messages = try await tracking.service.withSlowReader { client in
        try await client.readPath(of: alert, isExported: false, TestUser.grace.options) {
          tracking.clock.advance(by: .seconds(600))
          try await tracking.report(52.5, 13.4)
        }
      }
      #expect(messages == 100)
    }
  }

  @Test("[TR-13] positions, paths and journeys are deleted after the time that their user chose")
  func retention() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock()
      try await RunningTracking.with(on: database, clock) { tracking in
        for (user, number) in [(TestUser.ada, UInt64(1)), (.grace, 2)] {
          let group = try await tracking.group(number, of: [user])
          try await tracking.depart(seenBy: [group], as: user)
          try await tracking.report(52.4, 13.4, as: user)
          _ = try await tracking.journeys.stopJourney(StopJourneyRequest(), user.options)
        }
        #expect(try await tracking.locations.getRetention(GetRetentionRequest(), TestUser.ada.options).days == 30)
        _ = try await tracking.locations.setRetention(SetRetentionRequest(days: 3), TestUser.ada.options)
        for days in [Int32(1), 366] {
          let found = await reason {
            _ = try await tracking.locations.setRetention(SetRetentionRequest(days: days), TestUser.ada.options)
          }
          #expect(found == "RETENTION_INVALID")
        }
        // As if their silence had been noticed: otherwise a look at a restart may have the rows locked, which a sweep leaves to the next
        // one, six hours later.
        try await tracking.sql("update trackers set check_at = null, trail = '\\x00'")
      }
      for (day, left) in [(2, "2"), (4, "1"), (31, "0")] {
        let now = clock.now
        clock.set(ManualClock().now + .seconds(day * 86_400))
        #expect(now < clock.now)
        try await RunningTracking.with(on: database, clock) { tracking in
          try await until("\(left) are left on day \(day)") {
            let counts = try await tracking.sql(
              """
              select (select count(*) from path_points), (select count(*) from journeys),
                (select count(latitude) from trackers),
                (select count(*) from trackers where trail <> '' or suspect <> '')
              """)
            return counts == [[left, left, left, left]]
          }
          try await until("partitions of the days before are dropped") {
            let days = try await tracking.value(
              "select count(*) from pg_inherits where inhparent = 'group_changes'::regclass")
            return days.flatMap { Int($0) }.map { $0 <= 5 } ?? false
          }
        }
      }
    }
  }
}

extension RunningTracking {
  /// An alert of a user, which Grace sees, with a path of 100 messages: more than waits anywhere between a service and its client.
  func longAlert(of user: TestUser) async throws -> Journey {
    try await group(of: [user, .grace])
    let alert = try await journeys.startSOS(StartSOSRequest(), user.options)
    try await sql(
      """
      insert into path_points
      select user_id, started_at + number * interval '100 microseconds', 52.4, 13.4, 5.5, 34.5, 1.5, 90.5
      from journeys, generate_series(0, 199999) as number
      """)
    return alert
  }

  func path(_ call: GetPathRequest, as user: TestUser) async throws -> [Position] {
    var points: [Position] = []
    try await journeys.getPath(call, user.options) { parts in
      for try await part in parts { points += part.points }
    }
    return points
  }
}

extension RPCClient {
  /// Reads a path, and does something once its first message has come; returns how many came.
  @discardableResult
  func readPath(
    of journey: Journey, isExported: Bool, _ options: CallOptions, _ meanwhile: () async throws -> Void
  ) async throws -> Int {
    let journeys = JourneysClient(self)
    guard isExported else {
      return try await journeys.getPath(GetPathRequest(journeyID: journey.journeyID), options) { parts in
        try await Self.count(parts, meanwhile)
      }
    }
    return try await journeys.exportPath(ExportPathRequest(journeyID: journey.journeyID), options) { parts in
      try await Self.count(parts, meanwhile)
    }
  }

  private static func count<M>(_ parts: MessageStream<M>, _ meanwhile: () async throws -> Void) async throws -> Int {
    var count = 0
    for try await _ in parts {
      count += 1
      if count == 1 { try await meanwhile() }
    }
    return count
  }
}

extension RunningService {
  /// Runs `body` with a client for whose reader the service has to wait.
  func withSlowReader<R: Sendable>(_ body: (RPCClient) async throws -> R) async throws -> R {
    var settings = RPCClient.Settings()
    settings.unreadStreams = .pauseReading
    settings.unreadBytesPerStream = 100_000
    let client = RPCClient(
      host: "127.0.0.1", port: port, security: security, settings: settings, on: slowReaders.executors[0])
    let result: Result<R, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    await client.close()
    return try result.get()
  }
}

/// The loop of clients that read slowly.
private let slowReaders = LoopGroup(threads: 1)

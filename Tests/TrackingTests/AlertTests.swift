import Blocks
import ChatDomain
import Identifiers
import TTRPC
import TandemEvents
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingConsumers
import TrackingDomain
import TrackingStore

@testable import Events

@Suite("whom an alert reaches", .timeLimit(.minutes(5)))
struct AlertTests {
  private static func start(
    _ tracking: RunningTracking, at position: TandemTracking.Position? = nil
  ) async throws -> Journey {
    try await tracking.journeys.startSOS(StartSOSRequest(position: position), TestUser.ada.options)
  }

  @Test(
    "[TR-5] T-2: an alert without a group says that no member was alerted; a second one tells the group joined since")
  func withoutGroup() async throws {
    try await RunningTracking.with { tracking in
      let alert = try await Self.start(tracking)
      #expect(alert.alertedMembers == 0 && alert.notice == "No member was alerted: you are in no group.")
      // As by a version that did not add it by itself.
      let group = try await tracking.group(of: [.ada, .grace, .alan])
      let again = try await Self.start(tracking)
      #expect(again.journeyID == alert.journeyID && again.groupIds == [group.description])
      #expect(again.alertedMembers == 2 && again.notice == "")
      #expect(try await tracking.member(.ada, in: group, seenBy: .grace).state == .sos)
      #expect(try await tracking.news() == ["sosStarted to alan,grace.h"])
      #expect(try await Self.start(tracking) == again)
      #expect(try await tracking.news().count == 1)
    }
  }

  @Test("[TR-5] T-2: a second alert tells the groups that are missing, and members of the others not again")
  func missingGroups() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(1, of: [.ada, .grace])
      let alert = try await Self.start(tracking, at: Position(latitude: 52.4, longitude: 13.4))
      #expect(alert.alertedMembers == 1)
      tracking.clock.advance(by: .seconds(10))
      let club = try await tracking.group(2, of: [.ada, .grace, .alan])
      try await tracking.share(with: [club])
      #expect(try await Self.start(tracking).alertedMembers == 2)
      #expect(try await tracking.news() == ["sosStarted to grace.h", "sosStarted to alan"])
      let ada = try await tracking.member(.ada, in: club, seenBy: .alan)
      #expect(ada.state == .sos && ada.sosID == alert.journeyID)
      #expect(ada.position?.latitude == 52.4, "what arrived since the alert began may help")

      // Removed and added again.
      try await tracking.remove(.ada, ConversationID(home.uuid))
      try await tracking.group(1, of: [.ada])
      _ = try await Self.start(tracking)
      #expect(try await tracking.member(.ada, in: home, seenBy: .grace).state == .sos)
      _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
      #expect(try await tracking.news().last == "sosStopped to alan,grace.h")
    }
  }

  @Test("[TR-5] T-2: a membership that begins during an alert shows it, and the members of the group are told")
  func membership() async throws {
    try await RunningTracking.with { tracking in
      let home = try await tracking.group(1, of: [.ada, .grace])
      let club = try await tracking.group(2, of: [.alan])
      let alert = try await Self.start(tracking, at: Position(latitude: 52.4, longitude: 13.4))
      tracking.clock.advance(by: .seconds(5))
      try await tracking.watch([WatchedGroup(club)], as: .alan) { _, reader in
        _ = try await reader.snapshot()
        try await tracking.added(.ada, to: club)
        guard case .member(let joined) = try await reader.change().change,
          case .member(let ada) = try await reader.change().change
        else {
          Issue.record("no members")
          return
        }
        #expect(joined.username == "ada")
        #expect(ada.state == .sos && ada.sosID == alert.journeyID && ada.position?.latitude == 52.4)
      }
      #expect(try await tracking.news() == ["sosStarted to grace.h", "sosStarted to alan"])
      let stored = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: alert.journeyID), TestUser.ada.options)
      #expect(stored.alertedMembers == 2 && Set(stored.groupIds) == [home.description, club.description])
      let seen = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: alert.journeyID), TestUser.alan.options)
      #expect(seen.alertedMembers == 0, "how many members other groups have is for the user alone")
    }
  }

  @Test("[TR-5] T-2: a membership and an alert at the same moment: the group sees the alert, whichever is first")
  func race() async throws {
    try await RunningTracking.with { tracking in
      let first = try await tracking.group(1, of: [.ada])
      try await tracking.share(with: [first])
      for round in 0..<20 as Range<UInt64> {
        let group = try await tracking.group(100 + round, of: [.grace])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          tasks.addTask { _ = try await Self.start(tracking) }
          tasks.addTask { try await tracking.added(.ada, to: group) }
          try await tasks.waitForAll()
        }
        #expect(try await tracking.member(.ada, in: group, seenBy: .grace).state == .sos, "round \(round)")
        _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
        tracking.clock.advance(by: .seconds(600))
      }
      #expect(
        try await tracking.value("select deadlocks from pg_stat_database where datname = current_database()") == "0")
    }
  }

  @Test(
    "[TR-5] an alert has its position from the same call, in view and path; one that cannot be used is named in the notice"
  )
  func position() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let alert = try await Self.start(tracking, at: Position(latitude: 52.4, longitude: 13.4, accuracyM: 5))
      #expect(alert.notice == "")
      #expect(try await tracking.member(.ada, in: group, seenBy: .grace).position?.latitude == 52.4)
      #expect(try await tracking.path(GetPathRequest(journeyID: alert.journeyID), as: .grace).count == 1)
      #expect(
        try await tracking.value("select count(*) from group_changes") == "1", "alert and position are one change")
      _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)

      let wrong = try await Self.start(tracking, at: Position(latitude: 91, longitude: 13.4))
      #expect(wrong.kind == .sos && wrong.notice == "The position could not be used." && wrong.alertedMembers == 1)
    }
  }

  @Test(
    "[TR-5] the position of an alert may have been reported before: all groups see it, and the path begins with it",
    arguments: [1, 9, 45])
  func knownPosition(secondsAgo: Int) async throws {
    try await RunningTracking.with { tracking in
      let first = try await tracking.group(1, of: [.ada, .grace])
      let second = try await tracking.group(2, of: [.ada, .alan])
      try await tracking.share(with: [first])
      let known = Position(latitude: 52.4, longitude: 13.4, time: tracking.clock.now.timestamp, accuracyM: 5)
      _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: [known]), TestUser.ada.options)
      tracking.clock.advance(by: .seconds(secondsAgo))

      let alert = try await Self.start(tracking, at: known)

      #expect(alert.notice == "")
      for (group, viewer) in [(first, TestUser.grace), (second, .alan)] {
        #expect(try await tracking.member(.ada, in: group, seenBy: viewer).position?.latitude == 52.4)
        #expect(try await tracking.path(GetPathRequest(journeyID: alert.journeyID), as: viewer).count == 1)
      }
    }
  }

  @Test("[TR-5] an alert whose groups have no other members, or only such as are blocked, says so")
  func alone() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(1, of: [.ada])
      #expect(try await Self.start(tracking).notice == "No member was notified of the alert; your groups see it.")
      _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
      try await tracking.group(1, of: [.grace])
      try await tracking.block(Block(of: TestUser.grace.id, by: TestUser.ada.id))
      #expect(try await Self.start(tracking).alertedMembers == 0)
      #expect(try await tracking.member(.ada, in: group, seenBy: .ada).state == .sos)
    }
  }

  @Test(
    "[TR-10] [TR-5] T-7: silence in SOS has a notice of its own and a mark in the view, once, until a position arrives")
  func silence() async throws {
    try await RunningTracking.with(["--look-interval", "10ms"]) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      _ = try await Self.start(tracking)
      for round in 1...2 {
        tracking.clock.advance(by: .seconds(61))
        try await until("she is offline") {
          try await tracking.member(.ada, in: group, seenBy: .grace).warnings == [.offline]
        }
        #expect(try await tracking.counts()["sosWentOffline"] == round)
        try await tracking.report(52.4, 13.4)
        #expect(try await tracking.member(.ada, in: group, seenBy: .grace).warnings == [])
      }
      #expect(try await tracking.counts() == ["sosStarted": 1, "sosWentOffline": 2])
    }
  }

  @Test("[TR-11] T-7: a member who joins during an alert reads the path from then on")
  func laterMember() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let alert = try await Self.start(tracking, at: Position(latitude: 52.4, longitude: 13.4))
      tracking.clock.advance(by: .seconds(10))
      try await tracking.added(.alan, to: group)
      try await tracking.report(52.401, 13.4)
      let call = GetPathRequest(journeyID: alert.journeyID)
      #expect(try await tracking.path(call, as: .alan).map(\.latitude) == [52.401])
      for one in [TestUser.ada, .grace] {
        #expect(try await tracking.path(call, as: one).map(\.latitude) == [52.4, 52.401])
      }
    }
  }
}

@Suite("phones whose clocks are wrong", .timeLimit(.minutes(5)))
struct WrongClockTests {
  /// Reports where Ada is every two seconds, by a clock that is wrong by what `error` says for each of the reports.
  private static func walk(
    _ tracking: RunningTracking, _ errors: some Sequence<Duration>, _ check: (Double) async throws -> Void
  ) async throws {
    for (number, error) in errors.enumerated() {
      tracking.clock.advance(by: .seconds(2))
      let latitude = 52.4 + Double(number) / 100_000
      let point = Position(
        latitude: latitude, longitude: 13.4, time: (tracking.clock.now + error).timestamp, accuracyM: 5)
      _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: [point]), TestUser.ada.options)
      try await check(latitude)
    }
  }

  /// By how much the clocks are wrong at each report.
  static let clocks: [(name: String, errors: [Duration])] = [
    ("90 s ahead", Array(repeating: .seconds(90), count: 40)),
    ("a day ahead", Array(repeating: .seconds(86_400), count: 10)),
    ("stepped back an hour", [.zero] + Array(repeating: .seconds(-3_600), count: 40)),
    ("stepped ahead an hour", [.zero] + Array(repeating: .seconds(3_600), count: 40)),
    ("one position 58 s ahead", [.seconds(58)] + Array(repeating: .zero, count: 40)),
    ("30 s behind", Array(repeating: .seconds(-30), count: 40)),
    ("two days behind", Array(repeating: .seconds(-172_800), count: 10)),
    ("drifting back", (0..<40).map { .milliseconds(-1_000 * $0) }),
    ("drifting ahead", (0..<40).map { .milliseconds(400 * $0) }),
  ]

  @Test(
    "[TR-5] [TR-2] T-3: in SOS whatever arrives is seen at once and is no silence, whatever the phone's clock says",
    arguments: clocks)
  func alert(name: String, errors: [Duration]) async throws {
    try await RunningTracking.with(["--look-interval", "10ms"]) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      try await Self.walk(tracking, errors) { latitude in
        let seen = try await tracking.member(.ada, in: group, seenBy: .grace).position?.latitude
        #expect(seen == latitude, "\(name)")
      }
      let path = try await tracking.path(GetPathRequest(journeyID: alert.journeyID), as: .grace)
      #expect(path.count >= errors.count - 1, "\(name)")
      #expect(path.map(\.latitude) == path.map(\.latitude).sorted(), "\(name)")
      #expect(try await tracking.counts() == ["sosStarted": 1], "\(name)")
    }
  }

  @Test("[TR-2] [TR-3] T-3: who shares is seen from the second position of a wrong clock on", arguments: clocks)
  func sharing(name: String, errors: [Duration]) async throws {
    try await RunningTracking.with(["--look-interval", "10ms"]) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.share(with: [group])
      var missed = 0
      try await Self.walk(tracking, errors) { latitude in
        let ada = try await tracking.member(.ada, in: group, seenBy: .grace)
        if ada.position?.latitude != latitude { missed += 1 }
        #expect(ada.state == .active, "\(name)")
      }
      #expect(missed <= 2, "\(name)")
    }
  }

  @Test("[TR-7] T-3: a journey by a wrong clock has its path and arrives on time", arguments: clocks)
  func journey(name: String, errors: [Duration]) async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      try await Self.walk(tracking, errors) { _ in }
      let last = try #require(errors.last)
      tracking.clock.advance(by: .seconds(600))
      let home = Position(
        latitude: 52.5, longitude: 13.4, time: (tracking.clock.now + last).timestamp, accuracyM: 5)
      _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: [home]), TestUser.ada.options)
      let ended = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: journey.journeyID), TestUser.grace.options)
      #expect(ended.outcome == .onTime, "\(name)")
      let path = try await tracking.path(GetPathRequest(journeyID: journey.journeyID), as: .grace)
      #expect(path.count >= errors.count - 2, "\(name)")
    }
  }
}

extension RunningTracking {
  /// Does what the consumer of identity's groups does when a user joins.
  func added(_ user: TestUser, to group: GroupID) async throws {
    let event = GroupMemberAdded(
      groupID: group.description, userID: user.id.description, membershipID: "\(Device.newID())",
      addTime: clock.now.timestamp)
    let handlers = EventSubscription.groups(operations).handlers.filter {
      $0.type == GroupMemberAdded.protobufName
    }
    let received = Event(
      type: GroupMemberAdded.protobufName, payload: event.serialized(), occurTime: clock.now.timestamp)
    try await own.repeatableTransaction { tx in
      for handler in handlers { try await handler.apply([received], tx) }
    }
  }
}

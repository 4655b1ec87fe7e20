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

@Suite("journeys and SOS")
struct JourneyTests {
  @Test("[TR-6] a journey is seen by the members of its groups, who are notified once each; a stranger does not see it")
  func start() async throws {
    try await RunningTracking.with { tracking in
      let groups = [
        try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada, .grace]),
      ]
      let journey = try await tracking.depart(seenBy: groups)
      #expect(try await tracking.member(.ada, in: groups[1], seenBy: .grace).state == .routing)
      #expect(try await tracking.member(.ada, in: groups[1], seenBy: .grace).journeyID == journey.journeyID)
      #expect(try await tracking.news() == ["journeyStarted to grace.h"])
      let seen = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: journey.journeyID), TestUser.grace.options)
      #expect(seen == journey)
      let stranger = await reason {
        _ = try await tracking.journeys.getJourney(
          GetJourneyRequest(journeyID: journey.journeyID), TestUser.alan.options)
      }
      #expect(stranger == "JOURNEY_NOT_FOUND")
    }
  }

  @Test("[TR-6] every bad field of a journey is named at once")
  func badFields() async throws {
    try await RunningTracking.with { tracking in
      let status = await #expect(throws: Status.self) {
        try await tracking.journeys.startJourney(
          StartJourneyRequest(
            groupIds: ["x"], destination: Place(latitude: 91), arrivalTime: tracking.clock.now.timestamp),
          TestUser.ada.options)
      }
      #expect(
        status?.fields == ["group_ids[0]", "destination", "arrival_time"], "\(String(describing: status))")
    }
  }

  @Test("[TR-6] a journey that does not say how its user travels is like any other, for its members and by its link")
  func withoutMode() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.journeys.startJourney(
        StartJourneyRequest(
          groupIds: [group.description], destination: Place(latitude: 52.5, longitude: 13.4),
          arrivalTime: (tracking.clock.now + .seconds(3_600)).timestamp), TestUser.ada.options)
      #expect(journey.mode == .unspecified && journey.kind == .journey)
      #expect(try await tracking.news() == ["journeyStarted to grace.h"])
      let links = JourneySharesClient(tracking.client)
      let link = try await links.createShare(CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
      for step in 0...6 {
        try await tracking.report(52.48 + 0.001 * Double(step), 13.4)
        tracking.clock.advance(by: .seconds(20))
      }
      let seen = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: journey.journeyID), TestUser.grace.options)
      #expect(seen.mode == .unspecified && seen.estimatedArrivalTime != nil)
      let path = GetPathRequest(journeyID: journey.journeyID)
      #expect(try await tracking.path(path, as: .grace).count == 7)
      let file = try await tracking.journeys.exportPath(
        ExportPathRequest(journeyID: journey.journeyID), TestUser.grace.options
      ) { parts in
        var file: [UInt8] = []
        for try await part in parts { file += part.chunk }
        return file
      }
      #expect(String(decoding: file, as: UTF8.self).contains("<trkpt"))
      let shared = try await links.getSharedJourney(GetSharedJourneyRequest(token: link.token))
      #expect(shared.mode == .unspecified && shared.position != nil && shared.preview?.text == "")
      #expect(shared.preview?.title == "ada is on the way")
      try await tracking.report(52.5, 13.4)
      let ended = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: journey.journeyID), TestUser.grace.options)
      #expect(ended.outcome == .onTime)
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      #expect(alert.mode == .unspecified)
      await #expect(throws: (any Error).self, "an alert has no way of travelling") {
        try await tracking.value("update journeys set mode = 'WALKING' where kind = 'SOS'")
      }
    }
  }

  @Test("[TR-6] [C-2] T-7: an unknown way of travelling hides no other fault")
  func unknownMode() async throws {
    try await RunningTracking.with { tracking in
      let refused = try await refusal {
        try await tracking.journeys.startJourney(
          StartJourneyRequest(
            groupIds: ["x"], destination: Place(latitude: .nan), arrivalTime: tracking.clock.now.timestamp,
            mode: .unrecognized(99)), TestUser.ada.options)
      }
      #expect(refused.code == .invalidArgument)
      #expect(Set(refused.fields) == ["group_ids[0]", "destination", "arrival_time", "mode"], "\(refused)")
      #expect(try await tracking.value("select count(*) from journeys") == "0")
    }
  }

  @Test("[TR-11] T-7: a member who joins during a journey reads the path from then on")
  func laterMember() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      try await tracking.report(52.4, 13.4)
      tracking.clock.advance(by: .seconds(10))
      try await tracking.added(.alan, to: group)
      try await tracking.report(52.401, 13.4)
      let call = GetPathRequest(journeyID: journey.journeyID)
      #expect(try await tracking.path(call, as: .alan).map(\.latitude) == [52.401])
      for one in [TestUser.ada, .grace] {
        #expect(try await tracking.path(call, as: one).map(\.latitude) == [52.4, 52.401])
      }
    }
  }

  @Test("[TR-5] an alert reaches all groups of the user, shared with or not, and ends with state ACTIVE")
  func sos() async throws {
    try await RunningTracking.with { tracking in
      let groups = [
        try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada, .alan]),
      ]
      try await tracking.share(with: [groups[0]])
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      #expect(alert.kind == .sos)
      #expect(try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options) == alert)
      try await tracking.report(52.5, 13.4)
      for (group, member) in zip(groups, [TestUser.grace, .alan]) {
        let ada = try await tracking.member(.ada, in: group, seenBy: member)
        #expect(ada.state == .sos && ada.sosID == alert.journeyID && ada.position?.latitude == 52.5)
      }
      let stopped = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
      #expect(stopped.outcome == .stopped)
      #expect(try await tracking.member(.ada, in: groups[1], seenBy: .alan).state == .active)
      #expect(try await tracking.news() == ["sosStarted to alan,grace.h", "sosStopped to alan,grace.h"])
      #expect(try await tracking.value("select count(*) from path_points") == "1")
    }
  }

  @Test("[TR-5] [TR-6] of 64 starts at once one wins", arguments: [true, false])
  func race(isSOS: Bool) async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let arrival = (tracking.clock.now + .seconds(3_600)).timestamp
      let outcomes = await tracking.service.race(64) { client, _ in
        let journeys = JourneysClient(client)
        if isSOS { return try await journeys.startSOS(StartSOSRequest(), TestUser.ada.options) }
        return try await journeys.startJourney(
          StartJourneyRequest(
            groupIds: [group.description], destination: Place(latitude: 1, longitude: 1), arrivalTime: arrival,
            mode: .walking), TestUser.ada.options)
      }
      let ids = outcomes.compactMap { try? $0.get().journeyID }
      #expect(Set(ids).count == 1)
      // An alert that is raised again is the same one.
      #expect(!isSOS || ids.count == 64, "\(outcomes)")
      for case .failure(let failure) in outcomes { #expect((failure as? Status)?.code == .failedPrecondition) }
      #expect(try await tracking.news().count == 1)
      #expect(try await tracking.value("select count(*) from journeys") == "1")
    }
  }

  @Test("[TR-5] an alert that starts while a report waits for the same row records what follows, and can be stopped")
  func startBesideReport() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.share(with: [group])
      try await tracking.report(52.5, 13.4)
      tracking.clock.advance(by: .seconds(5))
      let alerts = Gathered<Journey>()
      try await tracking.database.opened(as: "tracking") { own in
        try await withThrowingTaskGroup(of: Void.self) { calls in
          try await own.transaction { tx in
            _ = try await tx.rows(LockTrackers(userIDs: [TestUser.ada.id]))
            calls.addTask {
              alerts.add(try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options))
            }
            try await tracking.untilWaiting(1)
            calls.addTask { try await tracking.report(52.5, 13.4001) }
            try await tracking.untilWaiting(2)
          }
          try await calls.waitForAll()
        }
      }
      tracking.clock.advance(by: .seconds(5))
      try await tracking.report(52.5, 13.4002)
      #expect(try await tracking.value("select count(*) from path_points") == "2")
      let stopped = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
      #expect(stopped.journeyID == alerts.all.first?.journeyID && stopped.outcome == .stopped)
      #expect(try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options).outcome == .unspecified)
    }
  }

  @Test("[TR-7] an arrival ends the journey with one notification")
  func arrival() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      tracking.clock.advance(by: .seconds(30))
      try await tracking.report(52.501, 13.4)
      tracking.clock.advance(by: .seconds(30))
      try await tracking.report(52.5, 13.4)
      let ended = try await tracking.journeys.getJourney(
        GetJourneyRequest(journeyID: journey.journeyID), TestUser.grace.options)
      #expect(ended.outcome == .onTime && ended.endTime == tracking.clock.now.timestamp)
      #expect(try await tracking.news() == ["journeyStarted to grace.h", "arrivedOnTime to grace.h"])
    }
  }
}

@Suite("journeys of some groups, and round trips")
struct PartOfJourneyTests {
  @Test("[TR-6] a journey that is stopped for one group goes on for the others, and is not seen by that one any more")
  func stoppedForOne() async throws {
    try await RunningTracking.with { tracking in
      let (home, club) = (
        try await tracking.group(1, of: [.ada, .grace]), try await tracking.group(2, of: [.ada, .grace, .alan])
      )
      let journey = try await tracking.depart(seenBy: [home, club])
      let stopped = try await tracking.journeys.stopJourney(
        StopJourneyRequest(groupIds: [club.description]), TestUser.ada.options)
      #expect(stopped.groupIds == [home.description] && stopped.endTime == nil)
      #expect(try await tracking.member(.ada, in: club, seenBy: .alan).state == .active)
      #expect(try await tracking.member(.ada, in: home, seenBy: .grace).state == .routing)
      // Grace sees it still, by the other group.
      #expect(try await tracking.news() == ["journeyStarted to alan,grace.h", "journeyEnded to alan"])
      let hidden = await reason {
        _ = try await tracking.journeys.getJourney(
          GetJourneyRequest(journeyID: journey.journeyID), TestUser.alan.options)
      }
      #expect(hidden == "JOURNEY_NOT_FOUND")

      let strange = await reason {
        _ = try await tracking.journeys.stopJourney(
          StopJourneyRequest(groupIds: [club.description]), TestUser.ada.options)
      }
      #expect(strange == "GROUP_NOT_FOUND")
      let last = try await tracking.journeys.stopJourney(
        StopJourneyRequest(groupIds: [home.description]), TestUser.ada.options)
      #expect(last.outcome == .stopped)
      #expect(try await tracking.news().last == "journeyEnded to grace.h")
    }
  }

  @Test("[TR-6] of 32 stops at once for either of two groups the journey ends once, and every member is told once")
  func race() async throws {
    try await RunningTracking.with { tracking in
      let groups = [
        try await tracking.group(1, of: [.ada, .grace, .one(1)]),
        try await tracking.group(2, of: [.ada, .grace, .alan]),
      ]
      let journey = try await tracking.depart(seenBy: groups)
      let outcomes = await tracking.service.race(32) { client, caller in
        try await JourneysClient(client).stopJourney(
          StopJourneyRequest(groupIds: [groups[caller % 2].description]), TestUser.ada.options)
      }
      // One stop for each group.
      let (stopped, refused) = (outcomes.successes(), outcomes.refusals())
      #expect(stopped.count == 2 && stopped.count { $0.endTime != nil } == 1, "\(stopped)")
      #expect(refused.count == 30 && Set(refused.map(\.reason)).isSubset(of: ["GROUP_NOT_FOUND", "NOT_ON_A_JOURNEY"]))
      let ends = try await tracking.told(NotificationRequested.self).filter { $0.word == "journeyEnded" }
      let told = ends.flatMap(\.recipientIds)
      #expect(
        told.sorted() == [TestUser.grace, .alan, .one(1)].map(\.id.description).sorted(), "\(ends.map(\.recipientIds))")
      for (group, member) in zip(groups, [TestUser.one(1), .alan]) {
        #expect(try await tracking.member(.ada, in: group, seenBy: member).state == .active)
      }
      #expect(
        try await tracking.value(
          "select count(*) from journeys where id = '\(journey.journeyID)' and outcome = 'STOPPED'") == "1")
    }
  }

  @Test("[TR-6] [C-2] every bad field of a stop is named, and nothing ends")
  func badFields() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.depart(seenBy: [group])
      let refused = try await refusal {
        _ = try await tracking.journeys.stopJourney(
          StopJourneyRequest(requestID: "x", groupIds: [group.description, "y"]), TestUser.ada.options)
      }
      #expect(refused.fields == ["request_id", "group_ids[1]"])
      #expect(try await tracking.member(.ada, in: group, seenBy: .grace).state == .routing)
    }
  }

  @Test("[TR-7] T-4: a round trip does not arrive where it begins, but when the user comes back")
  func roundTrip() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.depart(seenBy: [group])
      for offset in [0, 0.0001, 0, 0.0009, 0.0018, 0.0009] {
        tracking.clock.advance(by: .seconds(30))
        try await tracking.report(52.5 + offset, 13.4, accuracy: 5)
        #expect(try await tracking.member(.ada, in: group, seenBy: .grace).state == .routing, "at \(offset)")
      }
      tracking.clock.advance(by: .seconds(30))
      try await tracking.report(52.5, 13.4, accuracy: 5)
      #expect(try await tracking.news() == ["journeyStarted to grace.h", "arrivedOnTime to grace.h"])
    }
  }
}

@Suite("what time brings")
struct TimerTests {
  @Test("[TR-9] [TR-10] silence and the promised time are noticed without a position, once, by two replicas")
  func replicas() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock()
      let arguments = ["--look-interval", "10ms"]
      try await RunningTracking.with(on: database, clock, arguments) { tracking in
        try await RunningTracking.with(on: database, clock, arguments) { _ in
          let groups = try await tracking.manyOnJourneys(40)
          clock.advance(by: .seconds(61))
          try await until("all are offline") {
            try await tracking.value("select count(*) from memberships where warnings = 1") == "40"
          }
          clock.advance(by: .seconds(3_600))
          try await until("all are late") {
            try await tracking.value("select count(*) from memberships where warnings = 5") == "40"
          }
          #expect(try await tracking.counts() == ["journeyStarted": 40, "wentOffline": 40, "notArrived": 40])
          #expect(groups.count == 40)
        }
      }
    }
  }

  @Test("[TR-9] [TR-10] after a restart the promised time is noticed, and the time without service is no silence")
  func restart() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock()
      let arguments = ["--look-interval", "10ms"]
      try await RunningTracking.with(on: database, clock, arguments) { tracking in
        _ = try await tracking.manyOnJourneys(1)
        try await until("it serves") { try await tracking.value("select count(*) from uptime") == "1" }
      }
      clock.advance(by: .seconds(3_700))
      try await RunningTracking.with(on: database, clock, arguments) { tracking in
        try await until("she is late") { try await tracking.value("select max(warnings) from memberships") == "4" }
        #expect(try await tracking.counts() == ["journeyStarted": 1, "notArrived": 1])
        clock.advance(by: .seconds(60))
        try await until("she is offline") { try await tracking.value("select max(warnings) from memberships") == "5" }
      }
    }
  }

  @Test("[TR-10] a user who reports every second is looked at about once a minute")
  func seldom() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      try await tracking.share(with: [group])
      let first = try await tracking.value("select check_at from trackers")
      for step in 0..<5 {
        tracking.clock.advance(by: .seconds(1))
        try await tracking.report(52.5 + Double(step) / 100_000, 13.4)
      }
      #expect(try await tracking.value("select check_at from trackers") == first)
    }
  }
}

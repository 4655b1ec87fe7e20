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

@Suite("how much of one user others are notified of", .timeLimit(.minutes(5)))
struct NewsLimitTests {
  @Test(
    "[TR-5] an alert is never refused; of more than 10 within an hour the groups are not notified, though they see it")
  func alerts() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      for _ in 0..<12 {
        _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
        #expect(try await tracking.member(.ada, in: group, seenBy: .grace).state == .sos)
        _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
        tracking.clock.advance(by: .seconds(1))
      }
      #expect(try await tracking.counts() == ["sosStarted": 10, "sosStopped": 10])
      #expect(try await tracking.value("select count(*) from journeys where kind = 'SOS'") == "12")

      tracking.clock.advance(by: .seconds(3_600))
      _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      #expect(try await tracking.counts() == ["sosStarted": 11, "sosStopped": 10])
    }
  }

  @Test("[TR-6] of more than 30 journeys that a user starts within an hour the next is refused, and an alert is not")
  func journeys() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      for _ in 0..<30 {
        try await tracking.depart(seenBy: [group])
        _ = try await tracking.journeys.stopJourney(StopJourneyRequest(), TestUser.ada.options)
      }
      tracking.clock.advance(by: .seconds(600))
      let refused = try await refusal { try await tracking.depart(seenBy: [group]) }
      #expect(refused.code == .resourceExhausted && refused.reason == "TOO_MANY_JOURNEYS")
      #expect(refused.retryAfter == .seconds(3_000))
      #expect(try await tracking.value("select count(*) from journeys") == "30")
      _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
      #expect(try await tracking.counts()["sosStarted"] == 1)
      tracking.clock.advance(by: .seconds(3_000))
      try await tracking.depart(seenBy: [group])
    }
  }

  @Test("of a report 20 arrivals and departures at most are told, the last ones, and of an hour 60")
  func places() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      for number in 1...20 {
        _ = try await tracking.places.createPlace(
          CreatePlaceRequest(
            place: NamedPlace(
              name: "Place \(number)", point: Place(latitude: 52.5, longitude: 13.4), radiusM: 50,
              groupIds: [group.description])), TestUser.ada.options)
      }
      try await tracking.share(with: [group])
      for expected in [20, 40, 60, 60] {
        tracking.clock.advance(by: .seconds(700))
        // In, out, out, every ten seconds: 20 arrivals and 20 departures each time.
        let points = (0..<60).map { number in
          Position(
            latitude: number % 3 == 0 ? 52.5 : 52.51, longitude: 13.4,
            time: (tracking.clock.now + .seconds(10 * (number - 59))).timestamp, accuracyM: 5)
        }
        let counts = try await tracking.locations.reportBatch(ReportBatchRequest(points: points), TestUser.ada.options)
        #expect(counts.accepted == 60)
        let told = try await tracking.told(NotificationRequested.self)
        #expect(told.count == expected)
        if expected == 20 { #expect(Set(told.map { $0.word.prefix(4) }) == ["left"], "the user is outside of all") }
      }
      #expect(
        try await tracking.value("select count(*) from group_changes where place_name is not null") == "80")

      tracking.clock.advance(by: .seconds(1_500))
      try await tracking.report(52.5, 13.4, accuracy: 5)
      #expect(try await tracking.counts().values.reduce(0, +) == 80)
    }
  }

  @Test("[TR-8] of more than 60 stops within an hour the groups are not notified")
  func stops() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.depart(seenBy: [group])
      for round in 0..<63 {
        // Half a minute at a place, then 50 m on.
        tracking.clock.advance(by: .seconds(40))
        let latitude = 52.4 + Double(round) * 0.00045
        let points = (0..<30).map { number in
          Position(
            latitude: latitude, longitude: 13.4, time: (tracking.clock.now + .seconds(number - 29)).timestamp,
            accuracyM: 5)
        }
        _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: points), TestUser.ada.options)
        tracking.clock.advance(by: .seconds(5))
        try await tracking.report(latitude + 0.00045, 13.4, accuracy: 5)
      }
      #expect(try await tracking.counts()["standingStill"] == 60)
    }
  }

  @Test("[TR-11] what arrives late is judged by few of the user's journeys, however many there are")
  func manyJourneys() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      let start = tracking.clock.now
      tracking.clock.advance(by: .seconds(300))
      try await tracking.report(52.5, 13.4)
      // Alerts of a second, one after the other, since yesterday and after the journey.
      try await tracking.sql(
        """
        insert into journeys (id, user_id, kind, started_at, ended_at, outcome)
        select gen_random_uuid(), '\(TestUser.ada.id)', 'SOS', moment, moment + interval '1 second', 'STOPPED'
        from generate_series(1, 20000) as number
        cross join lateral (
          select started_at + case when number > 5000 then number - 4700 else number - 5002 end * interval '1 second'
            as moment
          from journeys where id = '\(journey.journeyID)'
        ) as other;
        analyze journeys
        """)
      let stored = (-2...10).map { second in
        Position(latitude: 52.49, longitude: 13.4, time: (start + .seconds(second)).timestamp)
      }
      let late = try await tracking.locations.reportBatch(ReportBatchRequest(points: stored), TestUser.ada.options)
      #expect(late.outOfOrder == 13)
      let path = try await tracking.path(GetPathRequest(journeyID: journey.journeyID), as: .grace)
      #expect(path.count == 12, "the 11 from within the journey, and the arrival")

      let plan = try await tracking.sql(
        """
        set plan_cache_mode = force_generic_plan;
        prepare late as \(InsertLatePathPoints.sql);
        explain execute late(
          array['\(TestUser.ada.id)']::uuid[], array[now()], array[1], array[1], array[1], array[1], array[1], array[1], array[''])
        """
      ).compactMap(\.first).compactMap(\.self).joined(separator: "\n")
      #expect(plan.contains("using journeys_ended_idx") && plan.contains("Limit"), "\(plan)")
    }
  }
}

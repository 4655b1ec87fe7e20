import Foundation
import Identifiers
import Synchronization
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@Suite("what providers of trackers have in corners", .ownThreads, .timeLimit(.minutes(5)))
struct TrackerCornerTests {
  @Test("[IM-6] I-6: an activity that is deleted at Strava is deleted here, and the others stay")
  func deleted() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1, of: 3)
      try await importer.imported(simulator)
      let time = importer.clock.now.wholeSeconds
      let body =
        #"{"aspect_type":"delete","event_time":\#(time),"object_id":1001,"object_type":"activity","owner_id":7001}"#
      let call = ReceiveWebhookRequest(
        provider: "strava", method: "POST", query: [WebhookField(name: "token", value: "webhook-secret")],
        body: Array(body.utf8))
      #expect(try await importer.trackers.receiveWebhook(call).status == 200)
      let left = try await importer.sql("select external_id from activity_sources order by 1")
      #expect(left == [["1000"], ["1002"]])
      #expect(try await importer.activityCount() == 2)
    }
  }

  /// A call of Strava's webhook about an activity.
  private static func call(_ aspect: String, _ activity: Int, at time: Int64) -> ReceiveWebhookRequest {
    let body =
      #"{"aspect_type":"\#(aspect)","event_time":\#(time),"object_id":\#(activity),"object_type":"activity","owner_id":7001}"#
    return ReceiveWebhookRequest(
      provider: "strava", method: "POST", query: [WebhookField(name: "token", value: "webhook-secret")],
      body: Array(body.utf8))
  }

  /// Waits until no import runs.
  private static func quiet(_ importer: RunningImporter) async throws {
    let isQuiet = try await eventually {
      try await importer.value("select count(*) from tracker_imports where finished_at is null") == "0"
    }
    #expect(isQuiet)
  }

  @Test("[IM-6] I-6: what is uploaded late to Strava, and edited there, is so here, however old it is")
  func late() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      let lists = simulator.requests("/athlete/activities").count
      let old = (importer.clock.now - .seconds(60 * 86_400)).description.prefix(19)
      let distance = Mutex(5_000)
      simulator.answer("/api/v3/activities/77") { request in
        .json(
          #"{"id":77,"sport_type":"Run","elapsed_time":600,"distance":\#(distance.withLock { $0 }),"start_date":"\#(old)Z"}"#
        )
      }
      simulator.answer("/activities/77/streams") { _ in .json(#"{"time":{"data":[0,300,600]}}"#) }
      let time = importer.clock.now.wholeSeconds
      #expect(try await importer.trackers.receiveWebhook(Self.call("create", 77, at: time)).status == 200)
      try await Self.quiet(importer)
      #expect(try await importer.listed().map(\.distanceM) == [5_000])
      #expect(try await importer.value("select sample_count::text from activity_sources") == "3")

      distance.withLock { $0 = 6_000 }
      importer.clock.advance(by: .seconds(60))
      _ = try await importer.trackers.receiveWebhook(Self.call("update", 77, at: time + 60))
      try await Self.quiet(importer)
      #expect(try await importer.listed().map(\.distanceM) == [6_000])
      #expect(simulator.requests("/athlete/activities").count == lists, "the list is not asked for")
      #expect(try await importer.value("select count(*) from changed_activities") == "0")
    }
  }

  @Test(
    "[IM-6] [IM-11] I-6: a named activity that is gone, or was deleted here, is not stored, and others named meanwhile are"
  )
  func named() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1, of: 2)
      try await importer.imported(simulator)
      let victim = try #require(try await importer.listed().first)
      let id = try #require(victim.sources.first?.externalID)
      _ = try await importer.activities.deleteActivity(
        DeleteActivityRequest(activityID: victim.activityID), TestUser.ada.options)
      let number = try #require(Int(id))
      for ride in [number, 1_500] {
        simulator.answer("/api/v3/activities/\(ride)") { _ in .json(TrackerSimulator.ride(ride - 1_000)) }
      }
      let gate = AnswerGate()
      defer { gate.open() }
      simulator.hold("/api/v3/activities/404", by: gate)
      let time = importer.clock.now.wholeSeconds
      // The first begins an import, which finds the others as well.
      for activity in [404, number, 1_500] {
        _ = try await importer.trackers.receiveWebhook(Self.call("update", activity, at: time))
      }
      gate.open()
      try await Self.quiet(importer)
      let left = try await importer.sql("select external_id from activity_sources order by 1")
      #expect(left.count == 2 && left.last == ["1500"] && !left.contains([id]), "\(left)")
      #expect(try await importer.value("select count(*) from changed_activities") == "0")
    }
  }

  @Test("[IM-4] B10: a user watches imports by sixteen streams at most, and others by theirs")
  func watched() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let gate = AnswerGate()
      defer { gate.open() }
      simulator.setStrava(pages: 0)
      simulator.hold("/athlete/activities", by: gate)
      let id = try #require(try await importer.connect(simulator).lastImport).importID
      let opened = AsyncStream.makeStream(of: Void.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          group.addTask {
            try await importer.trackers.watchImport(WatchImportRequest(importID: id), TestUser.ada.options) { stream in
              var isFirst = true
              for try await _ in stream {
                if isFirst { opened.continuation.yield() }
                isFirst = false
              }
            }
          }
        }
        var streams = opened.stream.makeAsyncIterator()
        for _ in 0..<16 { await streams.next() }
        let refused = try await refusal { try await importer.watched(id) }
        #expect(refused.code == .resourceExhausted && refused.reason == "TOO_MANY_STREAMS", "\(refused)")
        let other = try await refusal { try await importer.watched(id, as: .grace) }
        #expect(other.reason == "IMPORT_NOT_FOUND")
        gate.open()
        try await group.waitForAll()
      }
      #expect(try await importer.watched(id).last?.state == .succeeded)
    }
  }

  @Test("[IM-4] I-16: a page that comes again ends its stream, and counts once")
  func repeatedPage() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let page = "[\((0..<5).map { TrackerSimulator.ride($0) }.joined(separator: ","))]"
      simulator.answer("/athlete/activities") { _ in .json(page) }
      let ended = try await importer.imported(simulator)
      #expect(ended.state == .succeeded && ended.activityCount == 5)
      #expect(simulator.stravaPages == ["1", "2"])
      #expect(try await importer.activityCount() == 5)
    }
  }

  @Test("[IM-6] I-6: the user chooses how far the first import reaches back, and may want more of it later")
  func reach() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      let after = { simulator.requests("/athlete/activities").last?.query["after"].flatMap { Int64($0) } ?? 0 }
      for days: Int32 in [-1, 36_501] {
        let call = StartConnectionRequest(provider: "strava", historyDays: days)
        let refused = try await refusal { try await importer.trackers.startConnection(call, TestUser.ada.options) }
        #expect(refused.reason == "HISTORY_DAYS_INVALID")
      }
      let now = importer.clock.now.wholeSeconds
      let first = try await importer.connect(simulator, historyDays: 30)
      _ = try await importer.ended(try #require(first.lastImport).importID)
      #expect(first.historyDays == 30 && abs(after() - (now - 30 * 86_400)) < 600)
      #expect(try await importer.tracker().historyDays == 30)

      let same = try await importer.connect(simulator)
      _ = try await importer.ended(try #require(same.lastImport).importID)
      #expect(same.historyDays == 30 && after() > now - 8 * 86_400)
      let all = try await importer.connect(simulator, historyDays: 36_500)
      _ = try await importer.ended(try #require(all.lastImport).importID)
      #expect(all.historyDays == 36_500 && after() == 946_684_800)
      #expect(try await importer.tracker("strava", as: .grace).historyDays == 0)
    }
  }

  @Test("[IM-7] I-13: a scale's share of fat, which Google reports by itself, is kept beside its weighing")
  func bodyFat() async throws {
    try await RunningImporter.withTrackers(["fitbit"]) { importer, simulator in
      simulator.answer("/users/me/identity") { _ in .json(#"{"healthUserId":"7001"}"#) }
      simulator.answer("/dataPoints") { request in
        guard request.path.contains("/body-fat/") || request.path.contains("/weight/") else {
          return .json(#"{"dataPoints":[]}"#)
        }
        let time = #""sampleTime":{"physicalTime":"2025-06-01T07:00:00Z"}"#
        return request.path.contains("/weight/")
          ? .json(#"{"dataPoints":[{"weight":{\#(time),"weightGrams":70500}}]}"#)
          : .json(#"{"dataPoints":[{"bodyFat":{\#(time),"percentage":18.5}},{"bodyFat":{"percentage":101}}]}"#)
      }
      simulator.answer("/steps/dataPoints:dailyRollUp") { _ in .json("{}") }
      for count in 1...2 {
        let ended =
          count == 1 ? try await importer.imported(simulator, "fitbit") : try await importer.importAgain("fitbit")
        #expect(ended.state == .succeeded && ended.weightCount == 1 && ended.skippedCount == 1, "\(ended)")
        #expect(
          try await importer.value("select composition::jsonb #>> '{bodyFat,percentage}' from weights") == "18.5")
      }
      #expect(
        simulator.requests("/body-fat/dataPoints").first?.query["filter"]?.hasPrefix("body_fat.sample_time") == true)
    }
  }

  @Test("[IM-7] I-12: a ride on a trainer at Strava has its hearts and distances, though no positions")
  func trainer() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let ride =
        #"[{"id":5,"trainer":true,"sport_type":"VirtualRide","elapsed_time":600,"start_date":"2025-06-01T08:00:00Z"}]"#
      simulator.answer("/athlete/activities") { $0.query["page"] == "1" ? .json(ride) : .json("[]") }
      simulator.answer("/activities/5/streams") { _ in
        .json(#"{"time":{"data":[0,300,600]},"heartrate":{"data":[110,140,150]},"distance":{"data":[0,2500,5100]}}"#)
      }
      let ended = try await importer.imported(simulator)
      #expect(ended.state == .succeeded)
      #expect(try await importer.value("select sample_count::text from activity_sources") == "3")
      #expect(try await importer.value("select position_count::text from activity_sources") == "0")
    }
  }

  @Test("[IM-7] I-12: Polar is asked for samples, which are stored also without a route")
  func samples() async throws {
    try await RunningImporter.withTrackers(["polar"]) { importer, simulator in
      let exercise = """
        [{"id":"p1","start_time":"2025-06-01T10:00:00","start_time_utc_offset":120,"duration":"PT4S","sport":"RUNNING",
          "samples":[{"sample_type":"0","recording_rate":1,"data":"100,110,120,130"}]}]
        """
      simulator.answer("/v3/users") { _ in .json(#"{"polar-user-id":9}"#) }
      simulator.answer("/v3/exercises") { _ in .json(exercise) }
      simulator.answer("/users/activities") { _ in .json("[]") }
      simulator.answer("/users/sleep") { _ in .json(#"{"nights":[]}"#) }
      let ended = try await importer.imported(simulator, "polar")
      #expect(ended.state == .succeeded && ended.activityCount == 1, "\(ended)")
      #expect(simulator.requests("/v3/exercises").map { $0.query["samples"] } == ["true"])
      #expect(try await importer.value("select sample_count::text from activity_sources") == "4")
    }
  }

  @Test("[IM-2] I-14: an answer in another server's name is refused, and its code goes nowhere")
  func otherIssuer() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      let refused = try await refusal {
        try await importer.trackers.completeConnection(
          CompleteConnectionRequest(state: state, code: code, issuer: "https://elsewhere.example"), TestUser.ada.options
        )
      }
      #expect(refused.code != .internal && simulator.requests("/token").isEmpty, "\(refused)")
      #expect(try await importer.value("select count(*) from tracker_connections") == "0")
    }
  }

  @Test("[C-4] I-16: six completions with one request id are one connection, and all get its answer")
  func sixAtOnce() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      let call = CompleteConnectionRequest(
        state: state, code: code, requestID: "0190a1b2-0000-7000-8000-0000000000ab")
      let outcomes = await importer.service.race(6) { client, _ in
        try await TrackersClient(client).completeConnection(call, TestUser.ada.options)
      }
      #expect(outcomes.refusals().isEmpty, "\(outcomes.refusals())")
      #expect(simulator.requests("/token").count == 1)
    }
  }
}

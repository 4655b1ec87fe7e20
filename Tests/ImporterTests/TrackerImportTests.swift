import Environment
import Events
import Identifiers
import ImporterStore
import Postgres
import Synchronization
import TTRPC
import TandemEvents
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@Suite("imports from trackers", .ownThreads, .timeLimit(.minutes(5)))
struct TrackerImportTests {
  @Test("[IM-4] [IM-12] an import goes page by page, is watched live, and is reported with an event and a notification")
  func pages() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 3)
      let begun = try #require(try await importer.connect(simulator).lastImport)
      let watched = try await importer.watched(begun.importID)
      let last = try #require(watched.last)
      #expect(last.state == .succeeded && last.percent == 100 && last.activityCount == 6)
      #expect(last.message == "The data import is complete." && last.missingKinds.isEmpty)
      #expect(zip(watched, watched.dropFirst()).allSatisfy { $0.percent <= $1.percent })
      #expect(simulator.stravaPages == ["1", "2", "3", "4"])
      #expect(try await importer.activityCount() == 6)
      let told = try await importer.told(TrackerImported.self)
      #expect(told.map(\.importID) == [begun.importID] && told.map(\.provider) == ["strava"])
      let notified = try await importer.told(NotificationRequested.self)
      #expect(notified.map(\.recipientIds) == [[TestUser.ada.id.description]])
      guard case .importEnded(let news)? = notified.first?.news else {
        Issue.record("no notification of the end")
        return
      }
      #expect(news.tracker == "Strava" && news.outcome == "The data import is complete.")
    }
  }

  @Test("[IM-4] of 64 requests for an import of one user and tracker one begins it")
  func oneAtATime() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      let gate = AnswerGate()
      simulator.answer("/athlete/activities") { _ in
        var answer = TrackerSimulator.Answer.json("[]")
        answer.gate = gate
        return answer
      }
      let outcomes = await importer.service.race(64) { client, _ in
        try await TrackersClient(client).startImport(StartImportRequest(provider: "strava"), TestUser.ada.options)
      }
      let refusals = outcomes.refusals()
      #expect(refusals.count == 63 && refusals.allSatisfy { $0.reason == "IMPORT_RUNNING" }, "\(refusals.first as Any)")
      #expect(try await importer.value("select count(*) from tracker_imports where state <> 'SUCCEEDED'") == "1")
      gate.open()
    }
  }

  @Test("[IM-4] a cancelled import stores nothing more, and can be started again")
  func cancels() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 2)
      let isFirst = Mutex(true)
      let gate = AnswerGate()
      simulator.answer("/athlete/activities") { request in
        guard request.query["page"] == "2", isFirst.withLock({ $0 }) else { return nil }
        var answer = TrackerSimulator.Answer.json("[\(TrackerSimulator.ride(77))]")
        answer.gate = gate
        return answer
      }
      let begun = try #require(try await importer.connect(simulator).lastImport)
      #expect(try await eventually { simulator.stravaPages.contains("2") })
      let call = CancelImportRequest(importID: begun.importID)
      let cancelled = try await importer.trackers.cancelImport(call, TestUser.ada.options)
      let again = try await importer.trackers.cancelImport(call, TestUser.ada.options)
      #expect(cancelled.state == .cancelled && again.state == .cancelled && cancelled.activityCount == 2)
      isFirst.withLock { $0 = false }
      gate.open()
      let next = try await importer.importAgain()
      #expect(next.state == .succeeded && next.activityCount == 4)
      #expect(try await importer.activityCount() == 4, "what came after the cancellation was not stored")
    }
  }

  @Test(
    "[IM-6] connected trackers are imported again by themselves, with an overlap, and users are not notified of that")
  func scheduled() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1)
      try await importer.imported(simulator)
      let first = importer.clock.now.wholeSeconds
      importer.clock.advance(by: .seconds(7 * 3_600))
      #expect(
        try await eventually {
          try await importer.value(
            "select count(*) from tracker_imports where cause = 'SCHEDULE' and state = 'SUCCEEDED'")
            == "1"
        })
      let window = simulator.requests("/athlete/activities").last?.query["after"].flatMap { Int64($0) } ?? 0
      #expect(window <= first - 7 * 86_400 && window > first - 8 * 86_400)
      #expect(try await importer.told(NotificationRequested.self).count == 1)
      #expect(try await importer.told(TrackerImported.self).count == 2)
      #expect(try await importer.activityCount() == 2, "the same activities again are no new ones")
    }
  }

  @Test("[IM-6] a webhook's call starts an import once, and only if it is the provider's")
  func webhook() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      let time = importer.clock.now.wholeSeconds
      let body = Array(
        #"{"aspect_type":"create","event_time":\#(time),"object_id":1,"object_type":"activity","owner_id":7001}"#.utf8)
      func call(_ token: String) -> ReceiveWebhookRequest {
        ReceiveWebhookRequest(
          provider: "strava", method: "POST", query: [WebhookField(name: "token", value: token)], body: body)
      }
      let forged = try await refusal { try await importer.trackers.receiveWebhook(call("guess")) }
      #expect(forged.reason == "WEBHOOK_UNTRUSTED")
      #expect(try await importer.trackers.receiveWebhook(call("webhook-secret")).status == 200)
      let count = { try await importer.value("select count(*) from tracker_imports where cause = 'WEBHOOK'") }
      #expect(try await count() == "1")
      #expect(
        try await eventually {
          try await importer.value("select count(*) from tracker_imports where finished_at is null") == "0"
        })
      #expect(try await importer.trackers.receiveWebhook(call("webhook-secret")).status == 200)
      #expect(try await count() == "1", "a replay has no effect")
      importer.clock.advance(by: .seconds(2 * 86_400))
      let old = try await refusal { try await importer.trackers.receiveWebhook(call("webhook-secret")) }
      #expect(old.reason == "WEBHOOK_UNTRUSTED")
      let challenge = try await importer.trackers.receiveWebhook(
        ReceiveWebhookRequest(
          provider: "strava", method: "GET",
          query: [.init(name: "hub.challenge", value: "c"), .init(name: "hub.verify_token", value: "webhook-secret")]))
      #expect(challenge.status == 200 && String(decoding: challenge.body, as: UTF8.self) == #"{"hub.challenge":"c"}"#)
    }
  }

  @Test("[IM-6] operators see the use of providers, pause them, and have their users imported")
  func operators() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      let pause = try await importer.trackerOperators.pauseProvider(
        PauseProviderRequest(provider: "strava", paused: true), .operators)
      let refused = try await refusal {
        try await importer.trackers.startImport(StartImportRequest(provider: "strava"), TestUser.ada.options)
      }
      let open = try await importer.trackerOperators.pauseProvider(
        PauseProviderRequest(provider: "strava", paused: false), .operators)
      let synced = try await importer.trackerOperators.syncProvider(SyncProviderRequest(provider: "strava"), .operators)
      let list = try await importer.trackerOperators.listProviders(ListProvidersRequest(), .operators)
      #expect(pause.paused && refused.reason == "TRACKER_UNAVAILABLE" && !open.paused && synced.userCount == 1)
      #expect(list.providers.map(\.connectedCount) == [1] && list.providers[0].oldestSyncTime != nil)
      importer.clock.advance(by: .seconds(601))
      #expect(
        try await eventually {
          try await importer.value("select count(*) from tracker_imports where cause = 'SCHEDULE'") == "1"
        })
    }
  }

  @Test(
    "[IM-6] [IM-7] the real bodies of Withings and Strava come through into the user's records",
    .enabled(if: SharedTracks.isPresent, SharedTracks.comment))
  func realBodies() async throws {
    let body = { (path: String) in String(decoding: try SharedTracks.bytes("trackers/\(path)"), as: UTF8.self) }
    let names = [
      "getworkouts": "workouts", "getactivity": "activity", "getsummary": "sleep_summary", "getmeas": "measurement",
    ]
    let bodies = try names.mapValues { try body("withings/python-withings/\($0).json") }
    let ride = try body("strava/stravalib/activity.3.json")
    try await RunningImporter.withTrackers(["withings", "strava"]) { importer, simulator in
      let rule: TrackerSimulator.Rule = { request in
        // The nights say that there are more.
        if request.form["offset"] != nil { return .json(#"{"status":0,"body":{"series":[],"more":false}}"#) }
        return bodies[request.form["action"] ?? ""].map { .json($0) }
      }
      simulator.answer("/measure", rule)
      simulator.answer("/sleep", rule)
      simulator.answer("/athlete/activities") { $0.query["page"] == "1" ? .json("[\(ride)]") : .json("[]") }
      let withings = try await importer.imported(simulator, "withings")
      #expect(withings.state == .succeeded && withings.activityCount == 11 && withings.skippedCount == 0)
      #expect(withings.sleepCount == 300 && withings.weightCount == 2 && withings.stepDayCount > 0)
      let strava = try await importer.imported(simulator, "strava")
      #expect(strava.state == .succeeded && strava.activityCount == 1)
      let raw = try await importer.value("select raw from activity_sources where provider = 'strava'")
      #expect(raw?.contains("athlete") == true)
    }
  }

  @Test("[IM-6] 1,000 activities are imported from a provider without a limit")
  func many() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 34, of: 30)
      let ended = try await importer.imported(simulator)
      #expect(ended.state == .succeeded && ended.activityCount == 1_020)
    }
  }
}

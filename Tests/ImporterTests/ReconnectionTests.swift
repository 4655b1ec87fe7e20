import Identifiers
import ImporterStore
import Synchronization
import TTRPC
import TandemEvents
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@Suite("consents that change", .ownThreads, .timeLimit(.minutes(5)))
struct ReconnectionTests {
  @Test("[IM-9] what a user allows while an import runs is imported from the beginning")
  func widened() async throws {
    try await RunningImporter.withTrackers(["withings"]) { importer, simulator in
      let gate = AnswerGate()
      let isFirst = Atomic(true)
      defer { gate.open() }
      simulator.answer("/measure") { request in
        var answer = TrackerSimulator.Answer.json(#"{"status":0,"body":{}}"#)
        if request.form["action"] == "getmeas", isFirst.exchange(false, ordering: .relaxed) { answer.gate = gate }
        return answer
      }
      simulator.answer("/sleep") { _ in
        .json(#"{"status":0,"body":{"series":[{"id":5,"startdate":1745000000,"enddate":1745020000}]}}"#)
      }
      let first = try #require(try await importer.connect(simulator, "withings", scope: "user.metrics").lastImport)
      #expect(first.missingKinds == [.activities, .steps, .sleep])
      #expect(try await eventually { simulator.requests("/measure").count == 1 })
      let again = try await importer.connect(simulator, "withings")
      gate.open()
      let ended = try await importer.ended(try #require(again.lastImport).importID)
      #expect(again.missingKinds.isEmpty && ended.state == .succeeded && ended.missingKinds.isEmpty)
      #expect(try await importer.value("select external_id from sleeps") == "5")
      let old = try await importer.trackers.getImport(
        GetImportRequest(importID: first.importID), TestUser.ada.options)
      #expect(old.state == .cancelled, "the narrower import does not go on beside it")
      #expect(try await importer.tracker("withings").state == .connected)
    }
  }

  @Test("[IM-9] the same consent given again lets an import that runs go on")
  func repeated() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1)
      let gate = AnswerGate()
      defer { gate.open() }
      simulator.hold("/athlete/activities", by: gate)
      let first = try #require(try await importer.connect(simulator).lastImport)
      #expect(try await eventually { !simulator.stravaPages.isEmpty })
      let again = try await importer.connect(simulator)
      gate.open()
      #expect(again.lastImport?.importID == first.importID)
      #expect(try await importer.ended(first.importID).state == .succeeded)
    }
  }

  @Test("[IM-9] a provider that lets nothing be imported any more needs consent again, and is not asked by itself")
  func nothingLeft() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.answer("/athlete/activities") { _ in
        .json(
          #"{"errors":[{"resource":"AccessToken","field":"activity:read_permission","code":"missing"}]}"#, status: 403)
      }
      let failed = try await importer.imported(simulator)
      #expect(
        failed.failure == .consent && failed.message == "The data import failed. Please connect the tracker again.")
      #expect(try await importer.tracker().state == .needsConsent)
      let refused = try await refusal {
        try await importer.trackers.startImport(StartImportRequest(provider: "strava"), TestUser.ada.options)
      }
      #expect(refused.reason == "CONSENT_NEEDED" && simulator.stravaPages.count == 1)
      #expect(try await importer.told(NotificationRequested.self).count == 1)
    }
  }

  @Test("[IM-11] [IM-3] tokens that are being replaced while the user disconnects are the ones that are revoked")
  func whileRefreshing() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      simulator.answer("/revoke") { request in
        simulator.isValid(request.form["access_token"]) ? nil : .json("{}", status: 401)
      }
      importer.clock.advance(by: .seconds(3_600))
      simulator.expireAccess()
      let gate = AnswerGate()
      defer { gate.open() }
      simulator.hold("/token", by: gate)
      _ = try await importer.trackers.startImport(StartImportRequest(provider: "strava"), TestUser.ada.options)
      #expect(try await eventually { simulator.refreshes.count == 1 })
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      // A revocation with the old tokens, if there is one, is over when their renewal is refused.
      _ = try await eventually {
        let lost = try await importer.value("select count(*) from jobs where kind = 'revoke_tracker' and attempts > 0")
        return lost != "0" || simulator.refreshes.count > 1
      }
      gate.open()
      let isGone = try await eventually {
        importer.clock.advance(by: .seconds(60))
        return try await importer.value("select count(*) from tracker_connections") == "0"
      }
      #expect(isGone && simulator.refreshes.count == 1)
      #expect(simulator.isValid(simulator.requests("/revoke").last?.form["access_token"]))
    }
  }

  @Test("[IM-11] a revocation that failed is not repeated once the user has connected the same account again")
  func connectedAgain() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1)
      try await importer.imported(simulator)
      // As at Strava, any token of the user's ends all of them.
      simulator.answer("/revoke") { _ in
        guard simulator.requests("/revoke").count > 1 else { return .json("{}", status: 503) }
        simulator.revokeAll()
        return nil
      }
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      #expect(try await eventually { simulator.requests("/revoke").count == 1 })
      #expect(try await importer.imported(simulator).state == .succeeded)
      let isGone = try await eventually {
        importer.clock.advance(by: .seconds(60))
        return try await importer.value("select count(*) from tracker_connections where state = 'ENDING'") == "0"
      }
      #expect(isGone && simulator.requests("/revoke").count == 1)
      #expect(try await importer.importAgain().state == .succeeded)
      #expect(try await importer.tracker().state == .connected)
    }
  }

  @Test("[IM-9] news of a revocation from before the present consent do not end it")
  func lateNews() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      let connected = importer.clock.now.wholeSeconds
      importer.clock.advance(by: .seconds(60))
      for (time, state) in [(connected - 5, TrackerState.connected), (connected + 5, .needsConsent)] {
        let call = ReceiveWebhookRequest(
          provider: "strava", method: "POST", query: [.init(name: "token", value: "webhook-secret")],
          body: Array(
            #"{"aspect_type":"update","event_time":\#(time),"object_type":"athlete","owner_id":7001,"updates":{"authorized":"false"}}"#
              .utf8))
        #expect(try await importer.trackers.receiveWebhook(call).status == 200)
        #expect(try await importer.tracker().state == state)
      }
    }
  }

  @Test("[IM-5] texts of a provider that no column can hold end an import, and connect without what they say")
  func zeroBytes() async throws {
    try await RunningImporter.withTrackers(["fitbit", "strava"]) { importer, simulator in
      simulator.setEmptyFitbit()
      simulator.answer("/identity") { _ in .json(#"{"healthUserId":"9\u0000"}"#) }
      simulator.answer("/exercise/dataPoints") { _ in .json(#"{"dataPoints":[],"nextPageToken":"a\u0000b"}"#) }
      let ended = try await importer.imported(simulator, "fitbit")
      #expect(ended.state == .failed && ended.failure == .answer)
      #expect(try await importer.value("select subject from tracker_connections") == nil)
      simulator.setStrava(pages: 0)
      let connected = try await importer.connect(simulator, scope: #"activity:read,x\u0000y"#)
      #expect(connected.state == .connected)
      #expect(
        try await importer.value("select scopes::text from tracker_connections where provider = 'strava'")
          == "{activity:read}")
    }
  }

  @Test("[IM-8] a source that was split off stays apart when its provider, or the file, reports it again")
  func splitAndSynced() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let start = Instant(microseconds: 1_750_000_000_000_000)
      let ride: @Sendable (Int) -> String = { metres in
        #"{"id":5,"manual":true,"sport_type":"Run","elapsed_time":1190,"distance":\#(metres),"start_date":"\#(start)"}"#
      }
      simulator.answer("/athlete/activities") { $0.query["page"] == "1" ? .json("[\(ride(3_570))]") : .json("[]") }
      _ = try await importer.importFile(MadeFile.gpx(at: start))
      try await importer.imported(simulator)
      let merged = try #require(try await importer.listed().first)
      #expect(merged.sources.count == 2)
      let strava = try #require(merged.sources.first { $0.provider == "strava" })
      _ = try await importer.activities.splitActivity(
        SplitActivityRequest(activityID: merged.activityID, sourceID: strava.sourceID), TestUser.ada.options)
      // What is reported is changed, so that it is stored anew.
      simulator.answer("/athlete/activities") { $0.query["page"] == "1" ? .json("[\(ride(3_580))]") : .json("[]") }
      _ = try await importer.importAgain()
      importer.clock.advance(by: .seconds(1))
      _ = try await importer.importFile(MadeFile.gpx(at: start))
      #expect(try await importer.listed().map(\.sources.count) == [1, 1])
      #expect(try await importer.listed().map(\.distanceM).contains(3_580))
      // Deleting what one of the two brought leaves the other.
      _ = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "strava"), TestUser.ada.options)
      _ = try await importer.importAgain()
      #expect(try await importer.listed().map { $0.sources.map(\.provider) } == [["file"]])
    }
  }

  @Test("[IM-6] operators see that a connected user was never imported, from when the tracker was connected")
  func neverImported() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.answer("/athlete/activities") { _ in .json("{}", status: 410) }
      let connected = importer.clock.now.wholeSeconds
      _ = try await importer.imported(simulator)
      importer.clock.advance(by: .seconds(86_400))
      let list = try await importer.trackerOperators.listProviders(ListProvidersRequest(), .operators)
      #expect(list.providers.map { $0.oldestSyncTime?.seconds } == [connected])
    }
  }

  @Test("[IM-4] a user may begin twenty imports of a tracker within an hour, as all users share the provider's limit")
  func quota() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      for _ in 1..<20 { #expect(try await importer.importAgain().state == .succeeded) }
      let refused = try await refusal {
        try await importer.trackers.startImport(StartImportRequest(provider: "strava"), TestUser.ada.options)
      }
      #expect(refused.code == .resourceExhausted && refused.reason == "TOO_MANY_IMPORTS")
      importer.clock.advance(by: .seconds(3_601))
      #expect(try await importer.importAgain().state == .succeeded)
    }
  }
}

import Identifiers
import ServiceRuntime
import Synchronization
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@Suite("providers that do not answer", .ownThreads, .timeLimit(.minutes(5)))
struct ProviderBreakerTests {
  @Test("[IM-4] 29 A11: a provider that hangs holds up no import from another one")
  func hanging() async throws {
    try await RunningImporter.withTrackers(["strava", "withings"]) { importer, simulator in
      simulator.setOwnSubjects()
      simulator.setStrava(pages: 1)
      let nothing: TrackerSimulator.Rule = { _ in
        .json(#"{"status":0,"body":{"activities":[],"series":[],"measuregrps":[]}}"#)
      }
      for ending in ["/measure", "/sleep"] { simulator.answer(ending, nothing) }
      let gate = AnswerGate()
      defer { gate.open() }
      simulator.hold("/athlete/activities", by: gate)
      let users = (1...6).map { TestUser.one($0) }
      var waiting: [(id: String, user: TestUser)] = []
      for user in users {
        let tracker = try await importer.connect(simulator, as: user)
        waiting.append((try #require(tracker.lastImport).importID, user))
      }
      try await until("as many wait as may") { simulator.stravaPages.count >= 3 }
      #expect(try await importer.imported(simulator, "withings", as: users[0]).state == .succeeded)
      gate.open()
      for (id, user) in waiting { #expect(try await importer.ended(id, as: user).state == .succeeded) }
    }
  }

  @Test(
    "[IM-5] 29 A11: after ten failures in a row a provider is left alone, and one import finds that it answers again")
  func breaker() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setOwnSubjects()
      simulator.setStrava(pages: 1)
      let isAway = Mutex(true)
      simulator.answer("/athlete/activities") { _ in
        isAway.withLock { $0 } ? .json("{}", status: 503) : nil
      }
      let users = (1...4).map { TestUser.one($0) }
      for user in users[..<2] {
        #expect(try await importer.imported(simulator, as: user).failure == .provider)
      }
      #expect(try await importer.value("select failures, open_until from tracker_providers") == "8")
      #expect(try await !Self.lacksAnswers(importer))

      // The third user's import makes it ten; it and the fourth one's wait without asking.
      let third = try #require(try await importer.connect(simulator, as: users[2]).lastImport).importID
      try await until("the breaker opens") {
        try await importer.goOn(third, as: users[2])
        return try await importer.value("select open_until from tracker_providers") != nil
      }
      #expect(simulator.stravaPages.count == 10)
      #expect(try await Self.lacksAnswers(importer))
      let fourth = try #require(try await importer.connect(simulator, as: users[3]).lastImport).importID
      try await until("it waits") {
        try await importer.value("select retry_at from tracker_imports where id = '\(fourth)'") != nil
      }
      #expect(simulator.stravaPages.count == 10)

      // Both come back at one time: one of them asks, in vain.
      importer.clock.advance(by: .seconds(60))
      try await until("a probe has failed, and both wait") {
        try await importer.value(
          """
          select (select failures from tracker_providers) = 11 and bool_and(retry_at > '\(importer.clock.now)')
          from tracker_imports where state in ('GATHERING', 'IMPORTING')
          """) == "t"
      }
      #expect(simulator.stravaPages.count == 11)

      isAway.withLock { $0 = false }
      #expect(try await importer.ended(third, as: users[2]).state == .succeeded)
      #expect(try await importer.ended(fourth, as: users[3]).state == .succeeded)
      #expect(try await importer.sql("select failures, open_until from tracker_providers") == [["0", nil]])
      #expect(try await !Self.lacksAnswers(importer))
    }
  }

  @Test("[IM-5] 29 A11: what a provider answers, whatever it is, ends the failures in a row")
  func answers() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setOwnSubjects()
      simulator.setStrava(pages: 0)
      simulator.answer("/athlete/activities") { _ in
        // Every fourth is an answer, though none that can be read.
        .json("{}", status: simulator.stravaPages.count.isMultiple(of: 4) ? 400 : 503)
      }
      for user in (1...4).map({ TestUser.one($0) }) {
        let ended = try await importer.imported(simulator, as: user)
        #expect(ended.state == .failed)
      }
      #expect(simulator.stravaPages.count == 16)
      #expect(try await importer.sql("select failures, open_until from tracker_providers") == [["0", nil]])
    }
  }

  /// Whether `tandem status` says that the provider does not answer.
  private static func lacksAnswers(_ importer: RunningImporter) async throws -> Bool {
    await importer.runtime.readiness.lacks().contains { $0.subject == "answers from strava" }
  }
}

extension RunningImporter {
  /// Sets the clock on if an import waits.
  func goOn(_ id: String, as user: TestUser) async throws {
    let found = try await trackers.getImport(GetImportRequest(importID: id), user.options)
    guard let retry = found.retryTime else { return }
    let moment = Instant(microseconds: retry.seconds * 1_000_000 + Int64(retry.nanos) / 1_000)
    if moment > clock.now { clock.set(moment) }
  }
}

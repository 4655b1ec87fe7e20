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

@testable import ImporterOperations

/// Every state of a connection and of an import has a way out for each party, which needs no other's help: the provider's included (issue 30).
@Suite("ways out of connections and imports", .ownThreads, .timeLimit(.minutes(5)))
struct WaysOutTests {
  enum State: String, CaseIterable, Sendable {
    case attemptOpen, importRunning, importWaiting, importFailing, connected, needsConsent, paused, ending

    var parties: [Party] {
      switch self {
      case .attemptOpen, .importWaiting, .importFailing: [.user, .time]
      // A provider that does not answer is given up by the time of the machine, not by the clock of the service.
      case .importRunning: [.user]
      case .ending: [.user, .provider, .time]
      // These hold no user: nothing waits for their end.
      case .connected, .needsConsent, .paused: [.user]
      }
    }
  }

  enum Party: String, CaseIterable, Sendable {
    case user
    /// Does late what it was asked for.
    case provider
    /// No party does anything: the state ends by itself.
    case time
  }

  /// A provider that does not answer, or not as it should, until it recovers.
  private final class Provider: Sendable {
    let gate = AnswerGate()
    private let state = Mutex(true)

    var isIll: Bool { state.withLock { $0 } }

    func recover() {
      state.withLock { $0 = false }
      gate.open()
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let state: State
    let party: Party
    var testDescription: String { "\(state) for \(party)" }
  }

  static let cases = State.allCases.flatMap { state in state.parties.map { Case(state: state, party: $0) } }

  @Test(
    "[IM-2] [IM-4] [IM-11] D-4: every state has a way out for each party that needs no other's help", arguments: cases)
  func leaves(_ one: Case) async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let provider = Provider()
      defer { provider.recover() }
      let begun = try await Self.enter(one.state, provider, importer, simulator)
      switch one.party {
      case .user: try await Self.leave(one.state, begun, importer, simulator)
      case .provider: try await Self.confirm(provider, importer)
      case .time: try await Self.wait(one.state, begun, importer)
      }
      #expect(
        try await importer.value("select count(*) from tracker_imports where state in ('GATHERING', 'IMPORTING')")
          == "0")
      // Of these the provider is still paused, or asked to wait.
      guard ![.paused, .importWaiting, .importFailing].contains(one.state) else { return }
      // And it can be begun anew.
      provider.recover()
      importer.clock.advance(by: .seconds(3_600))
      #expect(try await importer.imported(simulator).state == .succeeded)
    }
  }

  /// - Returns: the import that is under way, if any.
  private static func enter(
    _ state: State, _ provider: Provider, _ importer: RunningImporter, _ simulator: TrackerSimulator
  ) async throws -> String? {
    simulator.setStrava(pages: 1)
    switch state {
    case .attemptOpen:
      _ = try await importer.trackers.startConnection(StartConnectionRequest(provider: "strava"), TestUser.ada.options)
      return nil
    case .importRunning:
      simulator.hold("/athlete/activities", by: provider.gate)
    case .importWaiting:
      simulator.answer("/athlete/activities") { _ in
        provider.isIll ? .json("{}", status: 429, headers: ["retry-after": "86400"]) : nil
      }
    case .importFailing:
      simulator.answer("/athlete/activities") { _ in provider.isIll ? .json("{}", status: 500) : nil }
    case .connected, .needsConsent, .paused, .ending:
      try await importer.imported(simulator)
      switch state {
      case .needsConsent:
        simulator.revokeAll()
        _ = try await importer.importAgain()
        #expect(try await importer.tracker().state == .needsConsent)
      case .paused:
        _ = try await importer.trackerOperators.pauseProvider(
          PauseProviderRequest(provider: "strava", paused: true), .operators)
      case .ending:
        simulator.answer("/revoke") { _ in provider.isIll ? .json("{}", status: 503) : nil }
        _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      default: break
      }
      return nil
    }
    let begun = try #require(try await importer.connect(simulator).lastImport)
    try await until("the provider is asked") { !simulator.stravaPages.isEmpty }
    return begun.importID
  }

  private static func leave(
    _ state: State, _ begun: String?, _ importer: RunningImporter, _ simulator: TrackerSimulator
  ) async throws {
    switch state {
    // Another attempt may begin beside it.
    case .attemptOpen: break
    case .importRunning, .importWaiting, .importFailing:
      let id = try #require(begun)
      _ = try await importer.trackers.cancelImport(CancelImportRequest(importID: id), TestUser.ada.options)
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      #expect(try await importer.tracker().state == .available)
    case .connected, .needsConsent, .paused:
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      #expect(try await importer.tracker().state == (state == .paused ? .unavailable : .available))
    // To the user the tracker is free already.
    case .ending:
      let tracker = try await importer.tracker()
      #expect(tracker.state == .available && tracker.leftConsent?.state == .revoking)
    }
  }

  private static func confirm(_ provider: Provider, _ importer: RunningImporter) async throws {
    provider.recover()
    try await until("the tokens are revoked") {
      importer.clock.advance(by: .seconds(60))
      return try await importer.value("select count(*) from tracker_connections") == "0"
    }
    // Nothing is left, so nothing is said.
    #expect(try await importer.tracker().leftConsent == nil)
  }

  private static func wait(_ state: State, _ begun: String?, _ importer: RunningImporter) async throws {
    switch state {
    case .attemptOpen:
      importer.clock.advance(by: .seconds(601))
    case .importWaiting, .importFailing:
      let ended = try await importer.ended(try #require(begun))
      #expect(ended.state == .failed)
    case .ending:
      importer.clock.advance(by: .seconds(2 * 86_400))
      try await until("the tokens are removed") {
        try await importer.value("select count(*) from tracker_connections") == "0"
      }
    default: Issue.record("\(state) does not end by itself")
    }
  }

  @Test(
    "[IM-11] [C-9] D-4: of a revocation that a provider never confirms the user is told once, and nothing is kept but that"
  )
  func neverConfirmed() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      simulator.answer("/revoke") { _ in .json("{}", status: 503) }
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), TestUser.ada.options)
      try await until("the provider is asked") { !simulator.requests("/revoke").isEmpty }
      let ended = try #require(try await importer.tracker().leftConsent)
      #expect(ended.state == .revoking && ended.message == "Strava is being asked to end our access.")
      try await until("the attempt has failed, and its job waits") {
        try await importer.value(
          "select count(*) from jobs where kind = 'revoke_tracker' and last_failure is not null and lease_until is null"
        ) == "1"
      }
      // Not a moment before its time.
      importer.clock.advance(by: .seconds(2 * 86_400 - 3_600))
      try await until("the provider is asked again") { simulator.requests("/revoke").count >= 2 }
      #expect(
        try await importer.value("select count(*) from tracker_connections where sealed_tokens is not null") == "1")
      importer.clock.advance(by: .seconds(3_600))
      let left = try await eventually("the user is told") {
        // An attempt that was running when the time came is repeated after its pause.
        importer.clock.advance(by: .seconds(60))
        let left = try await importer.tracker().leftConsent
        return left?.state == .unconfirmed ? left : nil
      }
      #expect(left.message == "Strava has not confirmed that our access has ended. Remove it in your account there.")
      #expect(left.pageURL == "https://www.strava.com/settings/apps" && left.endTime == ended.endTime)
      #expect(try await importer.value("select count(*) from tracker_connections") == "0")
      try await importer.expectToldOnce(of: left.message)
      // It is said for as long as it may matter.
      importer.clock.advance(by: .seconds(91 * 86_400))
      #expect(try await importer.tracker().leftConsent == nil)
    }
  }

  @Test("[IM-11] D-4: where a provider has no way to revoke tokens they are removed at once, and the user is told")
  func noRevocation() async throws {
    try await RunningImporter.withTrackers(["withings"]) { importer, simulator in
      try await importer.imported(simulator, "withings")
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "withings"), TestUser.ada.options)
      let left = try await eventually("the user is told") {
        let left = try await importer.tracker("withings").leftConsent
        return left?.state == .unconfirmed ? left : nil
      }
      #expect(try await importer.value("select count(*) from tracker_connections") == "0")
      try await importer.expectToldOnce(of: left.message)
      // A new consent stands for the one before.
      try await importer.imported(simulator, "withings")
      #expect(try await importer.tracker("withings").leftConsent == nil)
      #expect(try await importer.value("select count(*) from left_consents") == "0")
    }
  }

  @Test(
    "[IM-11] [C-9] D-4: what a provider left of a deleted account's consent ends too, and the account is told nothing")
  func deletedAccount() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      try await importer.imported(simulator)
      simulator.answer("/revoke") { _ in .json("{}", status: 403) }
      try await importer.own.transaction { tx in
        for statement in ImporterSchema.removals { try await tx.execute(statement.init(userID: TestUser.ada.id)) }
      }
      // A proxy's refusal confirms nothing.
      try await until("the provider is asked") { !simulator.requests("/revoke").isEmpty }
      #expect(try await importer.value("select count(*) from tracker_connections") == "1")
      // The database's clock said when it ended.
      let ended = try await importer.value(
        "select (extract(epoch from ended_at) * 1000000)::bigint from tracker_connections")
      importer.clock.set(Instant(microseconds: try #require(ended.flatMap { Int64($0) })) + Revocations.time)
      try await until("the tokens are removed") {
        try await importer.value("select count(*) from tracker_connections") == "0"
      }
      #expect(try await importer.value("select count(*) from left_consents") == "0")
    }
  }
}

extension RunningImporter {
  /// Expects that one notification says this, and no other does, whatever is looked at again.
  fileprivate func expectToldOnce(of message: String) async throws {
    clock.advance(by: .seconds(60))
    let outcomes = try await told(NotificationRequested.self).compactMap { event -> String? in
      guard case .importEnded(let news)? = event.news else { return nil }
      return news.outcome
    }
    #expect(outcomes.filter { $0 == message }.count == 1)
  }
}

import Synchronization
import TTRPC
import TandemImporter
import TestSupport
import Testing
import TrackerSimulator

/// Every state of a connection and of an import has a way out for each party, which needs no other's help: the provider's included (issue 30).
@Suite("ways out of connections and imports", .ownThreads, .timeLimit(.minutes(5)))
struct WaysOutTests {
  enum State: String, CaseIterable, Sendable {
    case attemptOpen, importRunning, importWaiting, importFailing, connected, needsConsent, paused, ending

    var parties: [Party] {
      switch self {
      case .attemptOpen, .importWaiting, .importFailing, .ending: [.user, .time]
      // A provider that does not answer is given up by the time of the machine, not by the clock of the service.
      case .importRunning: [.user]
      // These hold no user: nothing waits for their end.
      case .connected, .needsConsent, .paused: [.user]
      }
    }
  }

  enum Party: String, CaseIterable, Sendable {
    case user
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
      _ = try await importer.trackers.startConnection(StartConnectionRequest(provider: "strava"), Someone.ada.options)
      return nil
    case .importRunning:
      simulator.hold("/athlete/activities", by: provider.gate)
    case .importWaiting:
      simulator.answer("/athlete/activities") { _ in
        provider.isIll ? .json("{}", status: 429, headers: ["retry-after": "86400"]) : nil
      }
    case .importFailing: simulator.answer("/athlete/activities") { _ in provider.isIll ? .json("{}", status: 500) : nil }
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
        _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), Someone.ada.options)
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
      _ = try await importer.trackers.cancelImport(CancelImportRequest(importID: id), Someone.ada.options)
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), Someone.ada.options)
      #expect(try await importer.tracker().state == .available)
    case .connected, .needsConsent, .paused:
      _ = try await importer.trackers.disconnect(DisconnectRequest(provider: "strava"), Someone.ada.options)
      #expect(try await importer.tracker().state == (state == .paused ? .unavailable : .available))
    // To the user the tracker is free already.
    case .ending: #expect(try await importer.tracker().state == .available)
    }
  }

  private static func wait(_ state: State, _ begun: String?, _ importer: RunningImporter) async throws {
    switch state {
    case .attemptOpen:
      importer.clock.advance(by: .seconds(601))
    case .importWaiting, .importFailing:
      let ended = try await importer.ended(try #require(begun))
      #expect(ended.state == .failed)
    case .ending:
      try await until("its tokens are gone, though the provider never took them back") {
        importer.clock.advance(by: .seconds(21_600))
        return try await importer.value("select count(*) from tracker_connections") == "0"
      }
    default: Issue.record("\(state) does not end by itself")
    }
  }
}

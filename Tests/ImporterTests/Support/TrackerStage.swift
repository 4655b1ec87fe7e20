import Environment
import Identifiers
import ImporterStore
import Postgres
import ServiceRuntime
import Synchronization
import TTRPC
import TTRPCClient
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

extension CallOptions {
  /// As an operator.
  static let operators = CallOptions.token("operator", timeout: .seconds(60))
}

extension RunningImporter {
  var trackers: TrackersClient { TrackersClient(client) }
  var trackerOperators: TrackerOperatorsClient { TrackerOperatorsClient(client) }

  /// Runs `body` with a service whose users can connect trackers of these providers, and with the providers.
  static func withTrackers(
    _ providers: [String] = ["strava"], _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningImporter, TrackerSimulator) async throws -> Void
  ) async throws {
    try await TrackerSimulator.with { simulator in
      let arguments = try simulator.arguments(providers) + ["--tracker-upkeep-interval", "50ms"] + arguments
      try await with(arguments) { importer in try await body(importer, simulator) }
    }
  }

  /// Goes to a provider's page as a user, consents, and comes back.
  @discardableResult
  func connect(
    _ simulator: TrackerSimulator, _ provider: String = "strava", as user: TestUser = .ada, scope: String? = nil,
    historyDays: Int32 = 0
  ) async throws -> Tracker {
    let start = try await trackers.startConnection(
      StartConnectionRequest(provider: provider, historyDays: historyDays), user.options)
    let (state, code) = simulator.consent(to: start.authorizationURL, scope: scope)
    return try await trackers.completeConnection(CompleteConnectionRequest(state: state, code: code), user.options)
  }

  /// Connects, and waits until the first import has ended.
  @discardableResult
  func imported(
    _ simulator: TrackerSimulator, _ provider: String = "strava", as user: TestUser = .ada, scope: String? = nil
  ) async throws -> Import {
    let tracker = try await connect(simulator, provider, as: user, scope: scope)
    return try await ended(try #require(tracker.lastImport).importID, as: user)
  }

  /// An import once it has ended; the clock is set on whenever it waits.
  func ended(_ id: String, as user: TestUser = .ada) async throws -> Import {
    try await eventually("the import has ended") {
      let found = try await trackers.getImport(GetImportRequest(importID: id), user.options)
      if [.succeeded, .failed, .cancelled].contains(found.state) { return found }
      if let retry = found.retryTime {
        let moment = Instant(microseconds: retry.seconds * 1_000_000 + Int64(retry.nanos) / 1_000)
        if moment > clock.now { clock.set(moment + .seconds(6)) }
      }
      return nil
    }
  }

  /// Starts an import, and waits until it has ended.
  func importAgain(_ provider: String = "strava", as user: TestUser = .ada) async throws -> Import {
    let begun = try await trackers.startImport(StartImportRequest(provider: provider), user.options)
    return try await ended(begun.importID, as: user)
  }

  func tracker(_ provider: String = "strava", as user: TestUser = .ada) async throws -> Tracker {
    let list = try await trackers.listTrackers(ListTrackersRequest(), user.options)
    return try #require(list.trackers.first { $0.provider == provider })
  }

  func activityCount(as user: TestUser = .ada) async throws -> Int {
    Int(try await value("select count(*) from activities where user_id = '\(user.id)'") ?? "") ?? -1
  }
}

import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Postgres
import TTRPC
import TandemImporter
import Timestamps

/// The methods for operators of imports ([IM-6]).
package struct TrackerOperators: TrackerOperatorsService {
  private let trackers: Trackers

  private static let batch: Int64 = 500

  init(_ trackers: Trackers) { self.trackers = trackers }

  package func listProviders(_ call: ListProvidersRequest, _ context: CallContext) async throws -> ListProvidersResponse
  {
    let providers = trackers.operations.providers
    let rows = try await figures(of: providers)
    return ListProvidersResponse(
      providers: providers.compactMap { provider in
        rows.first { $0.provider == provider.id }.map { Provider($0, name: provider.name) }
      })
  }

  package func syncProvider(_ call: SyncProviderRequest, _ context: CallContext) async throws -> SyncProviderResponse {
    let provider = try trackers.operations.provider(call.provider)
    var (count, last): (Int64, ConnectionID?) = (0, nil)
    while true {
      let ids = try await trackers.database.rows(
        ConnectionsOfProvider(provider: provider.id, after: last, limit: Self.batch))
      guard let next = ids.last else { return SyncProviderResponse(userCount: count) }
      try await trackers.database.transaction { tx in try await trackers.operations.scheduleSyncs(of: ids, tx) }
      (count, last) = (count + Int64(ids.count), next)
    }
  }

  package func pauseProvider(_ call: PauseProviderRequest, _ context: CallContext) async throws -> Provider {
    let provider = try trackers.operations.provider(call.provider)
    try await trackers.database.write(SetPaused(provider: provider.id, paused: call.paused))
    guard let row = try await figures(of: [provider]).first else { throw TrackerRefusal.noSuchTracker }
    return Provider(row, name: provider.name)
  }

  private func figures(of providers: [ConfiguredProvider]) async throws -> [ProviderFigures.Row] {
    try await trackers.database.rows(
      ProviderFigures(
        failedAfter: trackers.environment.clock.now - .seconds(86_400), providers: providers.map(\.id)))
  }
}

extension Provider {
  fileprivate init(_ row: ProviderFigures.Row, name: String) {
    self.init(
      provider: row.provider, name: name, paused: row.paused, blockedUntil: row.blockedUntil?.timestamp,
      requestsLeft: row.requestsLeft ?? -1, connectedCount: row.connected, needsConsentCount: row.needsConsent,
      runningImportCount: row.running, failedImportCount: row.failed, oldestSyncTime: row.oldestSync?.timestamp)
  }
}

import ImporterDomain
import ImporterOperations
import ImporterStore
import ProviderAdapters
import TandemImporter
import Timestamps

extension Tracker {
  /// A tracker as one user sees it.
  init(
    _ provider: ConfiguredProvider, _ connection: ConnectionColumns?, last: ImportColumns?, isPaused: Bool,
    left: LeftConsents.Row? = nil
  ) {
    let state: TrackerState =
      switch connection?.state {
      case .needsConsent: .needsConsent
      case _ where isPaused: .unavailable
      case .connected: .connected
      default: .available
      }
    let missing = connection.map { provider.allowed(by: $0.scopes).missing } ?? []
    self.init(
      provider: provider.id, name: provider.name, state: state, kinds: provider.adapter.kinds.map(\.wire),
      missingKinds: missing.map(\.wire), connectTime: connection?.createdAt.timestamp,
      syncTime: connection?.syncedAt?.timestamp, lastImport: last.map { Import($0) },
      historyDays: connection?.historyDays ?? 0,
      // A consent that was given since stands for the one before.
      leftConsent: connection == nil ? left.map { LeftConsent($0, at: provider) } : nil)
  }
}

extension LeftConsent {
  /// What may be left at a provider of a consent that the user has ended.
  fileprivate init(_ left: LeftConsents.Row, at provider: ConfiguredProvider) {
    self.init(
      state: left.isGivenUp ? .unconfirmed : .revoking, endTime: left.endedAt.timestamp,
      message: left.isGivenUp ? ConsentWords.unconfirmed(at: provider.name) : ConsentWords.revoking(at: provider.name),
      pageURL: provider.adapter.consentPage)
  }
}

extension Import {
  init(_ row: ImportColumns) {
    self.init(
      importID: row.importID.description, provider: row.provider, state: row.state.wire,
      message: ImportWords.message(row.state, row.failure, missing: row.missingKinds.count), percent: row.percent,
      activityCount: row.activityCount, stepDayCount: row.stepDayCount, sleepCount: row.sleepCount,
      weightCount: row.weightCount, skippedCount: row.skippedCount,
      missingKinds: row.missingKinds.compactMap { DataKind(rawValue: $0)?.wire },
      failure: row.failure?.wire ?? .unspecified, createTime: row.createdAt.timestamp,
      retryTime: row.retryAt?.timestamp, finishTime: row.finishedAt?.timestamp)
  }
}

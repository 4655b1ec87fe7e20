import Identifiers
import ImporterOperations
import ImporterStore
import TTRPC
import TandemImporter

extension Trackers {
  /// The trackers with their states for the caller ([IM-1]).
  package func listTrackers(_ call: ListTrackersRequest, _ context: CallContext) async throws -> ListTrackersResponse {
    let user = try context.userID
    let connections = try await database.rows(ConnectionsOfUser(userID: user))
    let imports = try await database.rows(LastImports(userID: user))
    let paused = try await Set(database.rows(PausedProviders()))
    let left = try await database.rows(
      LeftConsents(userID: user, toldAfter: environment.clock.now - Revocations.toldFor))
    return ListTrackersResponse(
      trackers: operations.providers.map { provider in
        Tracker(
          provider, connections.first { $0.provider == provider.id },
          last: imports.first { $0.provider == provider.id },
          isPaused: paused.contains(provider.id), left: left.first { $0.provider == provider.id })
      } + [.files])
  }
}

extension Tracker {
  /// Files of trackers, which need no connection ([IM-1], [IM-10]).
  fileprivate static let files = Tracker(
    provider: "file", name: "Files", state: .available, kinds: DataKind.allCases.map(\.wire))
}

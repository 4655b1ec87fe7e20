import Environment
import Events
import Identifiers
import ImporterDomain
import ImporterStore
import Jobs
import Live
import Postgres
import ProviderAdapters
import TandemEvents
import Timestamps

/// Begins and ends imports, each in one transaction with its jobs and events ([IM-4], [IM-12]).
package struct ImportTransitions: Sendable {
  let environment: Environment
  let events: Outbox
  let jobs: Jobs
  let live: any LiveBus
  /// Between two imports of a connected tracker; a tenth more or less by chance.
  let syncInterval: Duration

  /// One channel for all imports, with the id of the one that changed.
  package static let channel = LiveChannel("importer.imports")

  /// What an import is of.
  package enum Extent: Sendable {
    /// All that is new.
    case everything
    /// The activities that the provider has named (``namedActivities``).
    case named
  }

  /// The stream of the activities that a provider's webhook has named; its name is stored.
  package static let namedActivities = DataStream("named-activities", .activities, anyOf: [])

  /// Begins an import; `nil` if one of the user and the provider runs.
  func begin(
    of user: UserID, _ connection: ConnectionColumns, at provider: ConfiguredProvider, by cause: ImportCause,
    bringing extent: Extent = .everything, _ tx: Transaction
  ) async throws -> ImportColumns? {
    let now = environment.clock.now
    let (allowed, missing) = provider.allowed(by: connection.scopes)
    // Those that could not be asked for alone, because an import ran or the consent had ended.
    let waits = try await tx.first(HasChangedActivities(connectionID: connection.id)) == true
    let named = waits && allowed.contains { $0.kind == .activities } ? [Self.namedActivities] : []
    let streams = extent == .named && !named.isEmpty ? named : named + allowed
    let window = provider.adapter.reach.window(
      since: connection.syncedTo, of: connection.historyDays, behind: connection.deletedUntil, until: now)
    let id: ImportID = environment.newID()
    let row = try await tx.first(
      InsertImport(
        importID: id, userID: user, provider: provider.id, connectionID: connection.id, cause: cause,
        streams: streams.map(\.name), missingKinds: missing.map(\.rawValue), since: window.since, until: window.until,
        now: now))
    guard let row else { return nil }
    try await goOn(id, from: provider.id, step: 0, at: now, tx)
    return row
  }

  /// Schedules the next part of an import.
  package func goOn(_ id: ImportID, from provider: String, step: Int64, at moment: Instant, _ tx: Transaction)
    async throws
  {
    // A key for each step: the run that schedules the next one is not replaced by it, and a repetition of it is not doubled.
    try await tx.schedule(
      Job(.importPages(from: provider), "\(id)", at: moment, key: "\(id)/\(step)", ifScheduled: .isKept), with: jobs)
    tell(id, after: tx)
  }

  /// Ends an import, unless it has ended, or has gone on since `step`.
  ///
  /// - Parameters:
  ///   - step: `nil` for an end whatever it does.
  ///   - syncedTo: until when all that is new was imported; `nil` if it was not.
  /// - Returns: the import as it has ended, or `nil`.
  func finish(
    _ id: ImportID, _ state: ImportState, _ failure: ImportFailure? = nil, step: Int64? = nil,
    at provider: ConfiguredProvider?, syncedTo: Instant? = nil, _ tx: Transaction
  ) async throws -> ImportColumns? {
    let now = environment.clock.now
    let finish = FinishImport(state: state, failure: failure, now: now, importID: id, step: step)
    guard let row = try await tx.first(finish) else { return nil }
    if state == .succeeded {
      try await tx.execute(NoteSync(syncedTo: syncedTo, now: now, connectionID: row.connectionID))
      try await events.publish(
        TrackerImported(
          importID: "\(id)", userID: "\(row.userID)", provider: row.provider, finishTime: now.timestamp), in: tx)
    }
    // Whoever cancels an import keeps the tracker connected. For a connection that has ended, the job does nothing.
    if failure != .consent { try await scheduleSync(of: row.connectionID, tx) }
    try await notify(row, provider?.name ?? row.provider, tx)
    tell(id, after: tx)
    return row
  }

  /// Notifies the user of the end of an import that they began, and of one that needs them ([IM-12]).
  private func notify(_ row: ImportColumns, _ name: String, _ tx: Transaction) async throws {
    guard row.state != .cancelled, row.cause == .user || row.failure == .consent else { return }
    let outcome = ImportWords.message(row.state, row.failure, missing: row.missingKinds.count)
    try await events.publish(
      NotificationRequested(
        notificationKey: "imports/\(row.importID)", recipientIds: ["\(row.userID)"],
        subject: "imports/\(row.importID)", news: .importEnded(.init(tracker: name, outcome: outcome))), in: tx)
  }

  /// Schedules the next import of a connection.
  func scheduleSync(of connection: ConnectionID, _ tx: Transaction) async throws {
    let pause = syncInterval * (0.9 + 0.2 * environment.chance)
    try await tx.schedule(
      Job(.syncTracker, "\(connection)", at: environment.clock.now + pause, key: "\(connection)"), with: jobs)
  }

  /// Schedules an import of a connection for when the one that runs is probably over: it may have asked before something was new.
  func scheduleAnother(of connection: ConnectionID, _ tx: Transaction) async throws {
    try await tx.schedule(
      Job(.syncTracker, "\(connection)", at: environment.clock.now + Self.anotherAfter, key: "\(connection)"),
      with: jobs)
  }

  private static let anotherAfter: Duration = .seconds(120)

  /// Tells the readers of an import, in every replica, that it has changed.
  func tell(_ id: ImportID, after tx: Transaction) {
    tx.afterCommit { [live] in live.publish(id.uuid.bytes, to: Self.channel) }
  }
}

extension Environment {
  /// A random number from 0 to 1.
  package var chance: Double { Double(randomness.uint64() >> 11) / Double(1 << 53) }
}

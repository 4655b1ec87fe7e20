import ChatDomain
import ChatOperations
import Environment
import Identifiers
import Logging
import Postgres
import ServiceLifecycle
import TrackingStore

/// Stores who has which conversation open at this replica, as the database tells all replicas ([TR-31]).
///
/// A row says that a user is online in a conversation at a replica; it counts while the replica renews its lease, so what a replica that crashed
/// leaves behind counts for nothing, and any other replica removes it.
package final class PresenceLeases: Service {
  private let id: ReplicaID
  private let presence: ReplicaPresence
  private let database: Database
  private let clock: any WallClock
  private let signals: ChatSignals
  private let lease: Duration
  private let logger: Logger

  /// Rows of one statement.
  private static let batch = 1_000
  /// Until what failed is tried again: while the database is away its lease may end, and users with streams seem offline.
  private static let retryDelay = Duration.milliseconds(150)

  /// - Parameter lease: how long after its last sign of life a replica's users count as online.
  package init(
    of presence: ReplicaPresence, database: Database, environment: Environment, signals: ChatSignals, lease: Duration,
    logger: Logger
  ) {
    id = environment.newID()
    (self.presence, self.database, self.signals, self.lease, self.logger) = (presence, database, signals, lease, logger)
    clock = environment.clock
  }

  package func run() async throws {
    await withTaskGroup { group in
      group.addTask { await cancelWhenGracefulShutdown { await self.storeChanges() } }
      group.addTask { await cancelWhenGracefulShutdown { await self.renewLease() } }
    }
    presence.end()
    await leave()
  }

  /// When those are notified who missed something and are not back by then ([TR-35]).
  private var dueAt: Instant { clock.now + ChatOperations.noticeDelay }

  /// Has the users of this replica be offline at once, and not only when its lease ends.
  private func leave() async {
    do {
      signals.send(try await database.write(EndReplica(replicaID: id, dueAt: dueAt)).map { .presence($0) })
    } catch {
      logger.debug("the lease of the chat's streams could not be ended", metadata: ["cause": "\(error)"])
    }
  }

  // MARK: Changes

  private func storeChanges() async {
    for await _ in presence.signal {
      while !Task.isCancelled {
        let places = presence.takeChanged(Self.batch)
        if places.isEmpty { break }
        do { try await storeUnderLease(places) } catch {
          presence.giveBack(places, error)
          // Until the database is there again; the wait ends with the task.
          try? await Task.sleep(for: Self.retryDelay)
        }
      }
    }
  }

  private func storeUnderLease(_ places: [ReplicaPresence.Place]) async throws {
    // One renewal for all who wait for it.
    if presence.isLeaseInDoubt {
      presence.isLeaseInDoubt = false
      do { try await renew() } catch {
        presence.isLeaseInDoubt = true
        throw error
      }
    }
    do { try await store(places) } catch let error as PostgresError
      where error.constraint == "chat_presence_replica_fkey"
    {
      // The lease has not begun, or it ended because the process stood still.
      try await renew()
      try await store(places)
    }
  }

  private func store(_ places: [ReplicaPresence.Place]) async throws {
    let now = clock.now
    let changes = presence.changes(of: places, at: now)
    var told: Set<ConversationID> = []
    if !changes.online.isEmpty {
      let stored = StorePresence(
        conversationIDs: changes.online.map(\.conversation), userIDs: changes.online.map(\.user), replicaID: id)
      told.formUnion(try await database.write(stored))
    }
    if !changes.offline.isEmpty {
      let removed = RemovePresence(
        conversationIDs: changes.offline.map(\.conversation), userIDs: changes.offline.map(\.user),
        heardAts: changes.heardAt, replicaID: id, dueAt: now + ChatOperations.noticeDelay)
      told.formUnion(try await database.write(removed))
    }
    signals.send(told.map { .presence($0) })
    presence.noteStored(changes)
  }

  // MARK: Leases

  private func renewLease() async {
    while !Task.isCancelled {
      // A third of the lease, so that one renewal may fail.
      var pause = lease / 3
      do {
        try await renew()
        signals.send(try await database.write(EndExpiredReplicas(dueAt: dueAt)).map { .presence($0) })
      } catch {
        logger.debug("the lease of the chat's streams could not be renewed", metadata: ["cause": "\(error)"])
        pause = min(pause, Self.retryDelay)
      }
      // The wait ends with the task.
      try? await Task.sleep(for: pause)
    }
  }

  private func renew() async throws {
    let isNew = try await database.write(RenewReplica(replicaID: id, seconds: lease / .seconds(1), now: clock.now))
      .first
    if isNew == true { presence.changeAll() }
  }
}

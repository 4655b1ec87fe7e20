import AsyncSignal
import ChatDomain
import Environment
import Identifiers
import Logging
import Postgres
import ServiceLifecycle
import Synchronization
import TTRPC
import TrackingStore

/// Who has which conversation open at this replica, as the database tells all replicas ([TR-31]).
///
/// A row says that a user is online in a conversation at a replica; it counts while the replica renews its lease, so what a replica that crashed
/// leaves behind counts for nothing, and any other replica removes it. One task stores what has changed, in batches: so the last change of a pair of
/// user and conversation is the one that is stored, however many streams open and close.
package final class PresenceLeases: Service {
  private struct Key: Hashable {
    let conversation: ConversationID
    let user: UserID
  }

  private typealias Waiter = CheckedContinuation<Result<Void, any Error>, Never>

  private struct State {
    /// How many streams of a user have a conversation open.
    var streams: [Key: Int] = [:]
    /// What is to be stored or removed.
    var changed: Set<Key> = []
    /// Until when users of closed streams were reachable for certain.
    var heard: [Key: Instant] = [:]
    /// Whether a user with a stream was found offline, so that the lease is to be renewed before anything is stored.
    var isLeaseInDoubt = false
    var waiters: [Key: [Waiter]] = [:]
    var hasEnded = false
  }

  private let id: ReplicaID
  private let database: Database
  private let clock: any WallClock
  private let signals: ChatSignals
  private let lease: Duration
  private let logger: Logger
  private let state = Mutex(State())
  private let wake = AsyncSignal()

  /// Rows of one statement.
  private static let batch = 1_000
  /// Until those are notified who missed something: one who reconnects meanwhile is not ([TR-35]).
  private static let noticeDelay = Duration.seconds(5)
  /// Until what failed is tried again: while the database is away its lease may end, and users with streams seem offline.
  private static let retryDelay = Duration.milliseconds(150)

  /// - Parameter lease: how long after its last sign of life a replica's users count as online.
  package init(
    database: Database, environment: Environment, signals: ChatSignals, lease: Duration = .seconds(15), logger: Logger
  ) {
    id = environment.newID()
    (self.database, self.signals, self.lease, self.logger) = (database, signals, lease, logger)
    clock = environment.clock
  }

  /// Adds a stream of a user that has a conversation open; when this returns every replica takes the user as online there.
  func open(_ conversation: ConversationID, _ user: UserID) async throws {
    let answer = await stored(Key(conversation: conversation, user: user)) { state, key in
      state.streams[key, default: 0] += 1
      return true
    }
    if case .failure = answer { close(conversation, user, heardAt: clock.now) }
    _ = try answer.get()
  }

  /// Has every replica take a user as online again who seems offline although a stream here has the conversation open: the lease ended, as over a
  /// failover of the database.
  ///
  /// - Returns: false if no stream here has it open.
  func restore(_ conversation: ConversationID, _ user: UserID) async throws -> Bool {
    try await stored(Key(conversation: conversation, user: user)) { state, key in
      guard state.streams[key] != nil else { return false }
      state.isLeaseInDoubt = true
      return true
    }.get()
  }

  /// Makes a change, and waits until it is stored.
  ///
  /// - Parameter change: returns whether there is anything to store.
  private func stored(_ key: Key, _ change: (inout State, Key) -> Bool) async -> Result<Bool, any Error> {
    var isChange = false
    let answer: Result<Void, any Error> = await withCheckedContinuation { waiter in
      let known = state.withLock { state -> Result<Void, any Error>? in
        if state.hasEnded { return .failure(Status.unavailable("The service is stopping")) }
        isChange = change(&state, key)
        guard isChange else { return .success(()) }
        // Stored again even where another stream has it open, whose row may have gone since.
        state.changed.insert(key)
        state.waiters[key, default: []].append(waiter)
        return nil
      }
      if let known { waiter.resume(returning: known) } else { wake.send() }
    }
    return answer.map { isChange }
  }

  /// Removes a stream of a user that had a conversation open.
  ///
  /// - Parameter heardAt: until when the user was reachable for certain ([TR-35]).
  func close(_ conversation: ConversationID, _ user: UserID, heardAt: Instant) {
    let key = Key(conversation: conversation, user: user)
    state.withLock { state in
      guard let count = state.streams[key] else { return }
      state.heard[key] = max(state.heard[key] ?? heardAt, heardAt)
      state.streams[key] = count > 1 ? count - 1 : nil
      if count == 1 { state.changed.insert(key) }
    }
    wake.send()
  }

  package func run() async throws {
    await withTaskGroup { group in
      group.addTask { await cancelWhenGracefulShutdown { await self.storeChanges() } }
      group.addTask { await cancelWhenGracefulShutdown { await self.renewLease() } }
    }
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [:] }
      return state.waiters.values.flatMap(\.self)
    }
    for waiter in waiters { waiter.resume(returning: .failure(Status.unavailable("The service is stopping"))) }
    await leave()
  }

  /// Has the users of this replica be offline at once, and not only when its lease ends.
  private func leave() async {
    do {
      signals.send(
        try await database.write(EndReplica(replicaID: id, dueAt: clock.now + Self.noticeDelay)).map { .presence($0) })
    } catch {
      logger.debug("the lease of the chat's streams could not be ended", metadata: ["cause": "\(error)"])
    }
  }

  // MARK: Changes

  private func storeChanges() async {
    for await _ in wake {
      while let keys = takeChanges(), !Task.isCancelled {
        do { try await storeUnderLease(keys) } catch {
          giveBack(keys, error)
          // Until the database is there again; the wait ends with the task.
          try? await Task.sleep(for: Self.retryDelay)
        }
      }
    }
  }

  private func takeChanges() -> [Key]? {
    state.withLock { state in
      let keys = Array(state.changed.prefix(Self.batch))
      state.changed.subtract(keys)
      return keys.isEmpty ? nil : keys
    }
  }

  private func storeUnderLease(_ keys: [Key]) async throws {
    // One renewal for all who wait for it.
    if state.withLock({ $0.isLeaseInDoubt }) {
      state.withLock { $0.isLeaseInDoubt = false }
      do { try await renew() } catch {
        state.withLock { $0.isLeaseInDoubt = true }
        throw error
      }
    }
    do { try await store(keys) } catch let error as PostgresError where error.constraint == "chat_presence_replica_fkey"
    {
      // The lease has not begun, or it ended because the process stood still.
      try await renew()
      try await store(keys)
    }
  }

  private func store(_ keys: [Key]) async throws {
    let now = clock.now
    let (online, offline, heard) = state.withLock { state in
      let offline = keys.filter { state.streams[$0] == nil }
      return (keys.filter { state.streams[$0] != nil }, offline, offline.map { state.heard[$0] ?? now })
    }
    var told: Set<ConversationID> = []
    if !online.isEmpty {
      let stored = StorePresence(
        conversationIDs: online.map(\.conversation), userIDs: online.map(\.user), replicaID: id)
      told.formUnion(try await database.write(stored))
    }
    if !offline.isEmpty {
      let removed = RemovePresence(
        conversationIDs: offline.map(\.conversation), userIDs: offline.map(\.user), heardAts: heard, replicaID: id,
        dueAt: now + Self.noticeDelay)
      told.formUnion(try await database.write(removed))
    }
    state.withLock { state in for key in offline where state.streams[key] == nil { state.heard[key] = nil } }
    signals.send(told.map { .presence($0) })
    // Who opened a conversation while those that were closed were removed waits for the next batch.
    answer(online, .success(()))
  }

  private func giveBack(_ keys: [Key], _ error: any Error) {
    state.withLock { $0.changed.formUnion(keys) }
    answer(keys, .failure(error))
    wake.send()
  }

  private func answer(_ keys: [Key], _ answer: Result<Void, any Error>) {
    let waiters = state.withLock { state in keys.flatMap { state.waiters.removeValue(forKey: $0) ?? [] } }
    for waiter in waiters { waiter.resume(returning: answer) }
  }

  // MARK: Leases

  private func renewLease() async {
    while !Task.isCancelled {
      // A third of the lease, so that one renewal may fail.
      var pause = lease / 3
      do {
        try await renew()
        let ended = EndExpiredReplicas(dueAt: clock.now + Self.noticeDelay)
        signals.send(try await database.write(ended).map { .presence($0) })
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
    if isNew == true { storeAll() }
  }

  /// Nothing is stored of this replica: it has just begun, or its lease ended because it was stopped or the database was away.
  private func storeAll() {
    state.withLock { $0.changed.formUnion($0.streams.keys) }
    wake.send()
  }
}

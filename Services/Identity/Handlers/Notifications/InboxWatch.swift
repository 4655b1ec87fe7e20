import Repetition
import IdentityDomain
import IdentityStore
import Identifiers
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// Rings for whoever reads an inbox as it grows: at once for what this replica stored, within two seconds for what others did.
///
/// A ring says "look", never what there is: what a stream tells comes from the database, so a ring that is lost costs time and nothing else.
package final class InboxWatch: Service {
  private let database: Database
  private let logger: Logger
  private let state = Mutex(State())

  private struct State {
    var subscribers: [AccountID: [UInt64: AsyncStream<Int64>.Continuation]] = [:]
    var lastID: UInt64 = 0
    var hasEnded = false
  }

  /// One look for all watched inboxes.
  private static let interval: Duration = .seconds(2)
  /// Inboxes that one statement asks about.
  private static let batch = 1_000

  /// Watches the inboxes of `database`.
  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  /// Has the readers of an inbox look at once. After the commit of what they are to see.
  func publish(to accountID: AccountID) { ring(accountID, Self.unknown) }

  /// As far as anybody knows.
  private static let unknown = Int64.max

  private func ring(_ accountID: AccountID, _ position: Int64) {
    state.withLock { state in
      for subscriber in state.subscribers[accountID, default: [:]].values { subscriber.yield(position) }
    }
  }

  /// Rings for an inbox from now on, beginning with one; of several that are not taken the last is kept. Each says up to which sequence number
  /// there may be notifications. Ends when the service stops.
  func subscribe(to accountID: AccountID) -> AsyncStream<Int64> {
    let (rings, ring) = AsyncStream.makeStream(of: Int64.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> UInt64? in
      guard !state.hasEnded else { return nil }
      state.lastID += 1
      state.subscribers[accountID, default: [:]][state.lastID] = ring
      return state.lastID
    }
    guard let id else {
      ring.finish()
      return rings
    }
    ring.onTermination = { [weak self] _ in self?.remove(id, of: accountID) }
    ring.yield(Self.unknown)
    return rings
  }

  /// Looks now and then until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "inboxes could not be looked at") { _ in
      try await self.look()
    }
    let subscribers = state.withLock { state in
      state.hasEnded = true
      return state.subscribers.values.flatMap(\.values)
    }
    for subscriber in subscribers { subscriber.finish() }
  }

  /// Rings at every watched inbox, moved or not: their streams also see then whether their tokens still hold.
  private func look() async throws {
    let watched = state.withLock { Array($0.subscribers.keys) }
    for start in stride(from: 0, to: watched.count, by: Self.batch) {
      let part = Array(watched[start..<min(start + Self.batch, watched.count)])
      let found = try await database.rows(InboxPositions(of: part))
      let positions = Dictionary(found.map { ($0.accountID, $0.position) }, uniquingKeysWith: { _, last in last })
      for accountID in part { ring(accountID, positions[accountID, default: 0]) }
    }
  }

  private func remove(_ id: UInt64, of accountID: AccountID) {
    state.withLock { state in
      state.subscribers[accountID]?[id] = nil
      if state.subscribers[accountID]?.isEmpty == true {
        state.subscribers[accountID] = nil
      }
    }
  }
}

import IdentityOperations
import IdentityStore
import Identifiers
import Live
import Logging
import Postgres
import PeriodicTask
import ServiceLifecycle
import Synchronization

/// Signals the readers of an inbox when it grows, at once, whichever replica stored the notification.
///
/// A signal only asks a stream to query the database, so a lost signal costs time and nothing else. To replace lost
/// signals, every gap of the bus and a slow poll signal again.
package final class InboxWatch: Service {
  private let database: Database
  private let live: any LiveBus
  private let logger: Logger
  private let slowLook: Duration
  private let state = Mutex(State())

  private struct State {
    var readers: [UserID: [UInt64: InboxSignal]] = [:]
    var lastID: UInt64 = 0
    var hasEnded = false
  }

  /// The number of inboxes in one statement.
  private static let batch = 1_000

  /// - Parameter slowLook: the poll interval: the longest time after its commit in which a notification without a
  ///   signal is found, and in which streams check that their tokens are still valid.
  package init(database: Database, live: any LiveBus, slowLook: Duration = .seconds(2), logger: Logger) {
    self.database = database
    self.live = live
    self.slowLook = slowLook
    self.logger = logger
  }

  /// Signals for an inbox from now on, the first one immediately. Ends when the service stops.
  func subscribe(to userID: UserID) -> InboxSignals {
    let signal = InboxSignal()
    let id = state.withLock { state -> UInt64? in
      guard !state.hasEnded else { return nil }
      state.lastID += 1
      state.readers[userID, default: [:]][state.lastID] = signal
      return state.lastID
    }
    signal.send(upTo: InboxSignals.unknown)
    guard let id else {
      signal.end()
      return InboxSignals(signal) {}
    }
    return InboxSignals(signal) { [weak self] in self?.remove(id, of: userID) }
  }

  /// Forwards the messages of the bus, and polls, until the service stops.
  package func run() async throws {
    await withTaskGroup { group in
      group.addTask { await cancelWhenGracefulShutdown { await self.listen() } }
      group.addTask {
        await repeatUntilShutdown(every: self.slowLook, self.logger, "inboxes could not be looked at") { _ in
          try await self.look()
        }
      }
    }
    let signals = state.withLock { state in
      state.hasEnded = true
      return state.readers.values.flatMap(\.values)
    }
    for signal in signals { signal.end() }
  }

  private func listen() async {
    for await message in live.subscribe(to: InboxSignalling.channel) {
      switch message {
      case .payload(let bytes) where bytes.count == 16:
        send(UserID(bytes.withUnsafeBytes { UUID7(bytes: $0) }), upTo: InboxSignals.unknown)
      case .payload: continue
      case .gap:
        do { try await look() } catch {
          // The slow poll runs as well, and logs what is wrong with the database.
          logger.debug("inboxes could not be looked at after a gap", metadata: ["cause": "\(error)"])
        }
      }
    }
  }

  /// Signals every watched inbox, grown or not, because streams also check their tokens then.
  private func look() async throws {
    let watched = state.withLock { Array($0.readers.keys) }
    for start in stride(from: 0, to: watched.count, by: Self.batch) {
      let part = Array(watched[start..<min(start + Self.batch, watched.count)])
      let found = try await database.rows(InboxPositions(userIDs: part))
      let positions = Dictionary(found.map { ($0.userID, $0.position) }, uniquingKeysWith: { _, last in last })
      for userID in part { send(userID, upTo: positions[userID, default: 0]) }
    }
  }

  private func send(_ userID: UserID, upTo position: Int64) {
    let signals = state.withLock { $0.readers[userID].map { Array($0.values) } ?? [] }
    for signal in signals { signal.send(upTo: position) }
  }

  private func remove(_ id: UInt64, of userID: UserID) {
    state.withLock { state in
      state.readers[userID]?[id] = nil
      if state.readers[userID]?.isEmpty == true {
        state.readers[userID] = nil
      }
    }
  }
}

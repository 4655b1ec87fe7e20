import Environment
import Identifiers
import Logging
import Metrics
import PeriodicTask
import Postgres
import ServiceLifecycle
import Synchronization
import TrackingDomain
import TrackingOperations
import TrackingStore

/// Notices silence, stops and promised times that pass, without any position arriving ([TR-8] to [TR-10]).
///
/// Each user's row says when to look next. It is seldom moved: a look that finds nothing due sets the next one, so that a user who reports every
/// second is looked at once a minute. Replicas share the work, and what one of them notices is stored with the row that it has locked: it
/// is noticed once.
package final class Watchkeeper: Service {
  private let operations: TrackerOperations
  private let database: Database
  private let partitions: Partitions
  private let clock: any WallClock
  private let logger: Logger
  private let interval: Duration

  /// Users of one transaction.
  private static let together: Int64 = 500
  /// A pause in which positions could not arrive; less may be a slow moment.
  private static let pause = Duration.seconds(15)
  /// Between two notes that positions can arrive: so often that neither the interval of looks nor a long look seems to be a pause.
  private static let beat = Duration.seconds(1)

  private let noticed = Counter(label: "tracking_looks_total")
  /// When this process last began to note that positions can arrive, and succeeded; by a clock that nobody sets.
  private let lastAwake = Mutex<ContinuousClock.Instant?>(nil)

  package init(
    operations: TrackerOperations, database: Database, partitions: Partitions, clock: any WallClock, logger: Logger,
    every interval: Duration
  ) {
    self.operations = operations
    self.database = database
    self.partitions = partitions
    self.clock = clock
    self.logger = logger
    self.interval = interval
  }

  /// Looks until the service stops.
  package func run() async throws {
    await withTaskGroup { group in
      group.addTask {
        await repeatUntilShutdown(every: Self.beat, self.logger, "that positions can arrive could not be noted") { _ in
          _ = try await self.stayAwake()
        }
      }
      group.addTask {
        await repeatUntilShutdown(every: self.interval, self.logger, "users could not be looked after") { _ in
          try await self.look()
        }
      }
    }
  }

  /// Notes that positions can arrive; returns since when they can.
  private func stayAwake() async throws -> Instant? {
    let (now, began) = (clock.now, ContinuousClock.now)
    let last = lastAwake.withLock { $0 }
    let since = try await database.write(
      StayAwake(now: now, mayHavePaused: last.map { began - $0 > Self.pause } ?? true, pausedBefore: now - Self.pause))
    // Not before it is stored: after a pause, whichever loop comes first must not let the other go by the time before it.
    lastAwake.withLock { $0 = max($0 ?? began, began) }
    return since.first
  }

  private func look() async throws {
    let now = try await database.trusted(clock.now)
    try await partitions.prepare(for: [now])
    guard let since = try await stayAwake() else { return }
    while try await lookAtSome(now: now, servingSince: since) == Self.together {}
  }

  private func lookAtSome(now: Instant, servingSince: Instant) async throws -> Int64 {
    let looked = try await database.repeatableTransaction { tx in
      try await operations.lookAfterUsers(at: now, servingSince: servingSince, most: Self.together, tx)
    }
    noticed.increment(by: looked)
    return Int64(looked)
  }
}

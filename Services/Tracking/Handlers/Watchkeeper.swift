import Environment
import Identifiers
import Logging
import Metrics
import PeriodicTask
import Postgres
import ServiceLifecycle
import Synchronization
import TrackingDomain
import TrackingStore

/// Notices silence, stops and promised times that pass, without any position arriving ([TR-8] to [TR-10]).
///
/// Each user's row says when to look next. It is seldom moved: a look that finds nothing due sets the next one, so that a user who reports every
/// second is looked at once a minute. Replicas share the work, and what one of them notices is stored with the row that it has locked: it
/// is noticed once.
package final class Watchkeeper: Service {
  private let database: Database
  private let trackers: Trackers
  private let partitions: Partitions
  private let clock: any WallClock
  private let logger: Logger
  private let interval: Duration

  /// Users of one transaction.
  private static let together: Int64 = 500
  /// A pause in which positions could not arrive; less may be a slow moment.
  private static let pause = Duration.seconds(15)

  private let noticed = Counter(label: "tracking_looks_total")

  package init(
    database: Database, trackers: Trackers, partitions: Partitions, clock: any WallClock, logger: Logger,
    every interval: Duration
  ) {
    self.database = database
    self.trackers = trackers
    self.partitions = partitions
    self.clock = clock
    self.logger = logger
    self.interval = interval
  }

  /// Looks until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: interval, logger, "users could not be looked after") { sinceLast in
      try await self.look(sinceLast: sinceLast)
    }
  }

  /// - Parameter sinceLast: since this process last did, by a clock that nobody sets; `nil` for the first time.
  private func look(sinceLast: Duration?) async throws {
    let now = clock.now
    try await partitions.prepare(for: [now])
    let awake = try await database.write(
      StayAwake(
        now: now, mayHavePaused: sinceLast.map { $0 > Self.pause } ?? true, pausedBefore: now - Self.pause))
    guard let since = awake.first else { return }
    while try await lookAtSome(now: now, servingSince: since) == Self.together {}
  }

  private func lookAtSome(now: Instant, servingSince: Instant) async throws -> Int64 {
    let looked = try await database.repeatableTransaction { tx in
      let users = try await tx.rows(DueTrackers(now: now, limit: Self.together))
      guard !users.isEmpty else { return 0 }
      var loaded = try await trackers.locked(users.sorted(), tx)
      for place in loaded.indices { loaded[place].passTime(to: now, servingSince: servingSince) }
      try await trackers.store(loaded, tx)
      return users.count
    }
    noticed.increment(by: looked)
    return Int64(looked)
  }
}

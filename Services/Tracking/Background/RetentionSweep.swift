import Environment
import Identifiers
import Logging
import PeriodicTask
import Postgres
import ServiceLifecycle
import TrackingDomain
import TrackingOperations
import TrackingStore

/// Deletes positions, paths and journeys after their users' retention times, and partitions that are not needed ([TR-13]).
package struct RetentionSweep: Service {
  private let operations: TrackerOperations
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger
  private let interval: Duration

  /// Users whose journeys are ended by one transaction, which locks the groups that saw them.
  private static let together: Int64 = 100
  /// How often one sweep looks for forgotten journeys, and how long it waits between.
  private static let (maxLooks, lookPause): (Int, Duration) = (60, .milliseconds(500))
  /// Rows of one statement.
  private static let batch: Int64 = 5_000
  /// Users who are looked at by one statement.
  private static let users: Int64 = 1_000
  /// A partition that was in use is looked at again soon.
  private static let dropInterval = Duration.seconds(15)
  /// The longest retention time, and what clocks may differ by.
  private static let maxDuration = Duration.seconds(367 * 86_400)
  /// For so long viewers can resume; and no user's retention time is shorter.
  private static let changesKept = Duration.seconds(86_400)
  /// Late positions are at most a day old.
  private static let pathsWritten = Duration.seconds(2 * 86_400)

  package init(
    operations: TrackerOperations, database: Database, clock: any WallClock, logger: Logger, every interval: Duration
  ) {
    self.operations = operations
    self.database = database
    self.clock = clock
    self.logger = logger
    self.interval = interval
  }

  /// Sweeps until the service stops.
  package func run() async throws {
    await withTaskGroup { group in
      group.addTask {
        await repeatUntilShutdown(every: interval, logger, "old positions could not be deleted") { _ in
          try await sweep()
        }
      }
      group.addTask {
        await repeatUntilShutdown(every: Self.dropInterval, logger, "old partitions could not be dropped") { _ in
          try await dropPartitions()
        }
      }
    }
  }

  private func dropPartitions() async throws {
    let now = try await database.trusted(clock.now)
    for (parent, before) in [("path_points", now - Self.maxDuration), ("group_changes", now - Self.changesKept)] {
      try await step("partitions of \(parent)") {
        _ = try await database.write(DropPartitions(parent: parent, before: before))
      }
    }
  }

  private func sweep() async throws {
    let now = try await database.trusted(clock.now)
    try await step("forgotten journeys") { try await endAllForgottenJourneys(at: now) }
    var last = UserID(UUID7(high: 0, low: 0))
    while true {
      let users = try await database.rows(TrackedUsers(after: last.uuid, limit: Self.users))
      guard let end = users.last else { break }
      try await forget(users, at: now)
      last = end
    }
    try await step("partitions") {
      _ = try await database.write(DropEmptyPartitions(parent: "path_points", before: now - Self.pathsWritten))
    }
  }

  private func forget(_ users: [UserID], at now: Instant) async throws {
    try await step("paths") {
      while try await deleted(DeleteOldPathPoints(now: now, userIDs: users, limit: Self.batch)) == Self.batch {}
    }
    try await step("journeys") {
      while try await deleted(DeleteOldJourneys(userIDs: users, now: now, limit: Self.batch)) == Self.batch {}
    }
    try await step("positions") {
      while try await deleted(ForgetOldPositions(userIDs: users, now: now, limit: Self.batch)) == Self.batch {}
    }
    try await step("last positions") {
      while try await deleted(ForgetOldLastPositions(userIDs: users, now: now, limit: Self.batch)) == Self.batch {}
    }
  }

  /// Runs a part of the sweep, and logs where it fails, so that the others run nevertheless; it is tried again with the next sweep.
  private func step(_ what: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as PostgresError where !error.isUnavailable {
      logger.error("a part of what is old could not be deleted", metadata: ["part": "\(what)", "cause": "\(error)"])
    }
  }

  /// Ends them, and looks again at those that another process had locked, which is over within a moment.
  private func endAllForgottenJourneys(at now: Instant) async throws {
    for _ in 0..<Self.maxLooks {
      while try await endForgottenJourneys(at: now) == Self.together {}
      guard try await database.first(HasForgottenTravellers(now: now)) == true else { return }
      try await Task.sleep(for: Self.lookPause)
    }
  }

  private func endForgottenJourneys(at now: Instant) async throws -> Int64 {
    try await database.repeatableTransaction { tx in
      try await operations.endForgottenJourneys(at: now, most: Self.together, tx)
    }
  }

  private func deleted<S: Statement>(_ statement: S) async throws -> Int64 where S.Row == Bool {
    Int64(try await database.write(statement).count)
  }
}

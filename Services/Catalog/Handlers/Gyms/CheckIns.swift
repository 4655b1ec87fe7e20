import Ambient
import CatalogDomain
import CatalogStore
import Events
import struct GoogleProtobuf.Timestamp
import Identifiers
import Logging
import Postgres
import Repetition
import ServiceLifecycle
import TandemEvents

extension ConsumerPlan {
  /// What is done about matching's news: who checked in at a gym is counted there ([CA-4]).
  package static var checkIns: ConsumerPlan {
    ConsumerPlan(
      of: "matching",
      effects: [
        EventEffect(of: CheckedIn.self) { event, tx in
          let message = event.message
          guard let person = PersonID(message.userID), let gym = GymID(message.gymID) else { throw NoPresence() }
          let checkedInAt = message.checkInTime.map { Instant(wire: $0) } ?? event.occurredAt
          // The person's row comes first; nobody who left is counted, whatever comes late.
          guard try await tx.first(EnterPerson(person)) != nil else { return }
          try await tx.execute(
            NotePresence(
              of: person, at: gym, from: checkedInAt,
              until: message.endTime.map { Instant(wire: $0) } ?? checkedInAt + GymUsage.lifetime))
        }
      ],
      // What was missed says nothing any more by now.
      rebuild: { _ in { _ in } })
  }

  /// The event names nobody, or no gym.
  private struct NoPresence: Error {}
}

/// Removes where people checked in once that says nothing any more: once when a service starts, then every ten minutes ([CA-4]).
package struct PresenceSweep: Service {
  private let database: Database
  private let clock: any WallClock
  private let logger: Logger

  private static let interval: Duration = .seconds(600)
  /// Rows removed at a time: few enough that nobody waits for their locks.
  private static let batch = 500

  package init(database: Database, clock: any WallClock, logger: Logger) {
    self.database = database
    self.clock = clock
    self.logger = logger
  }

  /// Sweeps until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "a sweep of old check-ins did not end") { _ in
      let statement = DeleteOldPresences(now: clock.now, limit: Self.batch)
      while try await database.write(statement).count == Self.batch { try Task.checkCancellation() }
    }
  }
}

extension Instant {
  /// The moment that the wire carries; what is beyond a microsecond is cut off.
  init(wire timestamp: Timestamp) {
    let (micros, overflow) = timestamp.seconds.multipliedReportingOverflow(by: 1_000_000)
    let extreme = Instant(microseconds: timestamp.seconds < 0 ? .min : .max)
    self = overflow ? extreme : Instant(microseconds: micros &+ Int64(timestamp.nanos) / 1_000)
  }
}

import CatalogDomain
import CatalogStore
import Events
import struct GoogleProtobuf.Timestamp
import Identifiers
import Postgres
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

extension Instant {
  /// The moment that the wire carries; what is beyond a microsecond is cut off.
  init(wire timestamp: Timestamp) {
    let (micros, overflow) = timestamp.seconds.multipliedReportingOverflow(by: 1_000_000)
    let extreme = Instant(microseconds: timestamp.seconds < 0 ? .min : .max)
    self = overflow ? extreme : Instant(microseconds: micros &+ Int64(timestamp.nanos) / 1_000)
  }
}

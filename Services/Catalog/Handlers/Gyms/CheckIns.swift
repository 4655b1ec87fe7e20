import CatalogDomain
import CatalogStore
import Events
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension ConsumerPlan {
  /// What is done about matching's news: who checked in at a gym is counted there ([CA-4]).
  package static var checkIns: ConsumerPlan {
    ConsumerPlan(
      of: "matching",
      effects: [
        EventEffect(of: CheckedIn.self) { event, tx in
          let presence = try ToldPresence(event)
          // The person's row comes first; nobody who left is counted, whatever comes late.
          guard try await tx.first(EnterPerson(presence.person)) != nil else { return }
          try await tx.execute(
            NotePresence(of: presence.person, at: presence.gym, from: presence.start, until: presence.end))
        }
      ],
      // What was missed says nothing any more by now.
      rebuild: { _ in { _ in } })
  }
}

/// Somebody at a gym, as matching tells.
package struct ToldPresence: Sendable {
  let person: PersonID
  let gym: GymID
  let start: Instant
  let end: Instant

  /// - Throws: when it names nobody, or no gym, or a time that is none.
  package init(_ event: ReceivedEvent<CheckedIn>) throws {
    let message = event.message
    guard let person = PersonID(message.userID), let gym = GymID(message.gymID) else { throw NoPresence() }
    (self.person, self.gym) = (person, gym)
    start = try message.checkInTime.map { try Instant(told: $0) } ?? event.occurredAt
    end = try message.endTime.map { try Instant(told: $0) } ?? start + GymUsage.lifetime
  }

  /// The event names nobody, or no gym.
  private struct NoPresence: Error {}
}

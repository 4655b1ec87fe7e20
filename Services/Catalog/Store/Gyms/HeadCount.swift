import Identifiers
import Postgres

/// An operator's report of how many people are in a gym.
package struct HeadCount: Sendable {
  package let gym: GymID
  let people: Int32
  let capacity: Int32?
  let observedAt: Instant

  /// - Parameter capacity: `nil` keeps the stored one.
  package init(gym: GymID, people: Int32, capacity: Int32?, observedAt: Instant) {
    (self.gym, self.people, self.capacity, self.observedAt) = (gym, people, capacity, observedAt)
  }
}

extension StoreUsage {
  package init(_ reports: [HeadCount]) {
    self.init(
      gymIDs: reports.map(\.gym), people: reports.map(\.people), capacities: reports.map { $0.capacity ?? 0 },
      observedTimes: reports.map(\.observedAt))
  }
}

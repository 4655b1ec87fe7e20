import Identifiers
import Postgres

extension TakenJob {
  var repeats: Bool { day != nil }

  /// The earliest time at which it could have been run.
  var possibleSince: Instant { max(due, scheduledAt) }
}

/// How many more jobs of a kind a replica can run, and the lease of each.
struct Vacancy: Sendable {
  let kind: String
  let count: Int
  let lease: Duration
}

extension TakeDueJobs {
  init(vacancies: [Vacancy], now: Instant, limit: Int) {
    self.init(
      kinds: vacancies.map(\.kind), counts: vacancies.map { Int64($0.count) },
      leaseSeconds: vacancies.map { $0.lease / .seconds(1) }, now: now, limit: Int64(limit))
  }
}

import Identifiers
import Postgres

@testable import Jobs

/// A job that was taken, for tests of late reports.
struct Stale: Sendable, Equatable {
  let id: UUID7
  let fence: Int64
}

extension Bench {
  /// Takes a job of `kind` as a worker would, without running it.
  func take<Payload>(_ kind: JobKind<Payload>) async throws -> Stale? {
    let vacancy = Vacancy(kind: kind.name, count: 1, lease: kind.limits.lease)
    let taken = try await database.write(TakeDueJobs(vacancies: [vacancy], now: clock.now, limit: 1))
    return taken.first.map { Stale(id: $0.id, fence: $0.fence) }
  }
}

extension Database {
  /// How many jobs it removes that `call` names.
  func write(_ call: CompleteByFence) async throws -> Int {
    try await write(CompleteJob(id: call.id, fence: call.fence)).count
  }
}

/// The report of a worker that has finished.
struct CompleteByFence: Sendable {
  let id: UUID7
  let fence: Int64
}

import Environment
import Identifiers
import Jobs
import Postgres

extension ServiceDatabase {
  /// The result of a retry of a job.
  enum JobRetry: Sendable {
    case retried(JobRecord)
    case isLiving
    case hasSuccessor
    case isMissing
  }

  /// The ids of the dead letter jobs, all of them or those of a kind.
  func deadJobs(_ kind: String?) async throws -> [UUID7] {
    try await rows(ListJobs(kind: kind, state: .dead, limit: Self.maxCount)).map(\.id)
  }

  /// The most in one run; an operator with more repeats --all.
  private static let maxCount: Int64 = 10_000

  /// Schedules a job again.
  func retryJob(_ id: UUID7) async throws -> JobRetry {
    try await asked { database in
      do {
        let retry = RetryDeadJob(now: SystemClock().now, id: id)
        if let job = try await database.write(retry).first { return .retried(job) }
      } catch let error as PostgresError where error.constraint == RetryDeadJob.livingConstraint {
        return .hasSuccessor
      }
      return try await database.first(FindJob(id: id)) == nil ? .isMissing : .isLiving
    }
  }
}

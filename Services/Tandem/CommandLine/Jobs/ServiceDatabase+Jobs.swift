import Environment
import Identifiers
import Jobs
import Postgres

extension ServiceDatabase {
  /// What became of a job that was to be retried.
  enum JobRetry: Sendable {
    case retried(JobRecord)
    case isLiving
    case hasSuccessor
    case isMissing
  }

  /// The ids of the jobs that were given up, all of them or those of a kind.
  func deadJobs(_ kind: String?) async throws -> [UUID7] {
    try await rows(ListJobs(.dead, kind: kind, limit: Self.most)).map(\.id)
  }

  /// More than anybody looks through; who has more says --all again.
  private static let most = 10_000

  /// Has a job tried again.
  func retryJob(_ id: UUID7) async throws -> JobRetry {
    try await asked { database in
      do {
        if let job = try await database.write(RetryDeadJob(id, now: SystemClock().now)).first { return .retried(job) }
      } catch let error as PostgresError where error.constraint == RetryDeadJob.livingConstraint {
        return .hasSuccessor
      }
      return try await database.first(FindJob(id)) == nil ? .isMissing : .isLiving
    }
  }
}

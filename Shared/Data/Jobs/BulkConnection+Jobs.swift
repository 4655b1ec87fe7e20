public import Environment
import Identifiers
public import Postgres
import Base64

extension BulkConnection {
  /// Schedules `job`, a job without a recurrence that replaces an earlier one, if the transaction commits. Workers find
  /// it when they next poll.
  ///
  /// For a command that loads many rows which a service has to process.
  public func schedule(_ job: Job, in environment: Environment) async throws {
    guard case .once(let due) = job.time, case .isReplaced = job.earlier else {
      preconditionFailure("a load schedules jobs that are done once and take the place of earlier ones")
    }
    let now = environment.clock.now
    let payload = job.payload.hexadecimal
    let values = [
      environment.randomness.uuid7(at: now).description, job.kind, job.key, "\\x\(payload)", "\(now)", "\(due)",
    ].map { $0.map { Administration.quoted(literal: $0) } ?? "null" }
    try await run(
      """
      prepare scheduled_job (uuid, text, text, bytea, timestamptz, timestamptz) as \(PutJob.sql);
      execute scheduled_job (\(values.joined(separator: ", ")));
      deallocate scheduled_job
      """)
  }
}

public import Identifiers
public import TestSupport
import Testing

extension TestDatabase {
  /// Waits until the jobs that are due are done or given up.
  ///
  /// One that failed, as on a machine with much else to do, is tried again at once: the clock of a test, which stands still, never comes to
  /// its next attempt.
  ///
  /// - Parameters:
  ///   - service: whose jobs.
  ///   - now: what its clock says.
  ///   - kind: `nil` for all kinds.
  public func untilJobsAreDone(
    of service: String, at now: Instant, kind: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let time = "to_timestamp(\(now.microseconds) / 1000000.0)"
    let due = "dead_at is null and due_at <= \(time)" + (kind.map { " and kind = '\($0)'" } ?? "")
    var left: [[String?]] = []
    let areDone = try await eventually {
      try await sql(
        "update jobs set ready_at = due_at where \(due) and ready_at > \(time) and lease_until is null", in: service)
      left = try await sql("select kind, attempts, last_failure from jobs where \(due)", in: service)
      return left.isEmpty
    }
    try #require(areDone, "these jobs are due: \(left)", sourceLocation: sourceLocation)
  }
}

public import Identifiers
public import TestSupport
import Testing

extension TestDatabase {
  /// Waits until the jobs that are due are done or given up.
  ///
  /// One that failed for how busy the machine is runs again meanwhile: ``retryingBusyJobs(of:_:)``.
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
      left = try await sql("select kind, attempts, last_failure from jobs where \(due)", in: service)
      return left.isEmpty
    }
    try #require(areDone, "these jobs are due: \(left)", sourceLocation: sourceLocation)
  }
}

/// What the database says to a job when the machine has much else to do, at the start of ``PostgresError/description``: no connection, a
/// conflict that came again and again, too many that wait, a statement that took too long. And what a run is told that took too long.
private let failuresOfBusyMachines = "^(08006|40001|40P01|53000|53300|55P03|57014|it was not done within)"

extension TestDatabase {
  /// Runs `body`; has a service's jobs that meanwhile fail for how busy the machine is be tried again within seconds.
  ///
  /// The clock of a test, which stands still, never comes to their next attempt. Jobs that fail for another reason wait for it, and so do those
  /// that a test has put off to 2100.
  func retryingBusyJobs(of service: String, _ body: () async throws -> Void) async throws {
    let retries = Task { await retryBusyJobs(of: service) }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    retries.cancel()
    await retries.value
    try result.get()
  }

  private func retryBusyJobs(of service: String) async {
    do {
      // Most tests are over by then, and need no look.
      try await Task.sleep(for: .seconds(3))
      guard try await value("select to_regclass('\(service).jobs')") != nil else { return }
      while true {
        try await sql(
          """
          update jobs set ready_at = due_at where id in (
            select id from jobs
            where dead_at is null and lease_until is null and ready_at > due_at and ready_at < '2099-01-01'
              and last_failure ~ '\(failuresOfBusyMachines)'
            for update skip locked
          )
          """, in: service)
        // The interval of the looks: nothing tells of a job that failed.
        try await Task.sleep(for: .seconds(3))
      }
    } catch {
      // The test has ended, or what is wrong with its database is what it is about.
    }
  }
}

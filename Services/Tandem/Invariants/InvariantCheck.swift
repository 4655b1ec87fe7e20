import Postgres

/// What a check found out about one invariant.
public struct InvariantFinding: Sendable, Equatable {
  public let invariant: Invariant
  /// The first violations, at most ``InvariantCheck/maxViolations``; empty where the invariant holds.
  public let violations: [String]
  /// Whether there are more than these.
  public let hasMore: Bool
}

/// Runs invariants on a service's database.
public enum InvariantCheck {
  /// How many violations of an invariant are returned: enough to see what they have in common.
  public static let maxViolations = 20
  /// How long one query may take by default: some of them read every row of a table.
  public static let defaultTimeout = Duration.seconds(600)

  /// Checks every invariant of a service, on one state of its database.
  ///
  /// The queries read whole tables, in a transaction that changes nothing and may take long.
  ///
  /// - Parameters:
  ///   - url: of the service's database, with a role that reads its schema, which has the service's name.
  ///   - timeout: of each query, in whole milliseconds.
  ///   - checked: called after each, with its place from 1 and the number of all.
  /// - Throws: a `PostgresError` where the database is not reached, its schema is another one, or a query takes too long.
  public static func run(
    _ service: String, at url: String, timeout: Duration = defaultTimeout,
    checked: @escaping @Sendable (_ place: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> [InvariantFinding] {
    let invariants = Invariant.all(of: service)
    return try await Administration.session(url) { session in
      try session.run("begin isolation level repeatable read read only")
      try session.run("set local search_path to \(Administration.quoted(identifier: service)), public")
      try session.run("set local statement_timeout to \(Int(timeout / .milliseconds(1)))")
      var findings: [InvariantFinding] = []
      for invariant in invariants {
        let rows = try session.run(
          "select violation from (\(invariant.query)) as found (violation) limit \(maxViolations + 1)")
        findings.append(
          InvariantFinding(
            invariant: invariant, violations: rows.prefix(maxViolations).map { $0.first.flatMap { $0 } ?? "" },
            hasMore: rows.count > maxViolations))
        checked(findings.count, invariants.count)
      }
      try session.run("commit")
      return findings
    }
  }
}

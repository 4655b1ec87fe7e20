import Invariants
import TestSupport
import Testing

extension ThreeServices {
  /// Expects every invariant of the named services to hold in their databases, and no deadlock to have been on their server.
  ///
  /// - Parameter run: what tells how to repeat the run, for example its seed.
  func expectInvariants(
    of services: [String], _ run: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for service in services {
      let findings = try await InvariantCheck.run(service, at: database.url(of: service))
      let broken = findings.filter { !$0.violations.isEmpty }
      #expect(
        broken.isEmpty, "\(run), \(service): \(broken.map { "\($0.invariant.title) \($0.violations.prefix(3))" })",
        sourceLocation: sourceLocation)
    }
    try await expectNoDeadlocks(run, sourceLocation: sourceLocation)
  }

  /// Expects that no transaction was ended to end a deadlock, since the server's last crash by its own count, and at all by its log.
  private func expectNoDeadlocks(_ run: String, sourceLocation: SourceLocation) async throws {
    let counted = try await value("select deadlocks from pg_stat_database where datname = current_database()")
    #expect(counted == "0", "\(run): deadlocks", sourceLocation: sourceLocation)
    // On a shared server the count is what there is, as no test ends it.
    let found = try await database.loggedDeadlocks() ?? []
    #expect(found.isEmpty, "\(run): \(found.prefix(3))", sourceLocation: sourceLocation)
  }
}

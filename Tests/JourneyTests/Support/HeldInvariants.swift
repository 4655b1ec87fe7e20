import Invariants
import TestSupport
import Testing

extension ThreeServices {
  /// Expects every invariant of the named services to hold in their databases.
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
  }
}

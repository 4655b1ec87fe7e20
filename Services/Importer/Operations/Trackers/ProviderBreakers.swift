import Environment
import Identifiers
import ImporterDomain
import ImporterStore
import Logging
import Postgres

/// Keeps imports in all replicas from asking a provider that does not answer (``ProviderBreaker``).
package struct ProviderBreakers: Sendable {
  let database: Database
  let environment: Environment
  let metrics: TrackerMetrics
  let logger: Logger

  /// Whether an import may ask, as the probe if it is the first to say so.
  package func admission(of work: ImportWork.Row) async throws -> ProviderBreaker.Admission {
    let now = environment.clock.now
    let breaker = ProviderBreaker(failures: work.failures, openUntil: work.openUntil)
    guard breaker.admission(at: now) == .probe else { return breaker.admission(at: now) }
    let end = now + ProviderBreaker.probeTime
    let claim = ClaimProbe(until: end, provider: work.provider, now: now)
    return try await database.write(claim).isEmpty ? .refused(until: end) : .probe
  }

  /// Notes that a request, or a page, failed; what the provider answered shows that it is there.
  package func note(_ failure: FetchFailure, _ request: ProviderBreaker.Request, by work: ImportWork.Row) async throws {
    switch failure {
    case .failing, .token(.unavailable): try await noteSilence(request, of: work.provider)
    // Without tokens nothing was asked.
    case .token(.consent): return
    case .notGranted, .tooMany, .gone, .tooLong, .answer: try await noteAnswer(by: work)
    }
  }

  /// Notes that the provider has answered.
  package func noteAnswer(by work: ImportWork.Row) async throws {
    // Most pages come when there is nothing to close.
    guard work.failures > 0, let wasOpen = try await database.write(CloseBreaker(provider: work.provider)).first,
      wasOpen
    else { return }
    metrics.breaker(work.provider, isOpen: false)
    logger.notice("a provider answers again", metadata: ["provider": "\(work.provider)"])
  }

  private func noteSilence(_ request: ProviderBreaker.Request, of provider: String) async throws {
    let now = environment.clock.now
    let opened = try await database.transaction { tx -> ProviderBreaker? in
      guard let row = try await tx.first(LockBreaker(provider: provider)) else { return nil }
      var breaker = ProviderBreaker(failures: row.failures, openUntil: row.openUntil)
      let before = breaker
      let isOpen = breaker.fail(request, at: now)
      guard breaker != before else { return nil }
      try await tx.execute(
        PutBreaker(failures: breaker.failures, openUntil: breaker.openUntil, provider: provider))
      return isOpen ? breaker : nil
    }
    guard let opened, let until = opened.openUntil else { return }
    metrics.breaker(provider, isOpen: true)
    metrics.opened(provider)
    logger.warning(
      "a provider does not answer; imports wait",
      metadata: ["provider": "\(provider)", "failures": "\(opened.failures)", "until": "\(until)"])
  }
}

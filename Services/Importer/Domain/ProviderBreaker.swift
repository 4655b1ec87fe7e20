import Identifiers

/// Whether imports may ask a provider, by how many requests in a row it has failed to answer ([IM-5]).
///
/// It is closed at first. Many failures in a row open it: no import asks, until a pause has ended; then one asks, as a probe. What the
/// provider answers closes it; if there is no answer again, it stays open for twice as long.
package struct ProviderBreaker: Sendable, Equatable {
  /// Requests in a row that brought no answer.
  package private(set) var failures: Int32
  /// Until when no import asks; `nil` while it is closed.
  package private(set) var openUntil: Instant?

  /// More than the failures of one import, which ends after four: what one user has at the provider may be at fault for these.
  private static let maxFailures: Int32 = 10
  private static let firstPause: Duration = .seconds(30)
  private static let maxPause: Duration = .seconds(600)
  /// How long a probe may take until another import becomes one: no shorter than a run of an import.
  package static let probeTime: Duration = .seconds(60)

  package init(failures: Int32 = 0, openUntil: Instant? = nil) {
    (self.failures, self.openUntil) = (failures, openUntil)
  }

  /// Why an import asked.
  package enum Request: Sendable, Equatable {
    /// The breaker was closed.
    case usual
    /// It was the one to find out whether the provider answers again.
    case probe
  }

  /// What an import may do.
  package enum Admission: Sendable, Equatable {
    case admitted
    /// One import may ask, if it is the first to say so.
    case probe
    case refused(until: Instant)
  }

  package func admission(at now: Instant) -> Admission {
    guard let openUntil else { return .admitted }
    return openUntil <= now ? .probe : .refused(until: openUntil)
  }

  /// Counts a request without an answer; true if that opened the breaker, or kept it open.
  ///
  /// Requests that were on their way when it opened say nothing new.
  package mutating func fail(_ request: Request, at now: Instant) -> Bool {
    guard openUntil == nil || request == .probe else { return false }
    failures = min(failures, Int32.max - 1) + 1
    guard failures >= Self.maxFailures else { return false }
    let doublings = min(Int(failures - Self.maxFailures), 10)
    openUntil = now + min(Self.firstPause * (1 << doublings), Self.maxPause)
    return true
  }
}

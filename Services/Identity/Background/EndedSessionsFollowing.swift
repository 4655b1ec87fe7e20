import IdentityOperations
import Logging
import PeriodicTask
import ServiceLifecycle

/// Has this replica refuse the tokens of sessions that another one has ended, within about a second ([ID-7]).
package struct EndedSessionsFollowing: Service {
  private let sessions: EndedSessions
  private let willLook: @Sendable () async -> Void
  private let logger: Logger

  /// [ID-7] allows two seconds; a look takes milliseconds.
  package static let interval: Duration = .seconds(1)
  /// What looks have in common, because a session's end is stamped a little before it commits.
  private static let overlap: Duration = .seconds(10)

  /// - Parameter willLook: awaited before each look.
  package init(of sessions: EndedSessions, logger: Logger, willLook: @escaping @Sendable () async -> Void = {}) {
    (self.sessions, self.logger, self.willLook) = (sessions, logger, willLook)
  }

  package func run() async {
    await repeatUntilShutdown(every: Self.interval, logger, "ended sessions could not be looked up") { lastLook in
      await willLook()
      let all = EndedSessions.horizon
      try await sessions.look(within: lastLook.map { min(all, $0 + Self.overlap) } ?? all)
    }
  }
}

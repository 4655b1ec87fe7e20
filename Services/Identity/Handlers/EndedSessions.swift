import Cryptography
import IdentityDomain
import IdentityStore
import Logging
import Postgres
import Repetition
import ServiceLifecycle

/// Has the access tokens of ended sessions refused: by this replica at once, by the others within a second or so ([ID-7]).
package struct EndedSessions: Service {
  private let database: Database
  private let tokens: AccessTokens
  private let logger: Logger

  /// The rule allows two seconds; a look takes milliseconds.
  private static let pollInterval: Duration = .seconds(1)
  /// Looks overlap by this, because a session's end is stamped a little before it commits.
  private static let overlap: Duration = .seconds(10)
  /// Longer ago than this, every token of an ended session has expired.
  private static let horizon: Duration = Lifetimes.accessToken + .seconds(60)

  /// Tells `tokens` of every session that ends.
  package init(database: Database, tokens: AccessTokens, logger: Logger) {
    self.database = database
    self.tokens = tokens
    self.logger = logger
  }

  /// Ends a session in the database and here; when this returns, this replica refuses its tokens.
  func end(_ session: SessionID) async throws {
    try await database.write(RevokeSession(session))
    tokens.end(session)
  }

  /// Looks for sessions that others ended, until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.pollInterval, logger, "ended sessions could not be looked up") { lastLook in
      try await look(within: lastLook.map { min(Self.horizon, $0 + Self.overlap) } ?? Self.horizon)
    }
  }

  private func look(within window: Duration) async throws {
    for session in try await database.rows(RevokedSessions(within: window)) { tokens.end(session) }
    tokens.noteEndedSessionsAreKnown()
  }
}

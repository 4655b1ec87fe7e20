import Environment
import Cryptography
import Events
import Identifiers
import IdentityDomain
import IdentityStore
import Logging
import Postgres
import PeriodicTask
import ServiceLifecycle
import TTRPC
import TandemEvents
import Timestamps
import UserTokens

/// Has the access tokens of ended sessions refused: by this replica at once, by the others within a second or so, and by the other services
/// as soon as they are told ([ID-7]).
package struct EndedSessions: Service {
  private let database: Database
  private let tokens: AccessTokens
  private let events: Outbox
  private let clock: any WallClock
  private let log: SecurityLog
  private let logger: Logger
  private let willLook: @Sendable () async -> Void

  /// The rule allows two seconds; a look takes milliseconds.
  package static let pollInterval: Duration = .seconds(1)
  /// Looks overlap by this, because a session's end is stamped a little before it commits.
  private static let overlap: Duration = .seconds(10)
  /// Longer ago than this, every token of an ended session has expired.
  private static let horizon: Duration = Lifetimes.accessToken + .seconds(60)

  /// Tells `tokens` of every session that ends.
  ///
  /// - Parameter willLook: is waited for before each look.
  package init(
    database: Database, tokens: AccessTokens, events: Outbox, environment: Environment, logger: Logger,
    willLook: @escaping @Sendable () async -> Void = {}
  ) {
    self.willLook = willLook
    self.database = database
    self.tokens = tokens
    self.events = events
    clock = environment.clock
    log = SecurityLog(environment: environment)
    self.logger = logger
  }

  /// Ends a session in the database and here; when this returns, this replica refuses its tokens.
  func end(_ session: SessionID) async throws {
    try await database.transaction { tx in _ = try await end(session, in: tx) }
    tokens.end(session)
  }

  /// Ends a session with the transaction, unless it has ended before; this replica knows once that commits.
  ///
  /// - Parameter owner: whose session it must be; `nil` for whomever's.
  /// - Returns: whether it ended by this.
  @discardableResult
  func end(_ session: SessionID, of owner: UserID? = nil, in tx: Transaction) async throws -> Bool {
    // Its owner's account is held first, as by everybody who locks both.
    guard let account = try await tx.first(HoldSessionOwner(session)), owner == nil || owner == account,
      try await tx.first(RevokeSession(session)) != nil
    else { return false }
    try await tell(session, of: account, in: tx)
    return true
  }

  /// Ends all sessions of an account that the transaction has locked, but for one; this replica knows once that commits.
  ///
  /// - Returns: how many ended by this.
  @discardableResult
  func endAll(of account: UserID, except exception: SessionID? = nil, in tx: Transaction) async throws -> Int {
    let ended = try await tx.rows(RevokeSessions(of: account, except: exception))
    for session in ended { try await tell(session, of: account, in: tx) }
    return ended.count
  }

  /// Locks the account of a caller who is about to end sessions, so that of such calls one comes after the other.
  ///
  /// - Throws: UNAUTHENTICATED `TOKEN_REVOKED` when the caller's own session has been ended meanwhile: then it is not theirs to end others.
  func requireLiving(_ session: SessionID, of owner: UserID, in tx: Transaction) async throws {
    guard try await !tx.rows(LockUsers([owner])).isEmpty else { throw Status.notAUser }
    guard try await tx.first(LivingSession(session, of: owner)) != nil else { throw TokenRefusal.revoked.status }
  }

  private func tell(_ session: SessionID, of account: UserID, in tx: Transaction) async throws {
    try await events.publish(
      SessionRevoked(
        sessionID: session.description, userID: account.description, revokeTime: clock.now.timestamp), in: tx)
    try await log.note(.sessionEnded, of: account, session: session, in: tx)
    tx.afterCommit { [tokens] in tokens.end(session) }
  }

  /// Looks for sessions that others ended, until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.pollInterval, logger, "ended sessions could not be looked up") { lastLook in
      await willLook()
      try await look(within: lastLook.map { min(Self.horizon, $0 + Self.overlap) } ?? Self.horizon)
    }
  }

  private func look(within window: Duration) async throws {
    for session in try await database.rows(RevokedSessions(within: window, now: clock.now)) { tokens.end(session) }
    tokens.noteEndedSessionsAreKnown()
  }
}

import Environment
import Events
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TandemEvents
import Timestamps

/// Has the access tokens of ended sessions refused: at this replica at once, at the others within about a second, and
/// at the other services as soon as they receive the event ([ID-7]).
package struct EndedSessions: Sendable {
  private let database: Database
  private let tokens: AccessTokens
  private let events: Outbox
  private let clock: any WallClock
  private let log: SecurityLog
  /// Every token of a session that ended longer ago than this has expired.
  package static let horizon: Duration = Lifetimes.accessToken + .seconds(60)

  package init(database: Database, tokens: AccessTokens, events: Outbox, environment: Environment) {
    self.database = database
    self.tokens = tokens
    self.events = events
    clock = environment.clock
    log = SecurityLog(environment: environment)
  }

  /// Ends a session in the transaction, unless it has ended already; this replica refuses its tokens after the commit.
  ///
  /// - Parameter owner: the user that the session must belong to; `nil` for any.
  /// - Returns: whether this call ended it.
  @discardableResult
  package func end(_ session: SessionID, of owner: UserID? = nil, in tx: Transaction) async throws -> Bool {
    // The owner's account is locked first, as wherever both are locked.
    guard let account = try await tx.first(HoldSessionOwner(sessionID: session)), owner == nil || owner == account,
      try await tx.first(RevokeSession(sessionID: session)) != nil
    else { return false }
    try await tx.execute(DropDevicesOfSession(sessionID: session))
    try await tell(session, of: account, in: tx)
    return true
  }

  /// Ends all sessions but one of an account that the transaction has locked; this replica refuses their tokens after
  /// the commit.
  ///
  /// - Returns: how many this call ended.
  @discardableResult
  package func endAll(of account: UserID, except exception: SessionID? = nil, in tx: Transaction) async throws -> Int {
    let ended = try await tx.rows(RevokeSessions(userID: account, keptID: exception))
    try await tx.execute(DropDevicesOfOthers(userID: account, keptID: exception))
    for session in ended { try await tell(session, of: account, in: tx) }
    return ended.count
  }

  /// Locks the account of a caller who is about to end sessions, so that such calls run one after the other.
  ///
  /// - Throws: `IdentityFailure.sessionEnded` when the caller's own session has ended meanwhile, so that they may not end others.
  package func requireLiving(_ session: SessionID, of owner: UserID, in tx: Transaction) async throws {
    guard try await !tx.rows(LockUsers(userIDs: [owner])).isEmpty else { throw IdentityFailure.noAccount }
    guard try await tx.first(LivingSession(sessionID: session, userID: owner)) != nil else {
      throw IdentityFailure.sessionEnded
    }
  }

  private func tell(_ session: SessionID, of account: UserID, in tx: Transaction) async throws {
    try await events.publish(
      SessionRevoked(
        sessionID: session.description, userID: account.description, revokeTime: clock.now.timestamp), in: tx)
    try await log.note(.sessionEnded, of: account, session: session, in: tx)
    tx.afterCommit { [tokens] in tokens.end(session) }
  }

  /// Has this replica refuse the tokens of the sessions that ended at any replica within this time.
  package func look(within window: Duration) async throws {
    for session in try await database.rows(RevokedSessions(within: window, now: clock.now)) { tokens.end(session) }
    tokens.noteEndedSessionsAreKnown()
  }
}

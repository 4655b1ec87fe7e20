import Environment
import Events
import Identifiers
import Jobs
import Logging
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC

/// What matching does with sessions, and with what belongs to them: waiting lists, repetitions, saved searches, calendars and links. One use
/// case a file, named by its verb.
///
/// An operation locks, lets the domain decide, stores the decision, publishes it and schedules what follows. It takes the transaction of
/// its caller, a call, an event or a job, and begins none: a call stores its answer in the same one ([C-4]), and tries again from the
/// beginning after a conflict. One without a transaction only reads, or asks another service, which no transaction may wait for, and keeps
/// what that answered.
package struct SessionOperations: Sendable {
  let database: Database
  let environment: Environment
  let jobs: Jobs
  let transitions: SessionTransitions
  let identity: (any RPCChannel)?
  let catalog: (any RPCChannel)?
  let logger: Logger

  /// - Parameters:
  ///   - identity: asked about users whose profiles are unknown here; `nil` in a deployment without it.
  ///   - catalog: asked about gyms; `nil` in a deployment without it.
  package init(
    database: Database, environment: Environment, events: Outbox, jobs: Jobs, identity: (any RPCChannel)?,
    catalog: (any RPCChannel)?, logger: Logger
  ) {
    self.database = database
    self.environment = environment
    self.jobs = jobs
    self.identity = identity
    self.catalog = catalog
    self.logger = logger
    transitions = SessionTransitions(events: events, jobs: jobs, environment: environment)
  }

  /// A session that is locked until the transaction ends, so that it does not change.
  func locked(_ id: SessionID, _ tx: Transaction) async throws -> StoredSession {
    guard let session = try await lockedIfThere(id, tx) else { throw SessionRefusal.noSuchSession }
    return session
  }

  /// As ``locked(_:_:)``; `nil` if there is no such session.
  func lockedIfThere(_ id: SessionID, _ tx: Transaction) async throws -> StoredSession? {
    // The session is read once the lock is held, so that it is current.
    let (_, sessions) = try await tx.rows(LockSession(sessionID: id), SessionByID(sessionID: id))
    return sessions.first
  }

  /// Locks a user who wants to join a session or its waiting list, then the session, and reads both, in one round trip.
  ///
  /// - Parameter known: the user as of before the transaction; the row is there.
  /// - Returns: also whether the user had posts that overlap the session, which are locked too.
  /// - Throws: `noSuchSession` also if one of user and owner has blocked the other.
  func lockedToJoin(
    _ id: SessionID, _ known: Applicant, _ tx: Transaction
  ) async throws -> (user: Applicant, session: StoredSession, hasOverlap: Bool, hadPosts: Bool) {
    // The locks are held before anything is read, so that all is current. A join may withdraw posts of the user: they are locked with the
    // session, in the order of all ids, as their owner may be joining a post of this user.
    tx.queue(LockUser(userID: known.id))
    let (locked, members, sessions) = try await tx.rows(
      LockSessionsToJoin(sessionID: id, userID: known.id), LockedMember(now: environment.clock.now, userID: known.id),
      SessionToJoin(viewerID: known.id, sessionID: id))
    guard let member = members.first, member.mayWrite else { throw MatchingFailure.noAccount }
    guard let found = sessions.first, !found.isBlocked else { throw SessionRefusal.noSuchSession }
    return (known.updated(by: member), found.session, found.hasOverlap, locked.count > 1)
  }
}

import Environment
import Events
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemEvents
import Timestamps

/// Stores decisions in the transaction that has locked the session: a step, its events, notifications and jobs are stored atomically.
package struct SessionTransitions: Sendable {
  let events: Outbox
  let jobs: Jobs

  package init(events: Outbox, jobs: Jobs) {
    self.events = events
    self.jobs = jobs
  }

  var clock: any WallClock { jobs.environment.clock }

  /// A session that is locked until the transaction ends, so that it does not change.
  func locked(_ id: SessionID, _ tx: Transaction) async throws -> StoredSession {
    // The session is read once the lock is held, so that it is current.
    let (_, sessions) = try await tx.rows(LockSession(sessionID: id), SessionByID(sessionID: id))
    guard let session = sessions.first else { throw SessionRefusal.noSuchSession }
    return session
  }

  /// A session after a step that the transaction has stored.
  private func stored(_ id: SessionID, _ tx: Transaction) async throws -> StoredSession {
    guard let session = try await tx.first(SessionByID(sessionID: id)) else { throw Status.decidedOtherwise }
    return session
  }

  // MARK: Posts and joins

  /// Publishes a new session, and schedules its reminder and its judgement ([MA-10], [MA-12]).
  func recordPost(_ id: SessionID, _ tx: Transaction) async throws -> StoredSession {
    let session = try await stored(id, tx)
    try await schedule(session.slot, tx)
    try await searches.sessionOpened(id, tx)
    try await events.publish(
      SessionPosted(
        sessionID: id.description, ownerID: session.ownerID?.description ?? "", gymID: session.gym.id.description,
        startTime: session.slot.start.timestamp, endTime: session.slot.end.timestamp), in: tx)
    return session
  }

  /// Sessions that start at one moment share their jobs.
  private func schedule(_ slot: Slot, _ tx: Transaction) async throws {
    let key = "\(slot.start.microseconds)"
    try await tx.schedule(
      Job(.judgeSessions, key, at: CheckIn.judgement(of: slot), key: key, ifScheduled: .isKept), with: jobs)
    let reminder = slot.start - SessionReminders.notice
    guard reminder > clock.now else { return }
    try await tx.schedule(Job(.remindParticipants, key, at: reminder, key: key, ifScheduled: .isKept), with: jobs)
  }

  /// Locks a user who wants to join a session or its waiting list, then the session, and reads both, in one round trip.
  ///
  /// - Parameter known: the user as of before the transaction; the row is there.
  /// - Throws: `noSuchSession` also if one of user and owner has blocked the other.
  func lockedToJoin(
    _ id: SessionID, _ known: Applicant, _ tx: Transaction
  ) async throws -> (user: Applicant, session: StoredSession, hasOverlap: Bool) {
    // Both locks are held before anything is read, so that all is current.
    tx.queue(LockUser(userID: known.id))
    tx.queue(LockSession(sessionID: id))
    let (members, sessions) = try await tx.rows(
      LockedMember(now: clock.now, userID: known.id), SessionToJoin(viewerID: known.id, sessionID: id))
    guard let member = members.first, member.mayWrite else { throw Status.notAUser }
    guard let found = sessions.first, !found.isBlocked else { throw SessionRefusal.noSuchSession }
    return (known.updated(by: member), found.session, found.hasOverlap)
  }

  /// Gives a session its partner ([MA-5]).
  ///
  /// - Parameters:
  ///   - known: the user as of before the transaction.
  ///   - etag: of the session as the user knows it; `nil` for any.
  package func join(
    _ id: SessionID, _ known: Applicant, expecting etag: String?, _ tx: Transaction
  ) async throws -> StoredSession {
    var (user, session, hasOverlap) = try await lockedToJoin(id, known, tx)
    // Until the job that ends the offer has run, the place would seem open to all although others wait for it.
    if let offer = session.offer, offer.until <= clock.now {
      try await offers.passOn(id, tx)
      (user, session, hasOverlap) = try await lockedToJoin(id, known, tx)
    }
    let now = clock.now
    if let obstacle = session.facts.obstacles(for: user, hasOverlap: hasOverlap, at: now).first { throw obstacle }
    guard etag == nil || etag == session.etag else { throw SessionRefusal.changed }
    let news = SessionMatched(
      sessionID: id.description, ownerID: session.ownerID?.description ?? "", partnerID: user.id.description)
    do {
      let match = MatchSession(partnerID: user.id, now: now, sessionID: id)
      guard let matched = try await events.publish(news, after: match, in: tx).first else { throw SessionRefusal.taken }
      return matched
    } catch let error as PostgresError where error.constraint == MatchingSchema.overlap {
      throw SessionRefusal.slotTaken
    }
  }

  // MARK: Cancellations

  /// Stores a cancellation; the transaction has locked the session ([MA-6]).
  func cancel(
    _ session: StoredSession, by user: UserID, _ cancellation: Cancellation, _ tx: Transaction
  ) async throws {
    switch cancellation {
    case .remove: try await remove(session, of: user, tx)
    case .leave(let other, _): try await leave(session, user, to: other, tx)
    }
  }

  /// Removes an unmatched session.
  func remove(_ session: StoredSession, of user: UserID, _ tx: Transaction) async throws {
    let removal = CancelOpenSession(now: clock.now, sessionID: session.id, userID: user)
    guard try await tx.first(removal) != nil else { throw Status.decidedOtherwise }
    try await events.publish(cancelled(session, user, newOwner: nil), in: tx)
  }

  /// Takes a participant out of a matched session, which is open again and the other participant's.
  func leave(_ session: StoredSession, _ user: UserID, to other: UserID, _ tx: Transaction) async throws {
    let traits = try await tx.first(GenderOfUser(userID: other))
    // The level was that of the owner who leaves; if the partner stays, it is the partner's.
    let level = session.ownerID == user ? traits?.level : nil
    let gender = session.ownerID == user ? traits?.gender : nil
    let departure = LeaveMatchedSession(
      otherID: other, now: clock.now, level: level, ownerGender: gender, sessionID: session.id, userID: user)
    guard try await tx.first(departure) != nil else { throw Status.decidedOtherwise }
    try await events.publish(cancelled(session, user, newOwner: other), in: tx)
    // A user may leave, join and leave again: each is told.
    try await notify(
      [other], "sessions/\(session.id)/cancelled/\(session.revision)", of: session.id,
      .sessionCancelled(.init(partnerID: user.description, startTime: session.slot.start.timestamp)), tx)
    try await offers.placeOpened(in: session.id, tx)
  }

  private func cancelled(_ session: StoredSession, _ user: UserID, newOwner: UserID?) -> SessionCancelled {
    SessionCancelled(
      sessionID: session.id.description, userID: user.description, ownerID: newOwner?.description ?? "",
      cancelTime: clock.now.timestamp)
  }

  // MARK: Check-ins and feedback

  /// Stores a check-in; the second one makes the session successful ([MA-9]).
  func checkIn(_ user: UserID, _ session: StoredSession, _ tx: Transaction) async throws -> StoredSession {
    let now = clock.now
    guard try await tx.first(StoreCheckIn(now: now, sessionID: session.id, userID: user)) != nil,
      let other = session.facts.other(than: user)
    else { throw Status.decidedOtherwise }
    try await events.publish(
      CheckedIn(
        sessionID: session.id.description, userID: user.description, gymID: session.gym.id.description,
        checkInTime: now.timestamp, endTime: session.slot.end.timestamp), in: tx)
    if session.facts.checkedIn.contains(other) {
      try await succeed(session, [user, other], tx)
    } else {
      try await notify(
        [other], "sessions/\(session.id)/partner-checked-in/\(user)", of: session.id,
        .partnerCheckedIn(.init(partnerID: user.description, gym: session.gym.name)), tx)
    }
    return try await stored(session.id, tx)
  }

  private func succeed(_ session: StoredSession, _ users: [UserID], _ tx: Transaction) async throws {
    try await tx.execute(MarkSuccessful(now: clock.now, sessionID: session.id))
    let ids = users.map(\.description)
    try await events.publish(
      SessionStarted(sessionID: session.id.description, userIds: ids, startTime: clock.now.timestamp),
      SessionSucceeded(
        sessionID: session.id.description, userIds: ids, startTime: session.slot.start.timestamp,
        timeZone: session.gym.timeZone), in: tx)
    for (user, other) in zip(users, users.reversed()) {
      try await notify(
        [user], "sessions/\(session.id)/started/\(user)", of: session.id,
        .sessionStarted(.init(partnerID: other.description, gym: session.gym.name)), tx)
    }
  }

  /// Publishes feedback ([MA-11]).
  func tellFeedback(on recipient: UserID, rating: Int32, _ id: SessionID, _ tx: Transaction) async throws {
    try await events.publish(
      FeedbackGiven(sessionID: id.description, recipientID: recipient.description, rating: rating), in: tx)
  }

  /// Publishes a request to notify users about a session.
  ///
  /// - Parameter key: repeated ones are sent once.
  package func notify(
    _ users: [UserID], _ key: String, of session: SessionID?, _ news: NotificationRequested.News, _ tx: Transaction
  ) async throws {
    guard !users.isEmpty else { return }
    try await events.publish(
      NotificationRequested(
        notificationKey: key, recipientIds: users.map(\.description), subject: session.map { "sessions/\($0)" } ?? "",
        news: news), in: tx)
  }
}

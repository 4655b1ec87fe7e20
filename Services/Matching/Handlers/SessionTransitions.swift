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

  /// The present, by the database's clock where that of this replica is ahead: for what has consequences for users.
  func trustedNow(_ tx: Transaction) async throws -> Instant {
    try await tx.trusted(clock.now)
  }

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

  /// Counts a post of a user whose row the transaction has locked ([MA-16]).
  ///
  /// - Returns: whether users with saved searches are told of it.
  func countPost(of user: UserID, _ tx: Transaction) async throws -> Bool {
    let now = clock.now
    if let open = try await tx.first(OpenPostsOf(userID: user, now: now)), open >= NewsLimits.maxOpenPosts {
      throw SessionRefusal.tooManyOpenPosts
    }
    guard let counted = try await tx.first(CountNews(of: user, posts: 1, at: now)) else { return true }
    if let wait = NewsLimits.wait(posts: counted.posts, since: counted.beganAt, at: now) {
      throw SessionRefusal.tooManyPosts(retryAfter: wait)
    }
    return counted.posts <= NewsLimits.maxPostsTold
  }

  /// Publishes a new session, and schedules its reminder and its judgement ([MA-10], [MA-12]).
  ///
  /// - Parameter isTold: whether users with saved searches are.
  func recordPost(_ id: SessionID, isTold: Bool, _ tx: Transaction) async throws -> StoredSession {
    let session = try await stored(id, tx)
    try await schedule(session.slot, tx)
    if isTold { try await searches.sessionOpened(id, tx) }
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
      Job(.judgeSessions, key, at: CheckIn.judgement(of: slot.start), key: key, ifScheduled: .isKept), with: jobs)
    let reminder = slot.start - SessionReminders.notice
    guard reminder > clock.now else { return }
    try await tx.schedule(Job(.remindParticipants, key, at: reminder, key: key, ifScheduled: .isKept), with: jobs)
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
      LockSessionsToJoin(sessionID: id, userID: known.id), LockedMember(now: clock.now, userID: known.id),
      SessionToJoin(viewerID: known.id, sessionID: id))
    guard let member = members.first, member.mayWrite else { throw Status.notAUser }
    guard let found = sessions.first, !found.isBlocked else { throw SessionRefusal.noSuchSession }
    return (known.updated(by: member), found.session, found.hasOverlap, locked.count > 1)
  }

  /// Gives a session its partner ([MA-5]).
  ///
  /// - Parameters:
  ///   - known: the user as of before the transaction.
  ///   - etag: of the session as the user knows it; `nil` for any.
  package func join(
    _ id: SessionID, _ known: Applicant, expecting etag: String?, _ tx: Transaction
  ) async throws -> (session: StoredSession, withdrawn: [SessionID]) {
    var found = try await lockedToJoin(id, known, tx)
    // Until the job that ends the offer has run, the place would seem open to all although others wait for it.
    if let offer = found.session.offer, offer.until <= clock.now {
      try await offers.passOn(id, tx)
      found = try await lockedToJoin(id, known, tx)
    }
    let (user, session) = (found.user, found.session)
    // No user loses an offer to the clock of one replica.
    let now = session.offer == nil ? clock.now : try await trustedNow(tx)
    if session.state == .cancelled, !session.facts.hasParticipant(user.id) { throw SessionRefusal.noSuchSession }
    if let obstacle = session.facts.obstacles(for: user, hasOverlap: found.hasOverlap, at: now).first { throw obstacle }
    guard etag == nil || etag == session.etag else { throw SessionRefusal.changed }
    if let counted = try await tx.first(CountNews(of: user.id, joins: 1, at: now)),
      let wait = NewsLimits.wait(joins: counted.joins, since: counted.beganAt, at: now)
    {
      throw SessionRefusal.tooManyJoins(retryAfter: wait)
    }
    let withdrawn = found.hadPosts ? try await withdrawPosts(of: user.id, for: id, tx) : []
    let matched = try await match(session, with: user.id, at: now, tx)
    try await remindOfMatch(matched, tx)
    return (matched, withdrawn)
  }

  /// Removes a user's own unmatched posts that overlap a session which the user joins ([MA-2]); the transaction has locked them.
  private func withdrawPosts(of user: UserID, for id: SessionID, _ tx: Transaction) async throws -> [SessionID] {
    let posts = try await tx.rows(OverlappingPosts(userID: user, sessionID: id))
    guard !posts.isEmpty else { return [] }
    // In the order of ids, for the sake of those who wait for several of them.
    let found = try await tx.rows(SessionsByIDs(sessionIDs: posts)).sorted { $0.id < $1.id }
    for post in found { try await remove(post, of: user, tx) }
    return posts
  }

  /// Stores the match, and tells the poster who joined ([MA-15]).
  private func match(
    _ session: StoredSession, with user: UserID, at now: Instant, _ tx: Transaction
  ) async throws -> StoredSession {
    let id = session.id
    let news = SessionMatched(
      sessionID: id.description, ownerID: session.ownerID?.description ?? "", partnerID: user.description)
    let match = MatchSession(partnerID: user, now: now, sessionID: id)
    do {
      let matched =
        if let owner = session.ownerID {
          // A session may be left and joined again: each match, which has a revision of its own, is told.
          try await events.publish(
            news,
            notice(
              to: [owner], "sessions/\(id)/matched/\(session.revision + 1)", of: id,
              .sessionMatched(matchNews(of: user, session))), after: match, in: tx)
        } else {
          try await events.publish(news, after: match, in: tx)
        }
      guard let matched = matched.first else { throw SessionRefusal.taken }
      return matched
    } catch let error as PostgresError where error.constraint == MatchingSchema.overlap {
      throw SessionRefusal.slotTakenByMatch
    }
  }

  /// Reminds both participants of a match that came after the reminder of an hour before ([MA-12]).
  private func remindOfMatch(_ session: StoredSession, _ tx: Transaction) async throws {
    guard let owner = session.ownerID, let partner = session.partnerID else { return }
    guard session.slot.start - clock.now <= SessionReminders.notice else { return }
    for (user, other) in [(owner, partner), (partner, owner)] {
      try await notify(
        [user], "sessions/\(session.id)/reminder/\(user)", of: session.id, .sessionSoon(matchNews(of: other, session)),
        tx)
    }
  }

  private func matchNews(of other: UserID, _ session: StoredSession) -> NotificationRequested.MatchNews {
    .init(partnerID: other.description, startTime: session.slot.start.timestamp, gym: session.gym.name)
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
    guard let removed = try await tx.first(removal) else { throw Status.decidedOtherwise }
    try await events.publish(cancelled(session, user, newOwner: nil), in: tx)
    try await notify(
      removed.waiting, "sessions/\(session.id)/withdrawn", of: nil,
      .placeWithdrawn(.init(startTime: session.slot.start.timestamp, gym: session.gym.name)), tx)
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

  /// Counts a cancellation that came too late as a session missed, and bars the user for it ([MA-7]); the transaction has locked the user's
  /// row.
  func bar(
    _ user: UserID, for cancellation: Cancellation, of id: SessionID, at now: Instant, _ tx: Transaction
  ) async throws {
    if cancellation.isMissed { try await tx.execute(CountMissed(userID: user)) }
    guard let end = cancellation.barredUntil else { return }
    try await tx.execute(
      ImposeBar(
        barID: jobs.environment.newID(), userID: user, sessionID: id, cause: .lateCancellation, now: now, endsAt: end))
  }

  private func cancelled(_ session: StoredSession, _ user: UserID, newOwner: UserID?) -> SessionCancelled {
    SessionCancelled(
      sessionID: session.id.description, userID: user.description, ownerID: newOwner?.description ?? "",
      cancelTime: clock.now.timestamp)
  }

  // MARK: Check-ins and feedback

  /// Stores a check-in; the second one makes the session successful ([MA-9]). It counts once it has lasted ([MA-11]).
  ///
  /// - Parameter now: when the request arrived.
  func checkIn(
    _ user: UserID, _ session: StoredSession, at now: Instant, _ tx: Transaction
  ) async throws -> StoredSession {
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
    try await events.publish(
      SessionStarted(
        sessionID: session.id.description, userIds: users.map(\.description), startTime: clock.now.timestamp), in: tx)
    try await tx.schedule(Job(.finishSession, session.id.description, at: session.slot.end), with: jobs)
    for (user, other) in zip(users, users.reversed()) {
      try await notify(
        [user], "sessions/\(session.id)/started/\(user)", of: session.id,
        .sessionStarted(.init(partnerID: other.description, gym: session.gym.name)), tx)
    }
  }

  /// Finishes a successful session, which the transaction has locked: from then on it counts ([MA-11]).
  func finish(_ session: StoredSession, at now: Instant, _ tx: Transaction) async throws {
    try await tx.execute(MarkFinished(now: now, sessionID: session.id))
    try await events.publish(
      SessionSucceeded(
        sessionID: session.id.description,
        userIds: [session.ownerID, session.partnerID].compactMap { $0?.description },
        startTime: session.slot.start.timestamp, timeZone: session.gym.timeZone,
        endTime: session.slot.end.timestamp), in: tx)
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
    try await events.publish(notice(to: users, key, of: session, news), in: tx)
  }

  private func notice(
    to users: [UserID], _ key: String, of session: SessionID?, _ news: NotificationRequested.News
  ) -> NotificationRequested {
    NotificationRequested(
      notificationKey: key, recipientIds: users.map(\.description), subject: session.map { "sessions/\($0)" } ?? "",
      news: news)
  }
}

import Environment
import Events
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

/// Stores decisions in the transaction that has locked the session: a step, its events, notifications and jobs are stored atomically.
struct SessionTransitions: Sendable {
  let events: Outbox
  let jobs: Jobs
  let environment: Environment

  var clock: any WallClock { environment.clock }

  /// The present, by the database's clock where that of this replica is ahead: for what has consequences for users.
  func trustedNow(_ tx: Transaction) async throws -> Instant {
    try await tx.trusted(clock.now)
  }

  /// A session after a step that the transaction has stored.
  private func stored(_ id: SessionID, _ tx: Transaction) async throws -> StoredSession {
    guard let session = try await tx.first(SessionByID(sessionID: id)) else { throw MatchingFailure.changedMeanwhile }
    return session
  }

  // MARK: Posts and joins

  /// Publishes a new session, and schedules its reminder and its judgement ([MA-10], [MA-12]).
  ///
  /// - Parameter isTold: whether users with saved searches are.
  func recordPost(_ id: SessionID, isTold: Bool, _ tx: Transaction) async throws -> StoredSession {
    let session = try await stored(id, tx)
    try await schedule(session.slot, tx)
    if isTold { try await sessionOpened(id, tx) }
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
    guard let reminder = SessionReminder.moment(before: slot.start, at: clock.now) else { return }
    try await tx.schedule(Job(.remindParticipants, key, at: reminder, key: key, ifScheduled: .isKept), with: jobs)
  }

  /// Gives a session its partner ([MA-5]), and tells the poster who joined ([MA-15]).
  func match(
    _ session: StoredSession, with user: UserID, at now: Instant, _ tx: Transaction
  ) async throws -> StoredSession {
    let matched = try await stored(session, with: user, at: now, tx)
    try await remindOfMatch(matched, tx)
    return matched
  }

  private func stored(
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
      guard let matched = matched.first else { throw MatchingFailure.changedMeanwhile }
      return matched
    } catch let error as PostgresError where error.constraint == MatchingSchema.overlap {
      throw SessionRefusal.slotTakenByMatch
    }
  }

  /// Reminds both participants of a match that came after the reminder of an hour before ([MA-12]).
  private func remindOfMatch(_ session: StoredSession, _ tx: Transaction) async throws {
    guard let owner = session.ownerID, let partner = session.partnerID else { return }
    guard SessionReminder.moment(before: session.slot.start, at: clock.now) == nil else { return }
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

  /// Removes an unmatched session.
  func remove(_ session: StoredSession, of user: UserID, _ tx: Transaction) async throws {
    let removal = CancelOpenSession(now: clock.now, sessionID: session.id, userID: user)
    guard let removed = try await tx.first(removal) else { throw MatchingFailure.changedMeanwhile }
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
    guard try await tx.first(departure) != nil else { throw MatchingFailure.changedMeanwhile }
    try await events.publish(cancelled(session, user, newOwner: other), in: tx)
    // A user may leave, join and leave again: each is told.
    try await notify(
      [other], "sessions/\(session.id)/cancelled/\(session.revision)", of: session.id,
      .sessionCancelled(.init(partnerID: user.description, startTime: session.slot.start.timestamp)), tx)
    try await placeOpened(in: session.id, tx)
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
        barID: environment.newID(), userID: user, sessionID: id, cause: .lateCancellation, now: now, endsAt: end))
  }

  /// Ends a matched session that has begun, because a participant deleted the account ([C-9]); no user is barred.
  func fail(_ session: StoredSession, without user: UserID, telling other: UserID, _ tx: Transaction) async throws {
    try await tx.execute(FailMatchedSession(now: clock.now, sessionID: session.id))
    try await events.publish(
      SessionFailed(sessionID: session.id.description, absentUserIds: [user.description], barred: false), in: tx)
    try await notify(
      [other], "sessions/\(session.id)/ended", of: session.id,
      .sessionEnded(.init(startTime: session.slot.start.timestamp, gym: session.gym.name)), tx)
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
    _ user: UserID, _ session: StoredSession, _ effect: CheckIn.Effect, at now: Instant, _ tx: Transaction
  ) async throws -> StoredSession {
    guard try await tx.first(StoreCheckIn(now: now, sessionID: session.id, userID: user)) != nil else {
      throw MatchingFailure.changedMeanwhile
    }
    try await events.publish(
      CheckedIn(
        sessionID: session.id.description, userID: user.description, gymID: session.gym.id.description,
        checkInTime: now.timestamp, endTime: session.slot.end.timestamp), in: tx)
    switch effect {
    case .second(let partner): try await succeed(session, [user, partner], tx)
    case .first(let partner):
      try await notify(
        [partner], "sessions/\(session.id)/partner-checked-in/\(user)", of: session.id,
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
  func notify(
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

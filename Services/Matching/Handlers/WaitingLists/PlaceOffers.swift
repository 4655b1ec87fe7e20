import Environment
import Events
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

extension JobKind where Payload == String {
  /// Ends an offer that was not taken, and offers the place to the next; the payload is the session's id. Each offer has a job of its own,
  /// without a key: a transaction that has locked the session waits for no job that waits for the session.
  package static let endOffer = JobKind("end_offer")
}

/// Offers places in sessions to those who wait for them.
///
/// Every method is for a transaction that has locked the session's row: so offers of one session follow each other, and none is made while
/// another user joins.
package struct PlaceOffers: Sendable {
  private let events: Outbox
  private let jobs: Jobs

  package init(events: Outbox, jobs: Jobs) { (self.events, self.jobs) = (events, jobs) }

  private func now(_ tx: Transaction) async throws -> Instant { try await tx.trusted(jobs.environment.clock.now) }

  /// The job that ends offers.
  package var handlers: [JobHandler] {
    [
      .inDatabase(.endOffer) { text, run, tx in
        guard let id = SessionID(text) else { return }
        let now = try await now(tx)
        guard !run.isEarly(at: now) else {
          return try await tx.schedule(Job(.endOffer, text, at: run.dueAgain(at: now, by: jobs)), with: jobs)
        }
        try await passOn(id, tx)
      }
    ]
  }

  /// Passes an offer whose time is over to the next who waits; one that still holds stays.
  func passOn(_ id: SessionID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)), let user = session.offeredTo,
      let end = session.offeredUntil, try await end <= now(tx)
    else { return }
    _ = try await tx.first(DeleteWaiting(sessionID: id, userID: user))
    try await offer(session, tx)
  }

  /// A participant has left a session: its place is offered to the first who waits, if any.
  package func placeOpened(in id: SessionID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)) else { return }
    try await offer(session, tx)
  }

  /// Takes an offer back from a user who deleted the account, or does not see the session any more; it passes to the next.
  func release(_ id: SessionID, from user: UserID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)), session.offeredTo == user else { return }
    try await offer(session, tx)
  }

  /// Removes a user from the list of a session; an offer to them passes to the next.
  func leave(_ id: SessionID, _ user: UserID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)),
      try await tx.first(DeleteWaiting(sessionID: id, userID: user)) != nil, session.offeredTo == user
    else { return }
    try await offer(session, tx)
  }

  /// Offers the place to the first who can take it; without one it is open to all.
  private func offer(_ session: LockedOffer.Row, _ tx: Transaction) async throws {
    guard session.state == .open else { return }
    let now = try await now(tx)
    guard let user = try await tx.first(NextWaiting(sessionID: session.id, now: now)) else {
      if session.offeredTo != nil { try await tx.execute(WithdrawOffer(sessionID: session.id)) }
      return try await SearchNotices(events: events, jobs: jobs).sessionOpened(session.id, tx)
    }
    let end = WaitingRule.offerEnd(before: session.joinsEndAt, at: now)
    try await tx.schedule(Job(.endOffer, "\(session.id)", at: end), with: jobs)
    try await tx.execute(OfferPlace(userID: user, until: end, sessionID: session.id))
    let request = NotificationRequested(
      notificationKey: "sessions/\(session.id)/offered/\(end.microseconds)", recipientIds: [user.description],
      subject: "sessions/\(session.id)",
      news: .placeOffered(.init(startTime: session.startsAt.timestamp, gym: session.gymName)))
    try await events.publish(request, in: tx)
  }
}

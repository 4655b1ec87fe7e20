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
  /// Ends an offer that was not taken, and offers the place to the next; payload and key are the session's id.
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

  private var now: Instant { jobs.environment.clock.now }

  /// The job that ends offers.
  package var handlers: [JobHandler] {
    [
      .inDatabase(.endOffer) { id, _, tx in
        guard let id = SessionID(id) else { return }
        try await passOn(id, tx)
      }
    ]
  }

  /// Passes an offer whose time is over to the next who waits; one that still holds stays.
  func passOn(_ id: SessionID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)), let user = session.offeredTo,
      let end = session.offeredUntil, end <= now
    else { return }
    _ = try await tx.first(DeleteWaiting(sessionID: id, userID: user))
    try await offer(session, tx)
  }

  /// A participant has left a session: its place is offered to the first who waits, if any.
  package func placeOpened(in id: SessionID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)) else { return }
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
    guard let user = try await tx.first(NextWaiting(sessionID: session.id, now: now)) else {
      if session.offeredTo != nil { try await tx.execute(WithdrawOffer(sessionID: session.id)) }
      return try await SearchNotices(events: events, jobs: jobs).sessionOpened(session.id, tx)
    }
    let end = WaitingRule.offerEnd(of: session.startsAt, at: now)
    try await tx.schedule(Job(.endOffer, "\(session.id)", at: end, key: "\(session.id)"), with: jobs)
    try await tx.execute(OfferPlace(userID: user, until: end, sessionID: session.id))
    let request = NotificationRequested(
      notificationKey: "sessions/\(session.id)/offered/\(end.microseconds)", recipientIds: [user.description],
      subject: "sessions/\(session.id)",
      news: .placeOffered(.init(startTime: session.startsAt.timestamp, gym: session.gymName)))
    try await events.publish(request, in: tx)
  }
}

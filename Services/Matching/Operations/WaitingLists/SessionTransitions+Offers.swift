import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

/// Offers of places in sessions to those who wait for them ([MA-17]).
///
/// Each is for a transaction that has locked the session's row, or locks it: so offers of one session follow each other, and none is made
/// while another user joins.
extension SessionTransitions {
  /// Passes an offer whose time is over to the next who waits; one that still holds stays.
  func passOnOffer(of id: SessionID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)),
      let held = PlaceOffer(to: session.offeredTo, until: session.offeredUntil),
      held.isOver(at: try await trustedNow(tx))
    else { return }
    _ = try await tx.first(DeleteWaiting(sessionID: id, userID: held.user))
    try await offer(session, tx)
  }

  /// A participant has left a session: its place is offered to the first who waits, if any.
  func placeOpened(in id: SessionID, _ tx: Transaction) async throws {
    guard let session = try await tx.first(LockedOffer(sessionID: id)) else { return }
    try await offer(session, tx)
  }

  /// Offers the place to the first who can take it; without one it is open to all.
  func offer(_ session: LockedOffer.Row, _ tx: Transaction) async throws {
    guard session.state == .open else { return }
    let now = try await trustedNow(tx)
    guard let user = try await tx.first(NextWaiting(sessionID: session.id, now: now)) else {
      if session.offeredTo != nil { try await tx.execute(WithdrawOffer(sessionID: session.id)) }
      return try await sessionOpened(session.id, tx)
    }
    let end = WaitingRule.offerEnd(before: session.joinsEndAt, at: now)
    try await tx.schedule(Job(.endOffer, "\(session.id)", at: end), with: jobs)
    try await tx.execute(OfferPlace(userID: user, until: end, sessionID: session.id))
    try await notify(
      [user], "sessions/\(session.id)/offered/\(end.microseconds)", of: session.id,
      .placeOffered(.init(startTime: session.startsAt.timestamp, gym: session.gymName)), tx)
  }
}

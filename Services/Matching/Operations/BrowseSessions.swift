import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

/// A session that a user found, with what is in the way of joining it.
package struct FoundSession: Sendable {
  package let ranked: RankedSession
  package let session: StoredSession
  /// Why the user cannot join it, the most telling reason first.
  package let obstacles: [SessionRefusal]
}

extension SessionOperations {
  /// The sessions that a user could join, the best fit first, then others by their start ([MA-3], [MA-4]).
  ///
  /// The database finds a bounded number of candidates by its indexes, the domain ranks them; what else fits follows by its start.
  ///
  /// - Parameters:
  ///   - position: how far the list has been read.
  ///   - limit: how many sessions, at most.
  ///   - newest: no session is found that was posted after this one.
  package func browseSessions(
    _ filter: SessionFilter, for viewer: Applicant, after position: BrowsePosition, limit: Int, newest: SessionID,
    at now: Instant
  ) async throws -> BrowsedSessions {
    try await SessionSearch(filter, for: viewer, newest: newest, now: now).page(after: position, limit, in: database)
  }

  /// What a user sees of some of the sessions that ``browseSessions(_:for:after:limit:newest:at:)`` found; those that are gone are left out.
  package func show(
    _ ranked: [RankedSession], to viewer: Applicant, at now: Instant
  ) async throws -> [FoundSession] {
    guard !ranked.isEmpty else { return [] }
    let sessions = try await database.rows(SessionsByIDs(sessionIDs: ranked.map(\.id)))
    let byID = Dictionary(sessions.map { ($0.id, $0) }) { first, _ in first }
    let shown = ranked.compactMap { one in byID[one.id].map { (one, $0) } }
    let slots = shown.map(\.1.slot)
    guard let since = slots.map(\.start).min(), let until = slots.map(\.end).max() else { return [] }
    let taken = try await database.rows(SlotsTakenOf(userID: viewer.id, since: since, until: until))
      .compactMap { Slot(from: $0.startsAt, to: $0.endsAt) }
    return shown.map { one, session in
      FoundSession(
        ranked: one, session: session,
        obstacles: session.facts.obstacles(
          for: viewer, hasOverlap: taken.contains { $0.overlaps(session.slot) }, at: now))
    }
  }
}

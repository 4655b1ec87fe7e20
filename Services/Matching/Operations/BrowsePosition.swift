import Identifiers
import MatchingDomain

/// How far a list of sessions has been read: which were ranked and shown, and where the list by start is.
///
/// The ranked ones are computed anew for each page, and may have changed meanwhile: those that were shown are left out, whatever their rank is
/// now, so that none is shown twice, and none is skipped.
package struct BrowsePosition: Sendable {
  /// The ranked sessions that were shown, as 32 bits of each id: a token stays short. Of two sessions of one list that have the same bits, which
  /// happens in one of ten million lists, the second is not shown.
  package private(set) var ranked: Set<UInt32> = []
  /// The last session of the list by start; `nil` while sessions are ranked.
  package private(set) var last: (start: Instant, id: SessionID)?

  /// So many are ranked: the best few hundred.
  package static let maxRanked = 400

  /// The beginning.
  package init() {}

  package init(ranked: Set<UInt32>, last: (start: Instant, id: SessionID)?) {
    (self.ranked, self.last) = (ranked, last)
  }

  func hasShown(_ id: SessionID) -> Bool { ranked.contains(Self.bits(of: id)) }

  /// The position after the sessions that a page shows.
  package func after(_ found: BrowsedSessions, size: Int) -> BrowsePosition {
    var next = self
    for (place, session) in found.sessions.prefix(size).enumerated() {
      if place < found.ranked {
        next.ranked.insert(Self.bits(of: session.id))
      } else {
        next.last = (session.start, session.id)
      }
    }
    return next
  }

  /// The random bits at the end of the id.
  private static func bits(of id: SessionID) -> UInt32 { UInt32(truncatingIfNeeded: id.uuid.low) }
}

/// Sessions of a page: some that are ranked, then others by their start.
package struct BrowsedSessions: Sendable {
  package var sessions: [RankedSession] = []
  /// How many are ranked.
  package var ranked = 0
}

import Identifiers

/// A session that a user wants to post ([MA-1]).
package struct SessionPost: Sendable, Hashable {
  package let slot: Slot
  package let focus: Focus
  package let level: Level
  package let admitted: GenderSet
  /// From when on it cannot be joined, if the poster says so.
  package let joinEnd: Instant?

  package init(_ slot: Slot, _ focus: Focus, _ level: Level, admitting admitted: GenderSet, joinEnd: Instant?) {
    (self.slot, self.focus, self.level) = (slot, focus, level)
    (self.admitted, self.joinEnd) = (admitted, joinEnd)
  }

  /// From when on it cannot be joined if it is posted at `now`: time has passed since the poster chose the times ([MA-15]).
  package func joinsEnd(at now: Instant) throws(PostRefusal) -> Instant {
    guard slot.start > now else { throw .slotInvalid }
    guard let end = JoinEnd.decide(joinEnd, for: slot, at: now) else { throw .joinEndInvalid }
    return end
  }
}

/// Why a session cannot be posted with its times any more.
package enum PostRefusal: Error, Sendable, Hashable, CaseIterable {
  case slotInvalid
  case joinEndInvalid
}

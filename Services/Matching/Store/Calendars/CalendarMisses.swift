import AccountDeletions
import Identifiers
import MatchingDomain
import Postgres

/// Limits how often an address may try unknown links.
package enum CalendarMisses {
  /// Attempts within the window.
  package static let most: Int32 = 30
  /// The window begins with the first attempt.
  package static let window: Duration = .seconds(900)
}

extension CalendarMissesOver {
  /// - Parameter addressHash: SHA-256 of the address.
  package init(addressHash: [UInt8], now: Instant) {
    self.init(addressHash: addressHash, now: now, most: CalendarMisses.most)
  }
}

extension CountCalendarMiss {
  /// - Parameter addressHash: SHA-256 of the address.
  package init(addressHash: [UInt8], now: Instant) {
    self.init(now: now, addressHash: addressHash, windowEndsAt: now + CalendarMisses.window)
  }
}

extension CalendarSessions {
  /// How long sessions stay in a calendar after their end.
  private static let kept: Duration = .seconds(30 * 86_400)
  private static let most: Int64 = 1_000

  package init(of user: UserID, at now: Instant) {
    self.init(userID: user, since: now - Self.kept, now: now, limit: Self.most)
  }
}

extension CalendarSessions.Row {
  package var entry: CalendarEntry {
    CalendarEntry(
      sessionID: sessionID.uuid, startsAt: startsAt, endsAt: endsAt, changedAt: updatedAt, revision: revision,
      title: focus.title, gym: gymName, isMatched: isMatched)
  }
}

extension DeleteCalendarLinksOfUser: AccountDeletionStatement {
  package static let users = "select user_id from calendar_links"
}

import AccountDeletions
import Identifiers
import MatchingDomain
import Postgres

extension CalendarSessions {
  /// How long sessions stay in a calendar after their end.
  private static let kept: Duration = .seconds(30 * 86_400)
  private static let maxCount: Int64 = 1_000

  package init(of user: UserID, at now: Instant) {
    self.init(userID: user, since: now - Self.kept, now: now, limit: Self.maxCount)
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

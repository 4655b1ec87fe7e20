import Identifiers

/// A link to a user's calendar.
package enum UserCalendarLink {}
package typealias CalendarLinkID = Identifier<UserCalendarLink>
/// A link to a posted session.
package enum PostedSessionLink {}
package typealias SessionShareID = Identifier<PostedSessionLink>
/// A search that a user keeps.
package enum UserSearch {}
package typealias SearchID = Identifier<UserSearch>
/// A session that is posted every week.
package enum WeeklySession {}
package typealias RepetitionID = Identifier<WeeklySession>

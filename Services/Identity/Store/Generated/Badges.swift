// Made from badges.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// A stored badge.
package struct StoredBadge: Sendable, Equatable, RowDecodable {
  /// The name of a kind; may be unknown to this version after a downgrade.
  package let kind: String
  package let awardedAt: Instant

  package init(kind: String, awardedAt: Instant) {
    self.kind = kind
    self.awardedAt = awardedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBadge {
    StoredBadge(kind: try row.next(), awardedAt: try row.next())
  }
}

/// Awards badges to a user; returns one row for each that they did not have ([ID-64]).
package struct AwardBadges: Statement {
  package typealias Row = String
  package static let sql = """
    insert into badges (account_id, kind, awarded_at)
    select accounts.id, kind, $1 from accounts cross join unnest($2::text[]) as kind
    where accounts.id = $3 order by kind for key share of accounts
    on conflict on constraint badges_pkey do nothing
    returning kind
    """
  package let now: Instant
  package let badges: [Badge]
  package let userID: UserID

  package init(now: Instant, badges: [Badge], userID: UserID) {
    self.now = now
    self.badges = badges
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(badges)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects a user's badges, most recently awarded first.
package struct BadgesOf: Statement {
  package typealias Row = StoredBadge
  package static let sql = """
    select kind, awarded_at from badges where account_id = $1 order by awarded_at desc, kind
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBadge.decode(row)
  }
}

/// Records that users trained; returns one row for each existing account for which the session is new, and overlaps none that counts.
package struct NoteSession: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    /// The local date at the gym.
    package let day: CivilDate
  }

  package static let sql = """
    insert into badge_sessions (account_id, session_id, day, slot)
    select id, $1, day_of_badge($2, $3), tstzrange($2, $4) from accounts
    where id = any($5) and not exists (
      select from badge_sessions as other where other.account_id = accounts.id and other.slot && tstzrange($2, $4)
    )
    order by id for key share
    on conflict on constraint badge_sessions_pkey do nothing
    returning account_id as user_id, day
    """
  /// As matching calls it.
  package let sessionID: UUID7
  package let start: Instant
  /// The gym's; one that the database does not know counts as UTC.
  package let timeZone: String
  /// The end of its slot, not before the start.
  package let endsAt: Instant
  package let userIDs: [UserID]

  package init(sessionID: UUID7, start: Instant, timeZone: String, endsAt: Instant, userIDs: [UserID]) {
    self.sessionID = sessionID
    self.start = start
    self.timeZone = timeZone
    self.endsAt = endsAt
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(start)
    p.append(timeZone)
    p.append(endsAt)
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), day: try row.next())
  }
}

/// Counts a user's successful sessions.
package struct SuccessfulSessions: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select count(*) as sessions from badge_sessions where account_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records that a user logged a workout; returns no row when it is recorded already, or there is no such account.
package struct NoteWorkoutLog: SingleRowStatement {
  package struct Row: Sendable {
    package let userID: UserID
    /// The local date in the zone of the user's profile.
    package let day: CivilDate
  }

  package static let sql = """
    insert into badge_workouts (account_id, log_id, day)
    select accounts.id, $1, day_of_badge($2, profiles.time_zone)
    from accounts join profiles on profiles.account_id = accounts.id
    where accounts.id = $3 for key share of accounts
    on conflict on constraint badge_workouts_pkey do nothing
    returning account_id as user_id, day as day
    """
  package let logID: UUID7
  package let start: Instant
  package let userID: UserID

  package init(logID: UUID7, start: Instant, userID: UserID) {
    self.logID = logID
    self.start = start
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(logID)
    p.append(start)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), day: try row.next())
  }
}

/// Records that a log was deleted, whether or not it is recorded that it was stored.
package struct NoteWorkoutLogDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into badge_workouts (account_id, log_id, day) select id, $1, null from accounts where id = $2
    for key share
    on conflict on constraint badge_workouts_pkey do update set day = null
    """
  package let logID: UUID7
  package let userID: UserID

  package init(logID: UUID7, userID: UserID) {
    self.logID = logID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(logID)
    p.append(userID)
  }
}

/// Counts the workouts that a user has logged and not deleted.
package struct LoggedWorkouts: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select count(*) as workouts from badge_workouts where account_id = $1 and day is not null
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects the days on which users trained, in whatever way, near given days.
package struct TrainingDays: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let day: CivilDate
  }

  package static let sql = """
    select distinct wanted.user_id as user_id, trained.day as day
    from unnest($1::uuid[], $2::date[]) as wanted (user_id, day)
    cross join lateral (
      select day from badge_sessions
      where account_id = wanted.user_id and day between wanted.day - $3::integer and wanted.day + $3::integer
      union all
      select day from badge_workouts
      where account_id = wanted.user_id and day between wanted.day - $3::integer and wanted.day + $3::integer
      union all
      select day from badge_activities
      where account_id = wanted.user_id and day between wanted.day - $3::integer and wanted.day + $3::integer
    ) as trained
    """
  /// Parallel to the days.
  package let userIDs: [UserID]
  package let days: [CivilDate]
  /// How many days before and after each are looked at.
  package let reach: Int32

  package init(userIDs: [UserID], days: [CivilDate], reach: Int32) {
    self.userIDs = userIDs
    self.days = days
    self.reach = reach
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(days)
    p.append(reach)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), day: try row.next())
  }
}

/// Records that a user lent a book; returns no row when it is recorded already, or there is no such account.
package struct NoteLentBook: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    insert into badge_books (account_id, book_id) select id, $1 from accounts where id = $2 for key share
    on conflict on constraint badge_books_pkey do nothing
    returning account_id
    """
  package let bookID: UUID7
  package let userID: UserID

  package init(bookID: UUID7, userID: UserID) {
    self.bookID = bookID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Counts the different books that a user has lent.
package struct LentBooks: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select count(*) as books from badge_books where account_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records the importer's data of an activity, unless those of a later event are stored; returns one row if they were
/// recorded.
package struct NoteActivity: SingleRowStatement {
  package struct Row: Sendable {
    package let month: CivilDate
    package let day: CivilDate
  }

  package static let sql = """
    insert into badge_activities as known (account_id, activity_id, month, day, distance_mm, transaction_id, event_id)
    select
      accounts.id, $1, date_trunc('month', started.day)::date, started.day, $2, $3, $4
    from accounts cross join (select day_of_badge($5, $6) as day) as started
    where accounts.id = $7 for key share of accounts
    on conflict on constraint badge_activities_pkey do update
    set month = excluded.month, day = excluded.day, distance_mm = excluded.distance_mm,
      transaction_id = excluded.transaction_id, event_id = excluded.event_id
    where (known.transaction_id, known.event_id) < (excluded.transaction_id, excluded.event_id)
    returning month as month, day as day
    """
  package let activityID: UUID7
  package let distance: Distance
  package let transactionID: TransactionID
  package let eventID: Int64
  package let start: Instant
  /// The zone of the start; one that the database does not know counts as UTC.
  package let timeZone: String
  package let userID: UserID

  package init(
    activityID: UUID7, distance: Distance, transactionID: TransactionID, eventID: Int64, start: Instant,
    timeZone: String, userID: UserID) {
    self.activityID = activityID
    self.distance = distance
    self.transactionID = transactionID
    self.eventID = eventID
    self.start = start
    self.timeZone = timeZone
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityID)
    p.append(distance)
    p.append(transactionID)
    p.append(eventID)
    p.append(start)
    p.append(timeZone)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(month: try row.next(), day: try row.next())
  }
}

/// Records that an activity was removed, unless a later event about it is stored.
package struct NoteActivityRemoved: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into badge_activities as known (account_id, activity_id, month, distance_mm, transaction_id, event_id)
    select id, $1, null, 0, $2, $3 from accounts where id = $4 for key share
    on conflict on constraint badge_activities_pkey do update
    set month = null, day = null, distance_mm = 0, transaction_id = excluded.transaction_id, event_id = excluded.event_id
    where (known.transaction_id, known.event_id) < (excluded.transaction_id, excluded.event_id)
    """
  package let activityID: UUID7
  package let transactionID: TransactionID
  package let eventID: Int64
  package let userID: UserID

  package init(activityID: UUID7, transactionID: TransactionID, eventID: Int64, userID: UserID) {
    self.activityID = activityID
    self.transactionID = transactionID
    self.eventID = eventID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityID)
    p.append(transactionID)
    p.append(eventID)
    p.append(userID)
  }
}

/// Selects the distance of a user's activities in a month.
package struct DistanceInMonth: SingleRowStatement {
  package typealias Row = Distance
  package static let sql = """
    select coalesce(sum(distance_mm), 0)::bigint as distance from badge_activities
    where account_id = $1 and month = $2
    """
  package let userID: UserID
  /// Its first day.
  package let month: CivilDate

  package init(userID: UserID, month: CivilDate) {
    self.userID = userID
    self.month = month
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(month)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Resets the stored log positions of all activities, so that the next event of each counts, as the importer's log may
/// have been replaced.
package struct ForgetActivityPositions: Statement {
  package typealias Row = Void
  package static let sql = """
    update badge_activities set transaction_id = '0', event_id = 0 where transaction_id > '0'
    """

  package init() {}
}

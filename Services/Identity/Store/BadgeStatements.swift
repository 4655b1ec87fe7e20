import Events
import IdentityDomain
import Identifiers
import Postgres

/// Awards a user badges; one row for each that they did not have ([ID-64]).
package struct AwardBadges: Statement {
  package typealias Row = String
  // In the order of the keys, so that two transactions that award the same ones do not wait for each other. An account that is being deleted is
  // waited for, and is none then.
  package static let sql = """
    insert into badges (account_id, kind, awarded_at)
    select accounts.id, kind, $3 from accounts cross join unnest($2::text[]) as kind
    where accounts.id = $1 order by kind for key share of accounts
    on conflict on constraint badges_pkey do nothing
    returning kind
    """
  let userID: UserID
  let badges: [Badge]
  let now: Instant

  package init(_ badges: [Badge], to userID: UserID, now: Instant) {
    (self.userID, self.badges, self.now) = (userID, badges, now)
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(badges.map(\.rawValue))
    p.append(now)
  }
}

/// A badge as it is stored.
package struct StoredBadge: Sendable, Equatable {
  /// The name of a kind; one that this version does not know is possible after a step back to it.
  package let kind: String
  package let awardedAt: Instant

  private static let order = "awarded_at desc, kind"
  static let query = "select kind, awarded_at from badges where account_id = $1 order by \(order)"

  /// One column of a user's badges as an array, those awarded last first, for a list of columns.
  static func listed(_ column: String, of account: String) -> String {
    "array(select badges.\(column) from badges where badges.account_id = \(account) order by \(order))"
  }

  /// Badges by two such arrays.
  static func zipped(_ kinds: [String], _ times: [Instant]) -> [StoredBadge] {
    zip(kinds, times).map { StoredBadge(kind: $0, awardedAt: $1) }
  }
}

/// A user's badges, those awarded last first.
package struct BadgesOf: Statement {
  package static let sql = StoredBadge.query
  let userID: UserID

  package init(_ userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBadge {
    StoredBadge(kind: try row.next(), awardedAt: try row.next())
  }
}

// MARK: Sessions

/// Notes that users trained; one row for each who has an account and of whom it was not noted before.
package struct NoteSession: Statement {
  /// Who trained, and on which day where the gym is.
  package typealias Row = (userID: UserID, day: CivilDate)
  package static let sql = """
    insert into badge_sessions (account_id, session_id, day)
    select id, $2, day_of_badge($3, $4) from accounts where id = any($1) order by id for key share
    on conflict on constraint badge_sessions_pkey do nothing
    returning account_id, day
    """
  let sessionID: UUID7
  let accountIDs: [UserID]
  let start: Instant
  let zone: String

  /// - Parameter zone: the gym's; one that the database does not know counts as UTC.
  package init(_ sessionID: UUID7, of accountIDs: [UserID], at start: Instant, in zone: String) {
    (self.sessionID, self.accountIDs, self.start, self.zone) = (sessionID, accountIDs, start, zone)
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountIDs)
    p.append(sessionID)
    p.append(start)
    p.append(zone)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    (userID: try row.next(), day: try row.next())
  }
}

/// How often somebody trained, and on which of some days.
package struct SessionTally: Statement {
  /// All sessions, and the days with one.
  package typealias Row = (sessions: Int64, days: [CivilDate])
  package static let sql = """
    select count(*), array(
      select distinct day from badge_sessions where account_id = $1 and day between $2 and $3
    ) from badge_sessions where account_id = $1
    """
  let userID: UserID
  let window: ClosedRange<CivilDate>

  package init(of userID: UserID, within window: ClosedRange<CivilDate>) {
    (self.userID, self.window) = (userID, window)
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(window.lowerBound)
    p.append(window.upperBound)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    (sessions: try row.next(), days: try row.next())
  }
}

// MARK: Books

/// Notes that somebody lent a book; no row where that was noted before, or there is no such account.
package struct NoteLentBook: Statement {
  package typealias Row = UserID
  package static let sql = """
    insert into badge_books (account_id, book_id) select id, $2 from accounts where id = $1 for key share
    on conflict on constraint badge_books_pkey do nothing
    returning account_id
    """
  let userID: UserID
  let bookID: UUID7

  package init(_ bookID: UUID7, of userID: UserID) { (self.userID, self.bookID) = (userID, bookID) }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(bookID)
  }
}

/// How many different books somebody has lent.
package struct LentBooks: Statement {
  package typealias Row = Int64
  package static let sql = "select count(*) from badge_books where account_id = $1"
  let userID: UserID

  package init(of userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

// MARK: Activities

/// Notes what the importer says of an activity, unless it has said something later; one row where something was noted.
package struct NoteActivity: Statement {
  package typealias Row = CivilDate
  package static let sql = """
    insert into badge_activities as known (account_id, activity_id, month, distance_mm, transaction_id, event_id)
    select id, $2, date_trunc('month', day_of_badge($3, $4))::date, $5, $6, $7
    from accounts where id = $1 for key share
    on conflict on constraint badge_activities_pkey do update
    set month = excluded.month, distance_mm = excluded.distance_mm, transaction_id = excluded.transaction_id,
      event_id = excluded.event_id
    where (known.transaction_id, known.event_id) < (excluded.transaction_id, excluded.event_id)
    returning month
    """
  let userID: UserID
  let activityID: UUID7
  let start: Instant
  let zone: String
  let distance: Distance
  let position: EventPosition

  /// - Parameter zone: that of the start; one that the database does not know counts as UTC.
  package init(
    _ activityID: UUID7, of userID: UserID, at start: Instant, in zone: String, _ distance: Distance,
    toldAt position: EventPosition
  ) {
    (self.activityID, self.userID, self.start, self.zone) = (activityID, userID, start, zone)
    (self.distance, self.position) = (distance, position)
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(activityID)
    p.append(start)
    p.append(zone)
    p.append(distance.millimetres)
    position.bind(&p)
  }
}

/// Notes that an activity is not known any more, unless the importer has said something later.
package struct NoteActivityRemoved: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into badge_activities as known (account_id, activity_id, month, distance_mm, transaction_id, event_id)
    select id, $2, null, 0, $3, $4 from accounts where id = $1 for key share
    on conflict on constraint badge_activities_pkey do update
    set month = null, distance_mm = 0, transaction_id = excluded.transaction_id, event_id = excluded.event_id
    where (known.transaction_id, known.event_id) < (excluded.transaction_id, excluded.event_id)
    """
  let userID: UserID
  let activityID: UUID7
  let position: EventPosition

  package init(_ activityID: UUID7, of userID: UserID, toldAt position: EventPosition) {
    (self.activityID, self.userID, self.position) = (activityID, userID, position)
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(activityID)
    position.bind(&p)
  }
}

/// How far somebody went in a month.
package struct DistanceInMonth: Statement {
  package static let sql = """
    select coalesce(sum(distance_mm), 0)::bigint from badge_activities where account_id = $1 and month = $2
    """
  let userID: UserID
  let month: CivilDate

  /// - Parameter month: its first day.
  package init(_ month: CivilDate, of userID: UserID) { (self.userID, self.month) = (userID, month) }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(month)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Distance {
    Distance(storedMillimetres: try row.next())
  }
}

/// Has every activity's next word count, wherever it is in a log: the importer's may begin anew.
package struct ForgetActivityPositions: Statement {
  package typealias Row = Void
  package static let sql = "update badge_activities set transaction_id = '0', event_id = 0 where transaction_id > '0'"

  package init() {}
}

import Events
import IdentityDomain
import Identifiers
import Postgres

/// Awards a person badges; one row for each that they did not have ([ID-64]).
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
  let accountID: AccountID
  let badges: [Badge]
  let now: Instant

  package init(_ badges: [Badge], to accountID: AccountID, now: Instant) {
    (self.accountID, self.badges, self.now) = (accountID, badges, now)
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
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

  /// One column of a person's badges as an array, those awarded last first, for a list of columns.
  static func listed(_ column: String, of account: String) -> String {
    "array(select badges.\(column) from badges where badges.account_id = \(account) order by \(order))"
  }

  /// Badges by two such arrays.
  static func zipped(_ kinds: [String], _ times: [Instant]) -> [StoredBadge] {
    zip(kinds, times).map { StoredBadge(kind: $0, awardedAt: $1) }
  }
}

/// A person's badges, those awarded last first.
package struct BadgesOf: Statement {
  package static let sql = StoredBadge.query
  let accountID: AccountID

  package init(_ accountID: AccountID) { self.accountID = accountID }

  package func bind(_ p: inout Parameters) { p.append(accountID) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBadge {
    StoredBadge(kind: try row.next(), awardedAt: try row.next())
  }
}

// MARK: Sessions

/// Notes that people trained; one row for each who has an account and of whom it was not noted before.
package struct NoteSession: Statement {
  /// Who trained, and on which day where the gym is.
  package typealias Row = (accountID: AccountID, day: CivilDate)
  package static let sql = """
    insert into badge_sessions (account_id, session_id, day)
    select id, $2, day_of_badge($3, $4) from accounts where id = any($1) order by id for key share
    on conflict on constraint badge_sessions_pkey do nothing
    returning account_id, day
    """
  let sessionID: UUID7
  let accountIDs: [AccountID]
  let start: Instant
  let zone: String

  /// - Parameter zone: the gym's; one that the database does not know counts as UTC.
  package init(_ sessionID: UUID7, of accountIDs: [AccountID], at start: Instant, in zone: String) {
    (self.sessionID, self.accountIDs, self.start, self.zone) = (sessionID, accountIDs, start, zone)
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountIDs)
    p.append(sessionID)
    p.append(start)
    p.append(zone)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    (accountID: try row.next(), day: try row.next())
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
  let accountID: AccountID
  let window: ClosedRange<CivilDate>

  package init(of accountID: AccountID, within window: ClosedRange<CivilDate>) {
    (self.accountID, self.window) = (accountID, window)
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
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
  package typealias Row = AccountID
  package static let sql = """
    insert into badge_books (account_id, book_id) select id, $2 from accounts where id = $1 for key share
    on conflict on constraint badge_books_pkey do nothing
    returning account_id
    """
  let accountID: AccountID
  let bookID: UUID7

  package init(_ bookID: UUID7, of accountID: AccountID) { (self.accountID, self.bookID) = (accountID, bookID) }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
    p.append(bookID)
  }
}

/// How many different books somebody has lent.
package struct LentBooks: Statement {
  package typealias Row = Int64
  package static let sql = "select count(*) from badge_books where account_id = $1"
  let accountID: AccountID

  package init(of accountID: AccountID) { self.accountID = accountID }

  package func bind(_ p: inout Parameters) { p.append(accountID) }
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
  let accountID: AccountID
  let activityID: UUID7
  let start: Instant
  let zone: String
  let distance: Distance
  let position: EventPosition

  /// - Parameter zone: that of the start; one that the database does not know counts as UTC.
  package init(
    _ activityID: UUID7, of accountID: AccountID, at start: Instant, in zone: String, _ distance: Distance,
    toldAt position: EventPosition
  ) {
    (self.activityID, self.accountID, self.start, self.zone) = (activityID, accountID, start, zone)
    (self.distance, self.position) = (distance, position)
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
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
  let accountID: AccountID
  let activityID: UUID7
  let position: EventPosition

  package init(_ activityID: UUID7, of accountID: AccountID, toldAt position: EventPosition) {
    (self.activityID, self.accountID, self.position) = (activityID, accountID, position)
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
    p.append(activityID)
    position.bind(&p)
  }
}

/// How far somebody went in a month.
package struct DistanceInMonth: Statement {
  package static let sql = """
    select coalesce(sum(distance_mm), 0)::bigint from badge_activities where account_id = $1 and month = $2
    """
  let accountID: AccountID
  let month: CivilDate

  /// - Parameter month: its first day.
  package init(_ month: CivilDate, of accountID: AccountID) { (self.accountID, self.month) = (accountID, month) }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
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

import Events
import IdentityDomain
import Identifiers
import Postgres

/// Awards badges to a user; returns one row for each that they did not have ([ID-64]).
package struct AwardBadges: Statement {
  package typealias Row = String
  // Inserted in the order of the keys, so that two transactions that award the same badges do not deadlock. Waits for a
  // concurrent deletion of the account, after which nothing is inserted.
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

/// A stored badge.
package struct StoredBadge: Sendable, Equatable {
  /// The name of a kind; may be unknown to this version after a downgrade.
  package let kind: String
  package let awardedAt: Instant

  private static let order = "awarded_at desc, kind"
  static let query = "select kind, awarded_at from badges where account_id = $1 order by \(order)"

  /// An SQL array of one column of a user's badges, most recently awarded first.
  static func listed(_ column: String, of account: String) -> String {
    "array(select badges.\(column) from badges where badges.account_id = \(account) order by \(order))"
  }

  /// Badges from two such arrays.
  static func zipped(_ kinds: [String], _ times: [Instant]) -> [StoredBadge] {
    zip(kinds, times).map { StoredBadge(kind: $0, awardedAt: $1) }
  }
}

/// Selects a user's badges, most recently awarded first.
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

/// Records that users trained; returns one row for each existing account for which the session is new.
package struct NoteSession: Statement {
  /// The user who trained, and the local date at the gym.
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

  /// - Parameter zone: the gym's zone; one that the database does not know counts as UTC.
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

/// Selects the number of a user's sessions, and on which of some days they trained.
package struct SessionTally: Statement {
  /// The number of all sessions, and the days with at least one.
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

/// Records that a user lent a book; returns no row when it is recorded already, or there is no such account.
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

/// Counts the different books that a user has lent.
package struct LentBooks: Statement {
  package typealias Row = Int64
  package static let sql = "select count(*) from badge_books where account_id = $1"
  let userID: UserID

  package init(of userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

// MARK: Activities

/// Records the importer's data of an activity, unless those of a later event are stored; returns one row if they were
/// recorded.
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

  /// - Parameter zone: the zone of the start; one that the database does not know counts as UTC.
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

/// Records that an activity was removed, unless a later event about it is stored.
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

/// Selects the distance of a user's activities in a month.
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

/// Resets the stored log positions of all activities, so that the next event of each counts, as the importer's log may
/// have been replaced.
package struct ForgetActivityPositions: Statement {
  package typealias Row = Void
  package static let sql = "update badge_activities set transaction_id = '0', event_id = 0 where transaction_id > '0'"

  package init() {}
}

// Made from calendar.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// A stored link to a user's calendar.
package struct StoredCalendarLink: Sendable, RowDecodable {
  package let id: CalendarLinkID
  package let createdAt: Instant

  package init(id: CalendarLinkID, createdAt: Instant) {
    self.id = id
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredCalendarLink {
    StoredCalendarLink(id: try row.next(), createdAt: try row.next())
  }
}

/// Stores a link to the calendar of a user whose row the transaction has locked; no row if the user has the most links.
package struct InsertCalendarLink: SingleRowStatement {
  package typealias Row = StoredCalendarLink
  package static let sql = """
    insert into calendar_links as link (id, user_id, place, token_hash, created_at)
    select $1, $2, free.place, $3, $4
    from generate_series(1, 10) as free (place)
    where not exists (select from calendar_links where user_id = $2 and calendar_links.place = free.place)
    order by free.place
    limit 1
    returning link.id, link.created_at
    """
  package let linkID: CalendarLinkID
  package let userID: UserID
  package let tokenHash: [UInt8]
  package let now: Instant

  package init(linkID: CalendarLinkID, userID: UserID, tokenHash: [UInt8], now: Instant) {
    self.linkID = linkID
    self.userID = userID
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(linkID)
    p.append(userID)
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredCalendarLink.decode(row)
  }
}

/// The links to a user's calendar, the newest first: there are 10 at most.
package struct CalendarLinksOf: Statement {
  package typealias Row = StoredCalendarLink
  package static let sql = """
    select link.id, link.created_at from calendar_links as link where link.user_id = $1 order by link.id desc
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredCalendarLink.decode(row)
  }
}

/// Removes one of a user's links; no row if it does not exist.
package struct DeleteCalendarLink: SingleRowStatement {
  package typealias Row = CalendarLinkID
  package static let sql = """
    delete from calendar_links where id = $1 and user_id = $2 returning id
    """
  package let linkID: CalendarLinkID
  package let userID: UserID

  package init(linkID: CalendarLinkID, userID: UserID) {
    self.linkID = linkID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(linkID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes the links to a user's calendar ([C-9]).
package struct DeleteCalendarLinksOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from calendar_links where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// The user whose calendar a link leads to.
package struct UserOfCalendar: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from calendar_links where token_hash = $1
    """
  package let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) {
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The end of the window of an address that has tried too often; no row if it has not.
package struct CalendarMissesOver: SingleRowStatement {
  package typealias Row = Instant
  package static let sql = """
    select window_ends_at from calendar_misses
    where address_hash = $1 and window_ends_at > $2 and misses >= $3
    """
  /// SHA-256 of the address.
  package let addressHash: [UInt8]
  package let now: Instant
  /// Attempts within the window.
  package let most: Int32

  package init(addressHash: [UInt8], now: Instant, most: Int32) {
    self.addressHash = addressHash
    self.now = now
    self.most = most
  }

  package func bind(_ p: inout Parameters) {
    p.append(addressHash)
    p.append(now)
    p.append(most)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Counts an attempt at an unknown link.
package struct CountCalendarMiss: Statement {
  package typealias Row = Void
  package static let sql = """
    with over as (
      delete from calendar_misses where address_hash in (
        select address_hash from calendar_misses where window_ends_at <= $1 and address_hash <> $2
        limit 10 for update skip locked
      )
    )
    insert into calendar_misses (address_hash, window_ends_at, misses) values ($2, $3, 1)
    on conflict on constraint calendar_misses_pkey do update
    set misses = case when calendar_misses.window_ends_at <= $1 then 1 else calendar_misses.misses + 1 end,
      window_ends_at = case
        when calendar_misses.window_ends_at <= $1 then $3 else calendar_misses.window_ends_at
      end
    """
  package let now: Instant
  /// SHA-256 of the address.
  package let addressHash: [UInt8]
  /// Of a window that begins now.
  package let windowEndsAt: Instant

  package init(now: Instant, addressHash: [UInt8], windowEndsAt: Instant) {
    self.now = now
    self.addressHash = addressHash
    self.windowEndsAt = windowEndsAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(addressHash)
    p.append(windowEndsAt)
  }
}

/// A user's sessions for a calendar, the latest first: those that take place or have taken place.
package struct CalendarSessions: Statement {
  package struct Row: Sendable {
    package let sessionID: SessionID
    package let startsAt: Instant
    package let endsAt: Instant
    package let updatedAt: Instant
    package let revision: Int32
    package let focus: Focus
    package let gymName: String
    /// Whether it has two participants.
    package let isMatched: Bool
  }

  package static let sql = """
    select
      sessions.id as session_id, sessions.starts_at, sessions.ends_at, sessions.updated_at, sessions.revision, sessions.focus,
      sessions.gym_name, sessions.state <> 'OPEN' as is_matched
    from participations as mine join sessions on sessions.id = mine.session_id
    where mine.user_id = $1 and mine.present and sessions.state in ('OPEN', 'MATCHED', 'SUCCESSFUL')
      and lower(mine.slot) > $2::timestamptz - interval '8 hours' and sessions.ends_at > $2
      and (sessions.state <> 'OPEN' or sessions.starts_at > $3)
    order by lower(mine.slot) desc, mine.session_id desc
    limit $4
    """
  package let userID: UserID
  /// Only sessions that end later.
  package let since: Instant
  package let now: Instant
  package let limit: Int64

  package init(userID: UserID, since: Instant, now: Instant, limit: Int64) {
    self.userID = userID
    self.since = since
    self.now = now
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(since)
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      sessionID: try row.next(), startsAt: try row.next(), endsAt: try row.next(), updatedAt: try row.next(),
      revision: try row.next(), focus: try row.next(), gymName: try row.next(), isMatched: try row.next())
  }
}

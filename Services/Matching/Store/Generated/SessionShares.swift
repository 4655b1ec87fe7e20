// Made from session_shares.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// A stored link to a session.
package struct StoredSessionShare: Sendable, RowDecodable {
  package let id: SessionShareID
  package let sessionID: SessionID
  package let createdAt: Instant

  package init(id: SessionShareID, sessionID: SessionID, createdAt: Instant) {
    self.id = id
    self.sessionID = sessionID
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredSessionShare {
    StoredSessionShare(id: try row.next(), sessionID: try row.next(), createdAt: try row.next())
  }
}

/// Stores a link to a session that the transaction has locked; no row if there are the most links.
package struct InsertSessionShare: SingleRowStatement {
  package typealias Row = StoredSessionShare
  package static let sql = """
    insert into session_shares as share (id, session_id, place, user_id, token_hash, created_at)
    select $1, $2, free.place, $3, $4, $5
    from generate_series(1, 20) as free (place)
    where not exists (
      select from session_shares where session_id = $2 and user_id = $3 and session_shares.place = free.place
    )
    order by free.place
    limit 1
    returning share.id, share.session_id, share.created_at
    """
  package let shareID: SessionShareID
  package let sessionID: SessionID
  package let userID: UserID
  package let tokenHash: [UInt8]
  package let now: Instant

  package init(shareID: SessionShareID, sessionID: SessionID, userID: UserID, tokenHash: [UInt8], now: Instant) {
    self.shareID = shareID
    self.sessionID = sessionID
    self.userID = userID
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(shareID)
    p.append(sessionID)
    p.append(userID)
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredSessionShare.decode(row)
  }
}

/// A user's links to a session, the newest first: there are 20 at most.
package struct SharesOfSession: Statement {
  package typealias Row = StoredSessionShare
  package static let sql = """
    select share.id, share.session_id, share.created_at from session_shares as share
    where share.session_id = $1 and share.user_id = $2
    order by share.id desc
    """
  package let sessionID: SessionID
  package let userID: UserID

  package init(sessionID: SessionID, userID: UserID) {
    self.sessionID = sessionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredSessionShare.decode(row)
  }
}

/// Removes one of a user's links; no row if it does not exist.
package struct DeleteSessionShare: SingleRowStatement {
  package typealias Row = SessionShareID
  package static let sql = """
    delete from session_shares where id = $1 and user_id = $2 returning id
    """
  package let shareID: SessionShareID
  package let userID: UserID

  package init(shareID: SessionShareID, userID: UserID) {
    self.shareID = shareID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(shareID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a user's links ([C-9]).
package struct DeleteSessionSharesOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from session_shares where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// The session that a link shares, as long as others can join it and it is that of the user who shares it.
package struct SharedSessionByToken: SingleRowStatement {
  package struct Row: Sendable {
    package let sessionID: SessionID
    package let startsAt: Instant
    package let endsAt: Instant
    package let gymName: String
    package let timeZone: String
    package let focus: Focus
    package let level: Level
    /// The start in the gym's zone, for people.
    package let localStart: String
    /// The time of the end in the gym's zone.
    package let localEnd: String
  }

  package static let sql = """
    select
      session.id as session_id, session.starts_at, session.ends_at, session.gym_name, session.time_zone, session.focus,
      session.level,
      to_char(session.starts_at at time zone session.time_zone, 'FMDay, FMDD FMMonth YYYY, HH24:MI') as local_start,
      to_char(session.ends_at at time zone session.time_zone, 'HH24:MI') as local_end
    from session_shares as share
    join sessions as session on session.id = share.session_id and session.owner_id = share.user_id
    where share.token_hash = $1 and session.state = 'OPEN' and session.starts_at > $2
    """
  package let tokenHash: [UInt8]
  package let now: Instant

  package init(tokenHash: [UInt8], now: Instant) {
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      sessionID: try row.next(), startsAt: try row.next(), endsAt: try row.next(), gymName: try row.next(),
      timeZone: try row.next(), focus: try row.next(), level: try row.next(), localStart: try row.next(),
      localEnd: try row.next())
  }
}

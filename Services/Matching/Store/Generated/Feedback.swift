// Made from feedback.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// Stores feedback and counts its rating ([MA-11]); fails with `feedback_once` where there is some. An author counts once for a
/// recipient, by the latest rating. The session changes for the author, who cannot give feedback on it again ([C-11]).
package struct InsertFeedback: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    with earlier as materialized (
      select rating from feedback where recipient_id = $1 and author_id = $2 order by id desc limit 1
    ), entry as (
      insert into feedback (id, session_id, author_id, recipient_id, rating, adjectives, remarks, given_at)
      values ($3, $4, $2, $1, $5, $6, $7, $8)
      returning session_id, author_id, recipient_id, rating
    ), told as (
      update participations set changed_in = pg_current_xact_id()
      from entry where participations.session_id = entry.session_id and participations.user_id = entry.author_id
    )
    update users
    set
      rating_count = rating_count + case when exists (select from earlier) then 0 else 1 end,
      rating_sum = rating_sum + entry.rating - coalesce((select rating from earlier), 0)
    from entry where users.id = entry.recipient_id
    returning 1 as stored
    """
  package let recipientID: UserID
  package let authorID: UserID
  package let feedbackID: FeedbackID
  package let sessionID: SessionID
  package let rating: Int16
  package let adjectives: [String]
  package let remarks: String
  package let now: Instant

  package init(
    recipientID: UserID, authorID: UserID, feedbackID: FeedbackID, sessionID: SessionID, rating: Int16,
    adjectives: [String], remarks: String, now: Instant) {
    self.recipientID = recipientID
    self.authorID = authorID
    self.feedbackID = feedbackID
    self.sessionID = sessionID
    self.rating = rating
    self.adjectives = adjectives
    self.remarks = remarks
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(recipientID)
    p.append(authorID)
    p.append(feedbackID)
    p.append(sessionID)
    p.append(rating)
    p.append(adjectives)
    p.append(remarks)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of the feedback that a user received, the newest first.
package struct FeedbackOnUser: Statement {
  package struct Row: Sendable {
    package let id: FeedbackID
    package let sessionID: SessionID
    package let authorID: UserID?
    /// Empty if it is not known.
    package let authorUsername: String
    package let rating: Int16
    package let adjectives: [String]
    package let remarks: String
    package let givenAt: Instant
  }

  package static let sql = """
    select
      feedback.id, feedback.session_id, feedback.author_id, coalesce(author.username, '') as author_username,
      feedback.rating, feedback.adjectives, feedback.remarks, feedback.given_at
    from feedback left join users as author on author.id = feedback.author_id
    where feedback.recipient_id = $1 and feedback.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by feedback.id desc limit $3
    """
  package let userID: UserID
  package let beforeFeedbackID: FeedbackID?
  package let limit: Int64

  package init(userID: UserID, beforeFeedbackID: FeedbackID?, limit: Int64) {
    self.userID = userID
    self.beforeFeedbackID = beforeFeedbackID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(beforeFeedbackID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), sessionID: try row.next(), authorID: try row.next(), authorUsername: try row.next(),
      rating: try row.next(), adjectives: try row.next(), remarks: try row.next(), givenAt: try row.next())
  }
}

/// Removes some of the feedback that a user received ([C-9]).
package struct DeleteFeedbackOnUser: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from feedback where id in (
      select id from feedback where recipient_id = $1 order by id limit $2
    ) returning true as removed
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes the author of some feedback, and the text, after the account deletion ([C-9]); the rating stays.
package struct ForgetFeedbackAuthor: Statement {
  package typealias Row = Bool
  package static let sql = """
    update feedback set author_id = null, remarks = '' where id in (
      select id from feedback where author_id = $1 order by id limit $2
    ) returning true as forgotten
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Whether one of two users has blocked the other ([C-10]).
package struct BlockBetween: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select exists (
      select from blocks
      where (blocker_id = $1::uuid and blocked_id = $2::uuid) or (blocker_id = $2::uuid and blocked_id = $1::uuid)
    ) as is_blocked
    """
  package let userID: UserID
  package let otherID: UserID

  package init(userID: UserID, otherID: UserID) {
    self.userID = userID
    self.otherID = otherID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(otherID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

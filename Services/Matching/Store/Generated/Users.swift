// Made from users.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// Locks the row of a user who posts, joins or cancels, before any session's: so a user's own requests wait for each other, and no account
/// deletion is stored until the transaction ends. No row for an unknown user.
package struct LockedMember: SingleRowStatement {
  package struct Row: Sendable {
    package let mayWrite: Bool
    package let gender: Gender?
    package let level: Level?
    /// The latest end of the bars in force; `nil` if the user is not barred.
    package let barEndsAt: Instant?
  }

  package static let sql = """
    select
      not deleted as may_write, gender, level,
      (select max(ends_at) from bars where bars.user_id = users.id and lifted_at is null and ends_at > $1) as bar_ends_at
    from users where id = $2
    for no key update of users
    """
  package let now: Instant
  package let userID: UserID

  package init(now: Instant, userID: UserID) {
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(mayWrite: try row.next(), gender: try row.next(), level: try row.next(), barEndsAt: try row.next())
  }
}

/// Locks the row of a user until the transaction ends, and reads nothing: what is read next is read once the lock is held.
package struct LockUser: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from users where id = $1 for no key update
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

/// Locks the rows of some users, in the order of ids, until the transaction ends.
package struct LockUsers: Statement {
  package typealias Row = UserID
  package static let sql = """
    select id from users where id = any($1::uuid[]) order by id for no key update
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks the rows of a session's participants, in the order of their ids, before the session's.
package struct LockParticipants: Statement {
  package typealias Row = UserID
  package static let sql = """
    select id from users
    where id in (select unnest(array[owner_id, partner_id]) from sessions where sessions.id = $1)
    order by id for no key update
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Creates the row of an unknown user.
package struct EnterUser: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id) values ($1) on conflict on constraint users_pkey do nothing
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// What is known of a user's profile; no row for an unknown user. One that must be looked up again counts as unknown.
package struct KnownProfile: SingleRowStatement {
  package struct Row: Sendable {
    package let deleted: Bool
    package let gender: Gender?
    package let level: Level?
    /// The latest end of the bars in force; `nil` if the user is not barred.
    package let barEndsAt: Instant?
  }

  package static let sql = """
    select
      deleted, case when profile_at > '-infinity' then gender end as gender,
      case when profile_at > '-infinity' then level end as level,
      (select max(ends_at) from bars where bars.user_id = users.id and lifted_at is null and ends_at > $1) as bar_ends_at
    from users where id = $2
    """
  package let now: Instant
  package let userID: UserID

  package init(now: Instant, userID: UserID) {
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(deleted: try row.next(), gender: try row.next(), level: try row.next(), barEndsAt: try row.next())
  }
}

/// Stores what matching needs of profiles, each user at most once; an older state does not replace a newer one.
package struct PutProfiles: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id, gender, level, profile_at)
    select id, gender, level, profile_at
    from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])
      as reported (id, gender, level, profile_at)
    order by id
    on conflict on constraint users_pkey do update
    set gender = excluded.gender, level = excluded.level, profile_at = excluded.profile_at
    where not users.deleted and (users.profile_at is null or users.profile_at < excluded.profile_at)
    """
  package let userIDs: [UserID]
  package let genders: [Gender]
  package let levels: [Level]
  package let times: [Instant]

  package init(userIDs: [UserID], genders: [Gender], levels: [Level], times: [Instant]) {
    self.userIDs = userIDs
    self.genders = genders
    self.levels = levels
    self.times = times
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(genders)
    p.append(levels)
    p.append(times)
  }
}

/// Makes some profiles be looked up again, after events about profiles were missed, in the order of their users' ids; returns the last of these users,
/// or no row after the last of all. What was known stays until then, for repetitions, offers of places and saved searches, which ask nobody.
package struct ForgetProfiles: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    with looked_at as materialized (
      select id from users where id > $1::uuid order by id limit $2 for no key update
    ), forgotten as (
      update users set profile_at = '-infinity' from looked_at
      where users.id = looked_at.id and users.profile_at > '-infinity'
    )
    select id from looked_at order by id desc limit 1
    """
  /// The last user of the previous run.
  package let afterUserID: UserID
  package let limit: Int64

  package init(afterUserID: UserID, limit: Int64) {
    self.afterUserID = afterUserID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(afterUserID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// How much is stored of a user for sessions to come, as it is counted before more is stored.
package struct StorageOfUser: SingleRowStatement {
  package struct Row: Sendable {
    package let openPosts: Int64
    package let savedSearches: Int64
    package let repetitions: Int64
    package let waitingLists: Int64
  }

  package static let sql = """
    select
      (select count(*) from sessions where owner_id = $1 and state = 'OPEN' and starts_at > $2) as open_posts,
      (select count(*) from saved_searches where user_id = $1) as saved_searches,
      (select count(*) from repetitions where user_id = $1) as repetitions,
      (select count(*) from waiting_list where user_id = $1 and starts_at > $2) as waiting_lists
    """
  package let userID: UserID
  package let now: Instant

  package init(userID: UserID, now: Instant) {
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      openPosts: try row.next(), savedSearches: try row.next(), repetitions: try row.next(),
      waitingLists: try row.next())
  }
}

/// Marks a user's account as deleted ([C-9]). Only the id stays, with the mark that sessions and feedback must be cleaned up.
package struct MarkAccountDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id, deleted, cleaned_up) values ($1, true, false)
    on conflict on constraint users_pkey do update
    set
      username = '', deleted = true, cleaned_up = false, gender = null, level = null, profile_at = null, rating_count = 0,
      rating_sum = 0, attended = 0, missed = 0
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// A user who deleted the account and is not cleaned up yet, locked before the sessions are; no row if there is none. One by
/// chance, so that none waits for ever behind one whose cleanup fails.
package struct UserToCleanUp: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from users where not cleaned_up order by random() limit 1 for no key update
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Marks the cleanup of a user who deleted the account as finished.
package struct MarkCleanedUp: Statement {
  package typealias Row = Void
  package static let sql = """
    update users set cleaned_up = true where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// A user's reputation ([MA-11]); no row for an unknown user.
package struct MatchingProfileOf: SingleRowStatement {
  package struct Row: Sendable {
    package let username: String
    package let deleted: Bool
    package let ratingCount: Int64
    package let ratingSum: Int64
    package let attended: Int64
    package let missed: Int64
    /// Whether one of user and viewer has blocked the other.
    package let isBlocked: Bool
  }

  package static let sql = """
    select
      username, deleted, rating_count, rating_sum, attended, missed,
      exists (
      select from blocks
      where (blocker_id = $1::uuid and blocked_id = $2::uuid) or (blocker_id = $2::uuid and blocked_id = $1::uuid)
    ) as is_blocked
    from users where id = $1
    """
  package let userID: UserID
  package let viewerID: UserID

  package init(userID: UserID, viewerID: UserID) {
    self.userID = userID
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      username: try row.next(), deleted: try row.next(), ratingCount: try row.next(), ratingSum: try row.next(),
      attended: try row.next(), missed: try row.next(), isBlocked: try row.next())
  }
}

/// How often each adjective was given to a user, the most frequent first.
package struct AdjectivesOf: Statement {
  package struct Row: Sendable {
    package let word: String
    package let count: Int64
  }

  package static let sql = """
    select word as word, count(*) as count
    from feedback cross join lateral unnest(adjectives) as given (word)
    where recipient_id = $1
    group by word order by count(*) desc, word
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(word: try row.next(), count: try row.next())
  }
}

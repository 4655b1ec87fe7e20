// Made from profiles.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// The columns of a row of profiles and its account.
package struct ProfileColumns: Sendable {
  package let userID: UserID
  package let username: String
  package let email: String
  package let gender: Gender?
  package let dateOfBirth: DateOfBirth?
  package let level: Level?
  package let interests: [Interest]
  package let strengths: [Strength]
  package let timeZone: TimeZoneName
  /// Empty if the user has not set one.
  package let phone: String
  package let contactVisibility: ContactVisibility
  package let revision: Int64
  package let createdAt: Instant
  package let updatedAt: Instant
  /// The date in the user's zone, by which others see an age.
  package let today: CivilDate
  package let badgeKinds: [String]
  package let badgeTimes: [Instant]
  package let pictureID: PictureID?

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ProfileColumns {
    ProfileColumns(
      userID: try row.next(), username: try row.next(), email: try row.next(), gender: try row.next(),
      dateOfBirth: try row.next(), level: try row.next(), interests: try row.next(), strengths: try row.next(),
      timeZone: try row.next(), phone: try row.next(), contactVisibility: try row.next(), revision: try row.next(),
      createdAt: try row.next(), updatedAt: try row.next(), today: try row.next(), badgeKinds: try row.next(),
      badgeTimes: try row.next(), pictureID: try row.next())
  }
}

/// The profile of the user with a username ([ID-24]), unless one of the user and the viewer has blocked the other
/// ([C-10]).
package struct ProfileByUsername: SingleRowStatement {
  package struct Row: Sendable {
    package let profile: StoredProfile
    /// Whether the viewer shares a group with the owner.
    package let isOfFellow: Bool
  }

  package static let sql = """
    select accounts.id as user_id, accounts.username, accounts.email, gender, date_of_birth, level, interests, strengths,
    time_zone, phone, contact_visibility, revision, created_at, updated_at, day_of_badge($1, time_zone) as today,
    array(
      select badges.kind from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_kinds, array(
      select badges.awarded_at from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_times,
    (select pictures.id from pictures where pictures.holder_id = accounts.id) as picture_id, exists (
      select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
      where own.account_id = $2 and theirs.account_id = accounts.id
    ) as is_of_fellow
    from accounts join profiles on profiles.account_id = accounts.id
    where lower(accounts.username) collate "C" = $3 and not exists (
      select from blocks where (blocker_id = accounts.id and blocked_id = $2)
        or (blocker_id = $2 and blocked_id = accounts.id)
    )
    """
  package let now: Instant
  package let viewerID: UserID
  package let usernameKey: String

  package init(now: Instant, viewerID: UserID, usernameKey: String) {
    self.now = now
    self.viewerID = viewerID
    self.usernameKey = usernameKey
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(viewerID)
    p.append(usernameKey)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(profile: try StoredProfile(ProfileColumns.decode(row)), isOfFellow: try row.next())
  }
}

/// A page of the profiles whose usernames begin with a text, in their order, without those hidden from the viewer by a
/// block ([C-10]).
package struct ProfilesByPrefix: Statement {
  package struct Row: Sendable {
    package let profile: StoredProfile
    /// Whether the viewer shares a group with the owner.
    package let isOfFellow: Bool
  }

  package static let pace = Pace.slow
  package static let sql = """
    select accounts.id as user_id, accounts.username, accounts.email, gender, date_of_birth, level, interests, strengths,
    time_zone, phone, contact_visibility, revision, created_at, updated_at, day_of_badge($1, time_zone) as today,
    array(
      select badges.kind from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_kinds, array(
      select badges.awarded_at from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_times,
    (select pictures.id from pictures where pictures.holder_id = accounts.id) as picture_id, exists (
      select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
      where own.account_id = $2 and theirs.account_id = accounts.id
    ) as is_of_fellow
    from accounts join profiles on profiles.account_id = accounts.id
    where lower(accounts.username) collate "C" >= $3 and lower(accounts.username) collate "C" < $3 || '{'
      and lower(accounts.username) collate "C" > $4 and not exists (
      select from blocks where (blocker_id = accounts.id and blocked_id = $2)
        or (blocker_id = $2 and blocked_id = accounts.id)
    )
    order by lower(accounts.username) collate "C" limit $5
    """
  package let now: Instant
  package let viewerID: UserID
  package let prefix: String
  /// The last username of the previous page, in lower case; empty for the first page.
  package let after: String
  package let limit: Int64

  package init(now: Instant, viewerID: UserID, prefix: String, after: String, limit: Int64) {
    self.now = now
    self.viewerID = viewerID
    self.prefix = prefix
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(viewerID)
    p.append(prefix)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(profile: try StoredProfile(ProfileColumns.decode(row)), isOfFellow: try row.next())
  }
}

/// Locks a user's own profile for a change of it or of what follows from it, and reads nothing.
package struct LockProfile: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select account_id as user_id from profiles where account_id = $1 for update
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

/// A user's own profile, which is locked for a change.
package struct LockedProfile: SingleRowStatement {
  package typealias Row = StoredProfile
  package static let sql = """
    select accounts.id as user_id, accounts.username, accounts.email, gender, date_of_birth, level, interests, strengths,
    time_zone, phone, contact_visibility, revision, created_at, updated_at, day_of_badge($1, time_zone) as today,
    array(
      select badges.kind from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_kinds, array(
      select badges.awarded_at from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_times,
    (select pictures.id from pictures where pictures.holder_id = accounts.id) as picture_id from profiles join accounts on accounts.id = profiles.account_id
    where profiles.account_id = $2
    for update of profiles
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
    try StoredProfile(ProfileColumns.decode(row))
  }
}

/// Replaces the fields of a profile that the transaction has locked, and increments its revision.
package struct ReplaceProfile: SingleRowStatement {
  package typealias Row = StoredProfile
  package static let sql = """
    update profiles
    set gender = $1, date_of_birth = $2, level = $3, interests = $4, strengths = $5,
      time_zone = $6, phone = $7, contact_visibility = $8, updated_at = $9,
      revision = revision + 1
    from accounts
    where profiles.account_id = $10 and accounts.id = profiles.account_id
    returning accounts.id as user_id, accounts.username, accounts.email, gender, date_of_birth, level, interests, strengths,
    time_zone, phone, contact_visibility, revision, created_at, updated_at, day_of_badge($9, time_zone) as today,
    array(
      select badges.kind from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_kinds, array(
      select badges.awarded_at from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_times,
    (select pictures.id from pictures where pictures.holder_id = accounts.id) as picture_id
    """
  /// `nil` without a gym part, as are date of birth and level.
  package let gender: Gender?
  package let dateOfBirth: DateOfBirth?
  package let level: Level?
  package let interests: [Interest]
  package let strengths: [Strength]
  package let timeZone: TimeZoneName
  package let phone: String
  package let contactVisibility: ContactVisibility
  package let now: Instant
  package let userID: UserID

  package init(
    gender: Gender?, dateOfBirth: DateOfBirth?, level: Level?, interests: [Interest], strengths: [Strength],
    timeZone: TimeZoneName, phone: String, contactVisibility: ContactVisibility, now: Instant, userID: UserID) {
    self.gender = gender
    self.dateOfBirth = dateOfBirth
    self.level = level
    self.interests = interests
    self.strengths = strengths
    self.timeZone = timeZone
    self.phone = phone
    self.contactVisibility = contactVisibility
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(gender)
    p.append(dateOfBirth)
    p.append(level)
    p.append(interests)
    p.append(strengths)
    p.append(timeZone)
    p.append(phone)
    p.append(contactVisibility)
    p.append(now)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredProfile(ProfileColumns.decode(row))
  }
}

/// The time zone of a user's own profile.
package struct TimeZoneOfProfile: SingleRowStatement {
  package typealias Row = TimeZoneName
  package static let sql = """
    select time_zone from profiles where account_id = $1
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

/// The names of all IANA time zones that the database knows.
///
/// Takes a third of a second, because the server reads a file for each: use it seldom.
package struct TimeZoneNames: Statement {
  package typealias Row = String
  package static let pace = Pace.slow
  package static let sql = """
    select name as name from pg_timezone_names where name !~ '^(posix|posixrules|localtime|Factory)'
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The current date in a time zone that the database knows.
package struct DayInZone: SingleRowStatement {
  package typealias Row = CivilDate
  package static let sql = """
    select ($1::timestamptz at time zone $2)::date as day
    """
  package let now: Instant
  package let timeZone: TimeZoneName

  package init(now: Instant, timeZone: TimeZoneName) {
    self.now = now
    self.timeZone = timeZone
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(timeZone)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// What training sessions are matched by, of those of some users whose profiles have a gym part ([MA-3], [ID-20]).
package struct TraitsOfUsers: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let gender: Gender
    package let level: Level
    package let updatedAt: Instant
  }

  package static let sql = """
    select account_id as user_id, gender as gender, level as level, updated_at from profiles
    where account_id = any($1::uuid[]) and gender is not null
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), gender: try row.next(), level: try row.next(), updatedAt: try row.next())
  }
}

import IdentityDomain
import Identifiers
import Pictures
import Postgres

/// The fields of a profile that its owner sets.
package struct ProfileFields: Sendable, Equatable {
  package var gender: Gender
  package var dateOfBirth: DateOfBirth
  package var level: Level
  package var interests: [Interest]
  package var strengths: [Strength]
  package var timeZone: TimeZoneName
  /// `nil` if the user has not set one.
  package var phone: PhoneNumber?
  package var contactVisibility: ContactVisibility

  package init(
    gender: Gender, dateOfBirth: DateOfBirth, level: Level, interests: [Interest], strengths: [Strength],
    timeZone: TimeZoneName, phone: PhoneNumber?, contactVisibility: ContactVisibility
  ) {
    self.gender = gender
    self.dateOfBirth = dateOfBirth
    self.level = level
    self.interests = interests
    self.strengths = strengths
    self.timeZone = timeZone
    self.phone = phone
    self.contactVisibility = contactVisibility
  }

  func bind(_ p: inout Parameters) {
    p.append(gender.rawValue)
    p.append(dateOfBirth.date)
    p.append(level.rawValue)
    p.append(interests.map(\.rawValue))
    p.append(strengths.map(\.rawValue))
    p.append(timeZone.description)
    p.append(phone?.description ?? "")
    p.append(contactVisibility.rawValue)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ProfileFields {
    ProfileFields(
      gender: try known(try row.next()), dateOfBirth: DateOfBirth(stored: try row.next()),
      level: try known(try row.next()), interests: try options(try row.next()), strengths: try options(try row.next()),
      timeZone: try zone(try row.next()), phone: PhoneNumber(try row.next() as String),
      contactVisibility: try known(try row.next()))
  }

  private static func zone(_ text: String) throws(ColumnError) -> TimeZoneName {
    guard let zone = TimeZoneName(text) else { throw ColumnError("\(text) is no time zone") }
    return zone
  }

  private static func known<Value: RawRepresentable<String>>(_ text: String) throws(ColumnError) -> Value {
    guard let value = Value(rawValue: text) else { throw ColumnError("there is no \(Value.self) called \(text)") }
    return value
  }

  private static func options<Option: ProfileOption>(_ ids: [String]) throws(ColumnError) -> [Option] {
    guard let options = Option.chosen(ids) else { throw ColumnError("one of \(ids) is no \(Option.self)") }
    return options
  }
}

/// A stored profile.
package struct StoredProfile: RowDecodable, Equatable {
  package let userID: UserID
  package let username: String
  /// The account's verified address.
  package let email: String
  package var fields: ProfileFields
  package let revision: Int64
  package let createdAt: Instant
  package let updatedAt: Instant
  /// Most recently awarded first.
  package let badges: [StoredBadge]
  /// `nil` without a picture.
  package let pictureID: PictureID?

  static let columns = """
    accounts.id, accounts.username, accounts.email, gender, date_of_birth, level, interests, strengths, time_zone, phone,
    contact_visibility, revision, created_at, updated_at, \(StoredBadge.listed("kind", of: "accounts.id")),
    \(StoredBadge.listed("awarded_at", of: "accounts.id")),
    (select pictures.id from pictures where pictures.holder_id = accounts.id)
    """

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredProfile {
    StoredProfile(
      userID: try row.next(), username: try row.next(), email: try row.next(),
      fields: try ProfileFields.decode(row),
      revision: try row.next(), createdAt: try row.next(), updatedAt: try row.next(),
      badges: StoredBadge.zipped(try row.next(), try row.next()), pictureID: try row.next())
  }
}

/// Adds a user's profile; returns no row when there is one.
package struct InsertProfile: Statement {
  package typealias Row = StoredProfile
  package static let sql = """
    with added as (
      insert into profiles
        (account_id, gender, date_of_birth, level, interests, strengths, time_zone, phone, contact_visibility,
          created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
      on conflict on constraint profiles_pkey do nothing
      returning *
    )
    select \(StoredProfile.columns) from added join accounts on accounts.id = added.account_id
    """
  let userID: UserID
  let fields: ProfileFields
  let now: Instant

  package init(_ fields: ProfileFields, of userID: UserID, now: Instant) {
    self.userID = userID
    self.fields = fields
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    fields.bind(&p)
    p.append(now)
  }
}

/// A profile as seen by a viewer.
package struct ViewedProfile: RowDecodable {
  package let profile: StoredProfile
  /// Whether the viewer shares a group with the owner.
  package let isOfFellow: Bool

  static let columns = """
    \(StoredProfile.columns), exists (
      select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
      where own.account_id = $1 and theirs.account_id = accounts.id
    )
    """

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ViewedProfile {
    ViewedProfile(profile: try StoredProfile.decode(row), isOfFellow: try row.next())
  }
}

/// Selects the profile of the user with a username ([ID-24]), unless one of the two has blocked the other ([C-10]).
package struct ProfileByUsername: Statement {
  package typealias Row = ViewedProfile
  package static let sql = """
    select \(ViewedProfile.columns) from accounts join profiles on profiles.account_id = accounts.id
    where lower(accounts.username) collate "C" = $2 and \(Visibility.sql("accounts.id", "$1"))
    """
  let viewer: UserID
  let username: Username

  package init(_ username: Username, to viewer: UserID) {
    self.username = username
    self.viewer = viewer
  }

  package func bind(_ p: inout Parameters) {
    p.append(viewer)
    p.append(username.key)
  }
}

/// Selects a page of the profiles whose usernames begin with a text, in their order, without those hidden from the
/// viewer by a block ([C-10]).
package struct ProfilesByPrefix: Statement {
  package static let pace = Pace.slow
  package typealias Row = ViewedProfile
  // A brace sorts after every character of a username.
  package static let sql = """
    select \(ViewedProfile.columns) from accounts join profiles on profiles.account_id = accounts.id
    where lower(accounts.username) collate "C" >= $2 and lower(accounts.username) collate "C" < $2 || '{'
      and lower(accounts.username) collate "C" > $3 and \(Visibility.sql("accounts.id", "$1"))
    order by lower(accounts.username) collate "C" limit $4
    """
  let viewer: UserID
  let prefix: UsernamePrefix
  let after: String
  let limit: Int64

  /// - Parameter after: the last username of the previous page, in lower case; empty for the first page.
  package init(_ prefix: UsernamePrefix, to viewer: UserID, after: String, limit: Int64) {
    self.prefix = prefix
    self.viewer = viewer
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(viewer)
    p.append(prefix.key)
    p.append(after)
    p.append(limit)
  }
}

/// Selects a user's own profile and locks it for a change.
package struct LockedProfile: Statement {
  package typealias Row = StoredProfile
  package static let sql = """
    select \(StoredProfile.columns) from profiles join accounts on accounts.id = profiles.account_id
    where profiles.account_id = $1
    for update of profiles
    """
  let userID: UserID

  package init(of userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Replaces the fields of a profile that the transaction has locked, and increments its revision.
package struct ReplaceProfile: Statement {
  package typealias Row = StoredProfile
  package static let sql = """
    update profiles
    set gender = $2, date_of_birth = $3, level = $4, interests = $5, strengths = $6, time_zone = $7, phone = $8,
      contact_visibility = $9, updated_at = $10, revision = revision + 1
    from accounts
    where profiles.account_id = $1 and accounts.id = profiles.account_id
    returning \(StoredProfile.columns)
    """
  let userID: UserID
  let fields: ProfileFields
  let now: Instant

  package init(_ fields: ProfileFields, of userID: UserID, now: Instant) {
    self.userID = userID
    self.fields = fields
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    fields.bind(&p)
    p.append(now)
  }
}

/// Selects the time zone of a user's own profile.
package struct TimeZoneOfProfile: Statement {
  package typealias Row = String
  package static let sql = "select time_zone from profiles where account_id = $1"
  let userID: UserID

  package init(of userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Selects the names of all IANA time zones that the database knows.
///
/// Takes a third of a second, because the server reads a file for each: use it seldom.
package struct TimeZoneNames: Statement {
  package static let pace = Pace.slow
  package typealias Row = String
  package static let sql = "select name from pg_timezone_names where name !~ '^(posix|posixrules|localtime|Factory)'"

  package init() {}
}

/// Selects the current date in a time zone that the database knows.
package struct DayInZone: Statement {
  package typealias Row = CivilDate
  package static let sql = "select ($1 at time zone $2)::date"
  let instant: Instant
  let zone: String

  package init(_ instant: Instant, zone: String) {
    self.instant = instant
    self.zone = zone
  }

  package func bind(_ p: inout Parameters) {
    p.append(instant)
    p.append(zone)
  }
}

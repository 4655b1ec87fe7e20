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
}

/// A stored profile.
package struct StoredProfile: Sendable, Equatable {
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

  init(_ columns: ProfileColumns) {
    userID = columns.userID
    username = columns.username
    email = columns.email
    // The options are listed in the order of all options, which a later version may change.
    fields = ProfileFields(
      gender: columns.gender, dateOfBirth: columns.dateOfBirth, level: columns.level,
      interests: Interest.allCases.filter(columns.interests.contains),
      strengths: Strength.allCases.filter(columns.strengths.contains), timeZone: columns.timeZone,
      phone: PhoneNumber(columns.phone), contactVisibility: columns.contactVisibility)
    revision = columns.revision
    createdAt = columns.createdAt
    updatedAt = columns.updatedAt
    badges = zip(columns.badgeKinds, columns.badgeTimes).map { StoredBadge(kind: $0, awardedAt: $1) }
    pictureID = columns.pictureID
  }
}

extension InsertProfile {
  package init(_ fields: ProfileFields, userID: UserID, now: Instant) {
    self.init(
      userID: userID, gender: fields.gender, dateOfBirth: fields.dateOfBirth, level: fields.level,
      interests: fields.interests, strengths: fields.strengths, timeZone: fields.timeZone,
      phone: fields.phone?.description ?? "", contactVisibility: fields.contactVisibility, now: now)
  }
}

extension ReplaceProfile {
  package init(_ fields: ProfileFields, userID: UserID, now: Instant) {
    self.init(
      gender: fields.gender, dateOfBirth: fields.dateOfBirth, level: fields.level, interests: fields.interests,
      strengths: fields.strengths, timeZone: fields.timeZone, phone: fields.phone?.description ?? "",
      contactVisibility: fields.contactVisibility, now: now, userID: userID)
  }
}

import IdentityDomain
import Identifiers
import Pictures
import Postgres

/// The fields of a profile that its owner sets.
package struct ProfileFields: Sendable, Equatable {
  /// `nil` until its owner creates it ([ID-20]).
  package var gym: GymProfile?
  package var timeZone: TimeZoneName
  /// `nil` if the user has not set one.
  package var phone: PhoneNumber?
  package var contactVisibility: ContactVisibility

  package init(
    gym: GymProfile?, timeZone: TimeZoneName, phone: PhoneNumber?, contactVisibility: ContactVisibility
  ) {
    self.gym = gym
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
  /// The date in the owner's zone when the profile was read.
  package let today: CivilDate
  /// Most recently awarded first.
  package let badges: [StoredBadge]
  /// `nil` without a picture.
  package let pictureID: PictureID?

  init(_ columns: ProfileColumns) {
    userID = columns.userID
    username = columns.username
    email = columns.email
    fields = ProfileFields(
      gym: GymProfile(columns), timeZone: columns.timeZone, phone: PhoneNumber(columns.phone),
      contactVisibility: columns.contactVisibility)
    revision = columns.revision
    createdAt = columns.createdAt
    updatedAt = columns.updatedAt
    today = columns.today
    badges = zip(columns.badgeKinds, columns.badgeTimes).map { StoredBadge(kind: $0, awardedAt: $1) }
    pictureID = columns.pictureID
  }
}

extension GymProfile {
  fileprivate init?(_ columns: ProfileColumns) {
    guard let gender = columns.gender, let dateOfBirth = columns.dateOfBirth, let level = columns.level else {
      return nil
    }
    // The options are listed in the order of all options, which a later version may change.
    self.init(
      gender: gender, dateOfBirth: dateOfBirth, level: level,
      interests: Interest.allCases.filter(columns.interests.contains),
      strengths: Strength.allCases.filter(columns.strengths.contains))
  }
}

extension ReplaceProfile {
  package init(_ fields: ProfileFields, userID: UserID, now: Instant) {
    self.init(
      gender: fields.gym?.gender, dateOfBirth: fields.gym?.dateOfBirth, level: fields.gym?.level,
      interests: fields.gym?.interests ?? [], strengths: fields.gym?.strengths ?? [], timeZone: fields.timeZone,
      phone: fields.phone?.description ?? "", contactVisibility: fields.contactVisibility, now: now, userID: userID)
  }
}

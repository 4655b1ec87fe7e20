import Timestamps
import struct GoogleType.Date
import IdentityDomain
import IdentityStore
import Identifiers
import TandemIdentity
import TandemNotification

extension Profile {
  /// The profile as `viewer` sees it: without the date of birth, which only its owner sees ([ID-20]), and without the
  /// contact information if its owner does not show it to them ([ID-23]).
  ///
  /// - Parameter isOfFellow: whether the viewer shares a group with the owner.
  init(_ stored: StoredProfile, isOfFellow: Bool, to viewer: UserID) {
    self.init(stored)
    if viewer != stored.userID { dateOfBirth = nil }
    let visibility = stored.fields.contactVisibility
    if !visibility.shows(to: viewer, of: stored.userID, sharesGroup: isOfFellow) { contact = nil }
  }

  /// The profile as its owner sees it.
  init(_ stored: StoredProfile) {
    let (fields, gym) = (stored.fields, stored.fields.gym)
    self.init(
      userID: stored.userID.description, username: stored.username, gender: gym?.gender.wire ?? .unspecified,
      dateOfBirth: gym.map { Date($0.dateOfBirth.date) }, level: gym?.level.wire ?? .unspecified,
      interests: gym?.interests.map(\.rawValue) ?? [], strengths: gym?.strengths.map(\.rawValue) ?? [],
      timeZone: fields.timeZone.description,
      contact: ContactInformation(
        email: stored.email, phone: fields.phone?.description ?? "", visibility: fields.contactVisibility.wire),
      etag: stored.etag,
      createTime: stored.createdAt.timestamp, updateTime: stored.updatedAt.timestamp,
      pictureEtag: stored.pictureID?.description ?? "",
      badges: stored.badges.map { TandemNotification.Badge($0) },
      age: Int32(gym?.dateOfBirth.age(on: stored.today) ?? 0), hasGymProfile: gym != nil)
  }
}

extension Date {
  fileprivate init(_ date: CivilDate) {
    self.init(year: Int32(date.year), month: Int32(date.month), day: Int32(date.day))
  }
}

extension StoredProfile {
  /// Changes with every update ([C-11]).
  var etag: String { "\(revision)" }
}

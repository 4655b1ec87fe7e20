import FieldMasks
import FieldViolations
import Identifiers
import IdentityDomain
import IdentityStore
import TandemIdentity

/// Validated new values for some fields of a profile.
struct ProfileChange: Sendable {
  /// A field that its owner may change.
  enum Field: String, MaskedField {
    case gender
    case dateOfBirth = "date_of_birth"
    case level
    case interests
    case strengths
    case timeZone = "time_zone"
    case phone = "contact.phone"
    case contactVisibility = "contact.visibility"

    /// Whether it is in the part that only matching needs ([ID-20]).
    var isOfGymPart: Bool {
      switch self {
      case .gender, .dateOfBirth, .level, .interests, .strengths: true
      case .timeZone, .phone, .contactVisibility: false
      }
    }
  }

  private var gender: IdentityDomain.Gender?
  private var dateOfBirth: DateOfBirth?
  private var level: IdentityDomain.Level?
  private var interests: [Interest]?
  private var strengths: [Strength]?
  private var timeZone: TimeZoneName?
  private var phone: PhoneNumber??
  /// `nil` if the request does not set it: restricted contact information must not become public because a client does
  /// not know the field.
  private var contactVisibility: IdentityDomain.ContactVisibility?

  /// Reads the `named` fields of `profile` and adds a violation for each invalid one.
  ///
  /// - Parameters:
  ///   - today: the current date in the zone of the profile's owner.
  ///   - zone: the profile's zone; `nil` if it is unknown.
  init(
    _ named: Set<Field>, of profile: Profile, zone: TimeZoneName?, today: CivilDate, _ fields: inout Violations
  ) {
    func bad(_ field: Field, _ description: String, _ reason: IdentityReason) {
      fields.add("profile.\(field.rawValue)", description, reason)
    }
    for field in Field.allCases where named.contains(field) {
      switch field {
      case .gender:
        gender = IdentityDomain.Gender(profile.gender)
        if gender == nil { bad(field, "Please choose a gender", IdentityReason.genderRequired) }
      case .dateOfBirth:
        let date = profile.dateOfBirth ?? .init()
        dateOfBirth = DateOfBirth(year: Int(date.year), month: Int(date.month), day: Int(date.day), today: today)
        if dateOfBirth == nil { bad(field, DateOfBirth.refusal, IdentityReason.dateOfBirthInvalid) }
      case .level:
        level = IdentityDomain.Level(profile.level)
        if level == nil { bad(field, "Please choose a level of experience", IdentityReason.levelRequired) }
      case .interests:
        interests = Interest.chosen(profile.interests)
        if interests == nil { bad(field, "One of the interests is not in the list", IdentityReason.interestUnknown) }
      case .strengths:
        strengths = Strength.chosen(profile.strengths)
        if strengths == nil { bad(field, "One of the strengths is not in the list", IdentityReason.strengthUnknown) }
      case .timeZone:
        timeZone = zone
        if zone == nil { bad(field, TimeZoneName.refusal, IdentityReason.timeZoneInvalid) }
      case .phone:
        let text = profile.contact?.phone ?? ""
        phone = .some(PhoneNumber(text))
        if PhoneNumber(text) == nil, !text.isEmpty { bad(field, PhoneNumber.refusal, IdentityReason.phoneInvalid) }
      case .contactVisibility:
        contactVisibility = profile.contact.flatMap { IdentityDomain.ContactVisibility($0.visibility) }
      }
    }
  }

  /// A gym part of the new values alone; `nil` unless every required field has one.
  var wholeGymPart: GymProfile? {
    guard let gender, let dateOfBirth, let level, let interests, let strengths else { return nil }
    return GymProfile(
      gender: gender, dateOfBirth: dateOfBirth, level: level, interests: interests, strengths: strengths)
  }

  /// `fields` with the new values ([ID-22]). What is new in a gym part that does not exist is left out.
  func applied(to fields: ProfileFields) -> ProfileFields {
    let gym = fields.gym.map { old in
      GymProfile(
        gender: gender ?? old.gender, dateOfBirth: dateOfBirth ?? old.dateOfBirth, level: level ?? old.level,
        interests: interests ?? old.interests, strengths: strengths ?? old.strengths)
    }
    return ProfileFields(
      gym: gym, timeZone: timeZone ?? fields.timeZone, phone: phone ?? fields.phone,
      contactVisibility: contactVisibility ?? fields.contactVisibility)
  }
}

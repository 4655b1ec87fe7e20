import FieldMasks
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity

extension Profiles {
  /// Changes the fields of the caller's profile that the mask names, and no others ([ID-22]).
  package func updateProfile(_ call: UpdateProfileRequest, _ context: CallContext) async throws -> Profile {
    let owner = try context.userID
    let new = call.profile ?? Profile()
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = namedFields(call, owner, &bad)
    let zone = named.contains(.timeZone) ? try timeZones.zone(new.timeZone) : nil
    let today = try await today(for: owner, named, zone)
    let change = ProfileChange(named, of: new, zone: zone, today: today, &bad)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      // No profile: the account was deleted after the token was checked.
      guard let stored = try await tx.first(LockedProfile(now: clock.now, userID: owner)) else {
        throw Status.notAUser
      }
      guard new.etag.isEmpty || new.etag == stored.etag else { throw Status.etagMismatch }
      if stored.fields.gym == nil, named.contains(where: \.isOfGymPart) { throw Status.gymProfileMissing }
      let fields = change.applied(to: stored.fields)
      let before = stored.fields
      if fields.gym?.dateOfBirth != before.gym?.dateOfBirth || fields.timeZone != before.timeZone {
        try await requireBorn(fields, in: tx)
      }
      return try await replace(stored, by: fields, tx)
    }
  }

  /// Checks the date of birth in the zone as both will be stored: either may have been changed since the request was
  /// read. A date that has become over 120 years old does not keep its owner from moving.
  func requireBorn(_ fields: ProfileFields, in tx: Transaction) async throws {
    guard let gym = fields.gym,
      let today = try await tx.first(DayInZone(now: clock.now, timeZone: fields.timeZone)), gym.dateOfBirth.date > today
    else { return }
    throw BadFields("profile.date_of_birth", DateOfBirth.refusal, IdentityReason.dateOfBirthInvalid)
  }

  /// The date against which a new date of birth is checked: in the zone of the request, otherwise in the profile's.
  func today(
    for owner: UserID, _ named: Set<ProfileChange.Field>, _ zone: TimeZoneName?
  ) async throws -> CivilDate {
    guard zone == nil, named.contains(.dateOfBirth) else { return try await timeZones.day(at: clock.now, in: zone) }
    let own = try await database.first(TimeZoneOfProfile(userID: owner))
    return try await timeZones.day(at: clock.now, in: own)
  }

  /// The fields in the mask; without a mask, those with a value.
  private func namedFields(
    _ call: UpdateProfileRequest, _ owner: UserID, _ bad: inout Violations
  ) -> Set<ProfileChange.Field> {
    let new = call.profile ?? Profile()
    if !new.userID.isEmpty, UserID(new.userID) != owner {
      bad.add("profile.user_id", "Only your own profile can be changed", IdentityReason.fieldImmutable)
    }
    return bad.fields(
      named: call.updateMask, immutable: Self.immutablePaths, otherwise: Set(new.fieldsWithValues))
  }

  private static let immutablePaths: Set<String> = [
    "user_id", "username", "contact.email", "etag", "create_time", "update_time", "picture_etag", "badges", "age",
    "has_gym_profile",
  ]
}

extension Profile {
  /// The fields that an update without a mask changes.
  var fieldsWithValues: [ProfileChange.Field] {
    ProfileChange.Field.allCases.filter { field in
      switch field {
      case .gender: gender != .unspecified
      case .dateOfBirth: dateOfBirth != nil
      case .level: level != .unspecified
      case .interests: !interests.isEmpty
      case .strengths: !strengths.isEmpty
      case .timeZone: !timeZone.isEmpty
      case .phone: contact?.phone.isEmpty == false
      case .contactVisibility: contact.map { $0.visibility != .unspecified } ?? false
      }
    }
  }
}

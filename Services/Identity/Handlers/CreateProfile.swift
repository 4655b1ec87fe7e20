import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TandemIdentity
import TTRPC

extension Profiles {
  /// Creates the caller's profile ([ID-20]).
  package func createProfile(_ call: CreateProfileRequest, _ context: CallContext) async throws -> Profile {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let wanted = try await fields(of: call.profile ?? Profile(), &bad)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      guard let stored = try await insert(InsertProfile(wanted, userID: owner, now: clock.now), tx) else {
        throw Status.profileExists
      }
      try await publishTraits(of: owner, wanted, tx)
      return Profile(stored)
    }
  }

  private func insert(_ profile: InsertProfile, _ tx: Transaction) async throws -> InsertProfile.Row? {
    do { return try await tx.first(profile) } catch let error as PostgresError
      where error.constraint == "profiles_account_fkey"
    {
      // The account was deleted after the token was checked.
      throw Status.notAUser
    }
  }

  /// Validates every field of a new profile.
  private func fields(of profile: Profile, _ bad: inout Violations) async throws -> ProfileFields {
    let zone = try timeZones.zone(profile.timeZone)
    let today = try await timeZones.day(at: clock.now, in: zone)
    let change = ProfileChange(Set(ProfileChange.Field.allCases), of: profile, zone: zone, today: today, &bad)
    try bad.check()
    guard let whole = change.whole else { preconditionFailure("a field that is missing was not noted") }
    return whole
  }
}

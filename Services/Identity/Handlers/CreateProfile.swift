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
  /// Creates the gym part of the caller's profile, and changes what else the request has values for ([ID-20]).
  package func createProfile(_ call: CreateProfileRequest, _ context: CallContext) async throws -> Profile {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let change = try await change(by: call.profile ?? Profile(), of: owner, &bad)
    guard let gym = change.wholeGymPart else { preconditionFailure("a field that is missing was not noted") }
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      // No profile: the account was deleted after the token was checked.
      guard let stored = try await tx.first(LockedProfile(now: clock.now, userID: owner)) else {
        throw Status.notAUser
      }
      guard stored.fields.gym == nil else { throw Status.gymProfileExists }
      var fields = change.applied(to: stored.fields)
      fields.gym = gym
      // The zone may have been changed since the request was read.
      try await requireBorn(fields, in: tx)
      return try await replace(stored, by: fields, tx)
    }
  }

  /// Validates every field of the gym part, and what else has a value.
  private func change(
    by profile: Profile, of owner: UserID, _ bad: inout Violations
  ) async throws -> ProfileChange {
    let named = Set(ProfileChange.Field.allCases.filter(\.isOfGymPart)).union(profile.fieldsWithValues)
    let zone = try timeZones.zone(profile.timeZone)
    let change = ProfileChange(
      named, of: profile, zone: zone, today: try await today(for: owner, named, zone), &bad)
    try bad.check()
    return change
  }
}

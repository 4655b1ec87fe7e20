import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity

extension FederatedLogins {
  /// Unlinks an identity from the caller's account, unless no login method would be left ([ID-12]).
  package func unlinkIdentity(
    _ call: UnlinkIdentityRequest, _ context: CallContext
  ) async throws -> UnlinkIdentityResponse {
    let account = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      // The account is locked, so that two concurrent removals cannot each rely on the method that the other removes.
      guard let owner = try await tx.first(LockedAccount(userID: account)) else { throw Status.notAUser }
      try await recentAuthentication.require(context, in: tx)
      let identities = try await tx.rows(IdentitiesOf(userID: account))
      guard let identity = identities.first(where: { $0.id.description == call.id.lowercased() }) else {
        throw Status.identityNotFound
      }
      try await tx.execute(DeleteIdentity(identityID: identity.id, userID: account))
      try await loginMethods.requireOne(of: owner, in: tx)
      try await log.note(
        .identityUnlinked, of: account, session: try context.loginSessionID, by: context.origin, in: tx)
      try await securityMail.send(.identityUnlinked, to: account, by: context.origin, about: name(of: identity), in: tx)
      return UnlinkIdentityResponse()
    }
  }
}

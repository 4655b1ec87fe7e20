import FieldViolations
import Idempotency
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity

extension Passkeys {
  /// Removes one of the caller's passkeys ([ID-11]).
  package func deletePasskey(_ call: DeletePasskeyRequest, _ context: CallContext) async throws -> DeletePasskeyResponse
  {
    let account = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      // The account first, as whoever deletes it does; locked, so that two do not each take the other for the way that is left.
      guard let owner = try await tx.first(LockedAccount(account)) else { throw Status.notAUser }
      try await recentAuthentication.require(context, in: tx)
      guard let id = PasskeyID(call.id), try await tx.first(DeletePasskeyRow(id, of: account)) != nil else {
        throw Status.passkeyNotFound
      }
      try await loginMethods.requireOne(of: owner, in: tx)
      try await log.note(.passkeyRemoved, of: account, by: context, in: tx)
      return DeletePasskeyResponse()
    }
  }
}

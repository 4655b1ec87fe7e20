import FieldViolations
import Idempotency
import IdentityDomain
import IdentityOperations
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
      // The account is locked first, as in its deletion, so that two concurrent removals cannot each rely on the login
      // method that the other removes.
      guard let owner = try await tx.first(LockedAccount(userID: account)) else { throw Status.notAUser }
      try await recentAuthentication.require(context, in: tx)
      guard let id = PasskeyID(call.id),
        let name = try await tx.first(DeletePasskeyRow(passkeyID: id, userID: account))
      else { throw Status.passkeyNotFound }
      try await loginMethods.requireOne(of: owner, in: tx)
      try await log.note(.passkeyRemoved, of: account, by: context.origin, in: tx)
      try await securityMail.send(.passkeyRemoved, to: account, by: context.origin, about: name, in: tx)
      return DeletePasskeyResponse()
    }
  }
}

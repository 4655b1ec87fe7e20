import FieldViolations
import Idempotency
import IdentityStore
import TTRPC
import TandemIdentity

extension Passkeys {
  /// Removes one of the caller's passkeys ([ID-11]).
  package func deletePasskey(_ call: DeletePasskeyRequest, _ context: CallContext) async throws -> DeletePasskeyResponse
  {
    let account = try context.accountID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    return try await replays.once(call, context.requestKey(requestID)) { tx in
      // The account first, as whoever deletes it does.
      guard try await tx.first(HoldAccount(account)) != nil else { throw Status.notAUser }
      guard let id = PasskeyID(call.id), try await tx.first(DeletePasskeyRow(id, of: account)) != nil else {
        throw Status.passkeyNotFound
      }
      try await log.note(.passkeyRemoved, of: account, by: context, in: tx)
      return DeletePasskeyResponse()
    }
  }
}

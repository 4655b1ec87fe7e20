import FieldViolations
import Idempotency
import IdentityOperations
import TTRPC
import TandemIdentity

extension Operators {
  /// Creates a signing key that takes over soon; tokens of the old key stay valid until they expire.
  package func rotateSigningKey(
    _ call: RotateSigningKeyRequest, _ context: CallContext
  ) async throws -> RotateSigningKeyResponse {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let answer = try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      RotateSigningKeyResponse(key: VerificationKey(try await keyring.rotate(by: context.origin, in: tx)))
    }
    // Publishes the key at this replica at once; the others find it at their next lookup.
    try await keyring.look()
    return answer
  }
}

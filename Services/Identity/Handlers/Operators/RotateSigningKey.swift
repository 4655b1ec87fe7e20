import FieldViolations
import Idempotency
import TTRPC
import TandemIdentity

extension Operators {
  /// Has a new key sign access tokens soon; tokens of the old one stay good for as long as they live.
  package func rotateSigningKey(
    _ call: RotateSigningKeyRequest, _ context: CallContext
  ) async throws -> RotateSigningKeyResponse {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let answer = try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      RotateSigningKeyResponse(key: VerificationKey(try await keyring.rotate(by: context, in: tx)))
    }
    // Published here at once, by the other replicas when they look next.
    try await keyring.look()
    return answer
  }
}

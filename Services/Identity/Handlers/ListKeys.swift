import IdentityOperations
import TTRPC
import TandemIdentity
import Timestamps

extension Accounts {
  /// Returns the public keys by which access tokens can be verified.
  package func listKeys(_ call: ListKeysRequest, _ context: CallContext) async throws -> ListKeysResponse {
    ListKeysResponse(keys: try tokens.keys().published.map { VerificationKey($0) })
  }
}

extension VerificationKey {
  /// The key as verifiers see it.
  init(_ key: PublishedKey) {
    self.init(
      keyID: key.id, algorithm: "EdDSA", publicKey: key.publicKey, createTime: key.signsFrom.timestamp,
      expireTime: key.worksUntil?.timestamp)
  }
}

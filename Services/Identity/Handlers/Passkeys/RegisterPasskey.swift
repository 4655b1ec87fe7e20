import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityPasskeys
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import VisibleText

extension Passkeys {
  /// Adds a new passkey to the caller's account ([ID-11]).
  package func registerPasskey(_ call: RegisterPasskeyRequest, _ context: CallContext) async throws -> Passkey {
    let account = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let label = bad.require("name", DeviceLabel.read(call.name), IdentityReason.passkeyNameInvalid)
    let name = try bad.all(label)
    let key = context.requestKey(requestID)
    if let first: Passkey = try await idempotency.firstAnswer(to: call, key) { return first }
    return try await ceremony(.registration, call.clientDataJson, of: account, refusedAs: .invalidArgument) { client in
      let made = try relyingParty.newCredential(client, attestationObject: call.attestationObject)
      return try await idempotency.execute(call, key) { tx in
        // The account is locked first, so that a session which ends at this moment adds no passkey afterwards.
        guard try await tx.first(LockedAccount(userID: account)) != nil else { throw Status.notAUser }
        try await recentAuthentication.require(context, in: tx)
        try await use(client.challenge, of: account, in: tx)
        let passkey = StoredPasskey(
          id: environment.newID(), userID: account, credentialID: made.credential.id,
          algorithm: made.credential.key.algorithm.rawValue, publicKey: made.credential.key.bytes,
          signCount: Int64(made.signCount), name: name.description, createdAt: environment.clock.now, lastUsedAt: nil)
        try await add(passkey, tx)
        try await log.note(.passkeyAdded, of: account, by: context.origin, in: tx)
        try await securityMail.send(.passkeyAdded, to: account, by: context.origin, about: passkey.name, in: tx)
        return Passkey(passkey)
      }
    }
  }

  private func add(_ passkey: StoredPasskey, _ tx: Transaction) async throws {
    // The account is locked, so that of two concurrent calls the later sees the effect of the earlier.
    guard try await tx.rows(PasskeysOf(userID: passkey.userID)).count < Self.maxOfAccount else {
      throw Status.tooManyPasskeys
    }
    guard try await tx.first(InsertPasskey(passkey)) != nil else { throw Status.passkeyExists }
  }
}

import ClientAddresses
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
  /// Starts a session for a user who proves possession of a passkey ([ID-5], [ID-11]).
  package func loginWithPasskey(_ call: LoginWithPasskeyRequest, _ context: CallContext) async throws -> LoginResponse {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let label = bad.require(
      "device_label", DeviceLabel.read(call.deviceLabel), IdentityReason.deviceLabelInvalid)
    let deviceLabel = try bad.all(label)
    let key = context.requestKey(requestID)
    if let first: LoginResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let device = try await sessions.devices.device(of: call.deviceToken)
    return try await ceremony(.login, call.clientDataJson, of: nil, refusedAs: .unauthenticated) { client in
      let passkey = try await owned(call)
      let signCount = try relyingParty.signCount(
        client, authenticatorData: call.authenticatorData, signature: call.signature, key: passkey?.key)
      guard let passkey else { throw PasskeyRefusal.signature }
      do {
        return try await idempotency.execute(call, key) { tx in
          try await use(client.challenge, of: nil, in: tx)
          return try await start(passkey, signCount: signCount, deviceLabel, on: device, by: context, in: tx)
        }
      } catch PasskeyRefusal.counter {
        try await database.transaction { tx in
          try await log.note(.passkeyCounterRefused, of: passkey.userID, by: context.origin, in: tx)
        }
        throw PasskeyRefusal.counter
      }
    }
  }

  private func start(
    _ passkey: OwnedPasskey, signCount: UInt32, _ deviceLabel: DeviceLabel, on device: RememberedDevices.Device?,
    by context: CallContext, in tx: Transaction
  ) async throws -> LoginResponse {
    // The account is locked before the passkey, as in the account's deletion.
    guard let isLocked = try await tx.first(HoldAccount(userID: passkey.userID)) else { throw PasskeyRefusal.signature }
    guard !isLocked else { throw Status.accountLocked }
    let count = CountPasskeyLogin(signCount: Int64(signCount), now: environment.clock.now, passkeyID: passkey.id)
    guard try await tx.first(count) != nil else { throw PasskeyRefusal.counter }
    return LoginResponse(
      try await sessions.open(for: passkey.userID, deviceLabel, on: device, by: context.origin, in: tx))
  }

  /// The passkey with the credential id of the call; `nil` when it is unknown or belongs to another user handle.
  private func owned(_ call: LoginWithPasskeyRequest) async throws -> OwnedPasskey? {
    guard call.credentialID.count <= AuthenticatorData.maxCredentialIDLength,
      let stored = try await database.first(PasskeyByCredential(credentialID: call.credentialID)),
      call.userHandle == stored.userID.handle, let algorithm = PasskeyKey.Algorithm(rawValue: stored.algorithm)
    else { return nil }
    return OwnedPasskey(
      id: stored.id, userID: stored.userID, key: try PasskeyKey(algorithm, stored.publicKey))
  }
}

/// The passkey that a login is checked against.
private struct OwnedPasskey {
  let id: PasskeyID
  let userID: UserID
  let key: PasskeyKey
}

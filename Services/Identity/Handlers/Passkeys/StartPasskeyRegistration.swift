import Identifiers
import IdentityDomain
import IdentityPasskeys
import IdentityStore
import TTRPC
import TandemIdentity
import Timestamps

extension Passkeys {
  /// Issues a challenge and the parameters for a new passkey of the caller's account ([ID-11]).
  package func startPasskeyRegistration(
    _ call: StartPasskeyRegistrationRequest, _ context: CallContext
  ) async throws -> StartPasskeyRegistrationResponse {
    let account = try context.userID
    guard let owner = try await database.first(CredentialsByID(userID: account)) else { throw Status.notAUser }
    try await recentAuthentication.require(context)
    let passkeys = try await database.rows(PasskeysOf(userID: account))
    guard passkeys.count < Self.maxOfAccount else { throw Status.tooManyPasskeys }
    let expiresAt = environment.clock.now + Lifetimes.passkeyChallenge
    return StartPasskeyRegistrationResponse(
      challenge: try await newChallenge(for: account, context), relyingPartyID: relyingParty.id,
      relyingPartyName: relyingParty.name, userHandle: account.handle, username: owner.username,
      algorithms: PasskeyKey.Algorithm.allCases.map(\.rawValue), excludeCredentialIds: passkeys.map(\.credentialID),
      expireTime: expiresAt.timestamp)
  }
}

extension UserID {
  /// The user handle (WebAuthn): the text of the account's id, which reveals nothing about the user.
  var handle: [UInt8] { Array(description.utf8) }
}

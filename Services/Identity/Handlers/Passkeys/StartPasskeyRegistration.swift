import Identifiers
import IdentityDomain
import IdentityPasskeys
import IdentityStore
import TTRPC
import TandemIdentity

extension Passkeys {
  /// Gives out what a passkey for the caller's account is made from ([ID-11]).
  package func startPasskeyRegistration(
    _ call: StartPasskeyRegistrationRequest, _ context: CallContext
  ) async throws -> StartPasskeyRegistrationResponse {
    let account = try context.accountID
    guard let owner = try await database.first(CredentialsByID(account)) else { throw Status.notAUser }
    try await freshLogins.require(context)
    let passkeys = try await database.rows(PasskeysOf(account))
    guard passkeys.count < Self.mostOfAccount else { throw Status.tooManyPasskeys }
    let expiresAt = ambient.clock.now + Lifetimes.passkeyChallenge
    return StartPasskeyRegistrationResponse(
      challenge: try await newChallenge(for: account, context), relyingPartyID: relyingParty.id,
      relyingPartyName: relyingParty.name, userHandle: account.handle, username: owner.username,
      algorithms: PasskeyKey.Algorithm.allCases.map(\.rawValue), excludeCredentialIds: passkeys.map(\.credentialID),
      expireTime: expiresAt.timestamp)
  }
}

extension AccountID {
  /// What authenticators know the account by: the letters of its id, which say nothing of the person.
  var handle: [UInt8] { Array(description.utf8) }
}

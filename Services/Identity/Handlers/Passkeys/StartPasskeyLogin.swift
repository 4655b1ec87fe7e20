import Identifiers
import IdentityDomain
import TTRPC
import TandemIdentity
import Timestamps

extension Passkeys {
  /// Gives out a challenge to log in with: to anybody, and the same to everybody but its bits ([ID-11]).
  package func startPasskeyLogin(
    _ call: StartPasskeyLoginRequest, _ context: CallContext
  ) async throws -> StartPasskeyLoginResponse {
    let expiresAt = environment.clock.now + Lifetimes.passkeyChallenge
    return StartPasskeyLoginResponse(
      challenge: try await newChallenge(for: nil, context), relyingPartyID: relyingParty.id,
      expireTime: expiresAt.timestamp)
  }
}

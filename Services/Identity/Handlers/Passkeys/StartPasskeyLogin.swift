import Identifiers
import IdentityDomain
import TTRPC
import TandemIdentity
import Timestamps

extension Passkeys {
  /// Issues a challenge to log in with: to any caller, and with nothing that differs but its random bytes ([ID-11]).
  package func startPasskeyLogin(
    _ call: StartPasskeyLoginRequest, _ context: CallContext
  ) async throws -> StartPasskeyLoginResponse {
    let expiresAt = environment.clock.now + Lifetimes.passkeyChallenge
    return StartPasskeyLoginResponse(
      challenge: try await newChallenge(for: nil, context), relyingPartyID: relyingParty.id,
      expireTime: expiresAt.timestamp)
  }
}

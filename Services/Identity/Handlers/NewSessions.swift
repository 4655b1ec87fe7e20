import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

/// Starts sessions for authenticated users ([ID-5]).
struct NewSessions: Sendable {
  let environment: Environment
  let tokens: AccessTokens

  /// Adds a session in the transaction, and returns its first pair of tokens.
  ///
  /// - Parameter provedAt: when the user last authenticated at a provider; `nil` for now, or if the provider does not
  ///   say.
  func open(
    for account: UserID, _ deviceLabel: DeviceLabel, address: String, provedAt: Instant? = nil, in tx: Transaction
  ) async throws -> LoginResponse {
    let now = environment.clock.now
    let (session, refreshToken) = (environment.newID() as SessionID, RefreshToken(randomness: environment.randomness))
    try await tx.execute(
      InsertSession(
        sessionID: session, userID: account, hashes: refreshToken.hashes, deviceLabel: deviceLabel.description,
        address: address, provedAt: provedAt, now: now))
    let accessToken = try tokens.token(for: account, session: session)
    return LoginResponse(
      sessionID: session.description, userID: account.description, accessToken: accessToken.text,
      accessTokenExpireTime: accessToken.expiresAt.timestamp, refreshToken: refreshToken.text,
      refreshTokenExpireTime: SessionAge.end(of: now, usedAt: now).timestamp)
  }
}

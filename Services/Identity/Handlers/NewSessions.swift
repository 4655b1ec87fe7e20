import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

/// Starts sessions for users who have proved who they are ([ID-5]).
struct NewSessions: Sendable {
  let environment: Environment
  let tokens: AccessTokens

  /// Adds a session with the transaction, and gives its first pair of tokens.
  ///
  /// - Parameter provedAt: when a provider last saw a proof of who it is; `nil` where that was just now, or nobody says.
  func open(
    for account: UserID, _ deviceLabel: DeviceLabel, address: String, provedAt: Instant? = nil, in tx: Transaction
  ) async throws -> LoginResponse {
    let now = environment.clock.now
    let (session, refreshToken) = (environment.newID() as SessionID, RefreshToken(randomness: environment.randomness))
    try await tx.execute(
      InsertSession(
        id: session, userID: account, hashes: refreshToken.hashes, deviceLabel: deviceLabel.description,
        address: address, provedAt: provedAt, now: now))
    let accessToken = try tokens.token(for: account, session: session)
    return LoginResponse(
      sessionID: session.description, userID: account.description, accessToken: accessToken.text,
      accessTokenExpireTime: accessToken.expiresAt.timestamp, refreshToken: refreshToken.text,
      refreshTokenExpireTime: SessionAge.end(of: now, usedAt: now).timestamp)
  }
}

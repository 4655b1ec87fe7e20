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
  let devices: RememberedDevices
  let endedSessions: EndedSessions

  init(database: Database, environment: Environment, tokens: AccessTokens, endedSessions: EndedSessions) {
    self.environment = environment
    self.tokens = tokens
    self.endedSessions = endedSessions
    devices = RememberedDevices(database: database, environment: environment)
  }

  /// Adds a session in the transaction, which has locked the account, and returns its first pair of tokens. Of an
  /// account that has as many as it may have, the ones used least recently end.
  ///
  /// - Parameters:
  ///   - device: the remembered device that the login came from; `nil` for an unknown one, which is then remembered.
  ///   - provedAt: when the user last authenticated at a provider; `nil` for now, or if the provider does
  ///     not say.
  func open(
    for account: UserID, _ deviceLabel: DeviceLabel, on device: RememberedDevices.Device?, address: String,
    provedAt: Instant? = nil, in tx: Transaction
  ) async throws -> LoginResponse {
    let now = environment.clock.now
    let (session, refreshToken) = (environment.newID() as SessionID, RefreshToken(randomness: environment.randomness))
    let surplus = SurplusSessions(userID: account, now: now, kept: Lifetimes.maxSessions - 1)
    for old in try await tx.rows(surplus) { try await endedSessions.end(old, in: tx) }
    try await tx.execute(DropSurplusSecurityEvents(userID: account, kept: Lifetimes.maxSecurityEvents))
    try await tx.execute(
      InsertSession(
        sessionID: session, userID: account, hashes: refreshToken.hashes, deviceLabel: deviceLabel.description,
        address: address, provedAt: provedAt, now: now))
    let deviceToken = try await devices.remember(device, of: account, session: session, in: tx)
    let accessToken = try tokens.token(for: account, session: session)
    return LoginResponse(
      sessionID: session.description, userID: account.description, accessToken: accessToken.text,
      accessTokenExpireTime: accessToken.expiresAt.timestamp, refreshToken: refreshToken.text,
      refreshTokenExpireTime: SessionAge.end(of: now, usedAt: now).timestamp, deviceToken: deviceToken.text)
  }
}

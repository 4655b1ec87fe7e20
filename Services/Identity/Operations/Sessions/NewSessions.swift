import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres

/// A session that has begun, with its first pair of tokens; none of them is stored as text.
package struct OpenedSession: Sendable {
  package let session: SessionID
  package let account: UserID
  package let accessToken: (text: String, expiresAt: Instant)
  package let refreshToken: (text: String, expiresAt: Instant)
  /// What the next login from the device proves itself by.
  package let deviceToken: String
}

/// Starts sessions for authenticated users ([ID-5]).
package struct NewSessions: Sendable {
  package let devices: RememberedDevices
  private let environment: Environment
  private let tokens: AccessTokens
  private let endedSessions: EndedSessions
  private let log: SecurityLog
  private let known: LoginDevices

  package init(
    database: Database, environment: Environment, tokens: AccessTokens, endedSessions: EndedSessions,
    mail: SecurityMail
  ) {
    (self.environment, self.tokens, self.endedSessions) = (environment, tokens, endedSessions)
    log = SecurityLog(environment: environment)
    known = LoginDevices(clock: environment.clock, mail: mail)
    devices = RememberedDevices(database: database, environment: environment)
  }

  /// Adds a session in the transaction, which has locked the account, and notes the login: in the log, and by a mail if it came from a device
  /// that is not known. Of an account that has as many sessions as it may have, the ones used least recently end.
  ///
  /// - Parameters:
  ///   - device: the remembered device that the login came from; `nil` for an unknown one, which is then remembered.
  ///   - event: what the log has of it.
  ///   - provedAt: when the user last authenticated at a provider; `nil` for now, or if the provider does
  ///     not say.
  package func open(
    for account: UserID, _ deviceLabel: DeviceLabel, on device: RememberedDevices.Device?, by origin: CallOrigin,
    as event: SecurityEventKind = .loggedIn, provedAt: Instant? = nil, in tx: Transaction
  ) async throws -> OpenedSession {
    let now = environment.clock.now
    let (session, refreshToken) = (environment.newID() as SessionID, RefreshToken(randomness: environment.randomness))
    let surplus = SurplusSessions(userID: account, now: now, kept: Lifetimes.maxSessions - 1)
    for old in try await tx.rows(surplus) { try await endedSessions.end(old, in: tx) }
    try await tx.execute(DropSurplusSecurityEvents(userID: account, kept: Lifetimes.maxSecurityEvents))
    try await tx.execute(
      InsertSession(
        sessionID: session, userID: account, hashes: refreshToken.hashes, deviceLabel: deviceLabel.description,
        address: origin.address, provedAt: provedAt, now: now))
    let deviceToken = try await devices.remember(device, of: account, session: session, in: tx)
    let opened = OpenedSession(
      session: session, account: account, accessToken: try tokens.token(for: account, session: session),
      refreshToken: (refreshToken.text, SessionAge.end(of: now, usedAt: now)), deviceToken: deviceToken.text)
    try await log.note(event, of: account, session: session, by: origin, in: tx)
    try await known.note(deviceLabel, device, of: opened, by: origin, in: tx)
    return opened
  }
}

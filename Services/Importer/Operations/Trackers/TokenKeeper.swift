import Cryptography
import Environment
import Identifiers
import ImporterDomain
import ImporterStore
import Logging
import OAuth2
import OutboundHTTP
import Postgres
import ProviderAdapters

/// An access token of a connection, with the version of the tokens that it is of.
struct AccessGrant: Sendable, CustomStringConvertible {
  let token: String
  let version: Int64

  /// Never the token.
  var description: String { "AccessGrant(redacted)" }
}

/// Tokens of a version that the provider did not accept.
struct RefusedTokens: Sendable {
  let version: Int64
  /// Whether its own error says that the token is not valid.
  let byName: Bool
}

/// Why there is no access token.
package enum TokenFailure: Error, Sendable, Equatable {
  /// The user has to consent again; retrying is of no use.
  case consent
  /// The provider issues none now, or refuses for another reason.
  case unavailable
}

/// Keeps the tokens of connections: sealed, and refreshed by one replica at a time ([IM-3]).
///
/// A refresh is a claim, a request and a result, each for itself: no transaction waits for the provider. The claim is
/// stored before the request is sent. If the process dies between the answer and the result, the provider may have
/// replaced the refresh token, and the new one is lost; then the next refresh is tried once with the old one, which the
/// provider accepts or not. If it does not, the user has to consent again.
struct TokenKeeper: Sendable {
  let database: Database
  let environment: Environment
  let seal: Seal
  let outbound: OutboundClient
  let providers: [ConfiguredProvider]
  let logger: Logger

  /// How long before its end an access token is replaced.
  private static let margin: Duration = .seconds(60)
  /// How long one replica alone may refresh: longer than a request takes by `tracker-timeout`.
  private static let lease: Duration = .seconds(45)
  private static let look: Duration = .milliseconds(100)

  private struct Tokens: Codable {
    let access: String
    let refresh: String?
  }

  func sealed(access: String, refresh: String?, of id: ConnectionID) throws -> [UInt8] {
    try seal.seal(
      try StrictJSON.encode(Tokens(access: access, refresh: refresh)), associated: id.uuid.bytes)
  }

  /// The tokens of a connection that has ended; `nil` where there are none.
  func opened(_ sealed: [UInt8], of id: ConnectionID) throws -> (access: String, refresh: String?)? {
    guard !sealed.isEmpty,
      let tokens = StrictJSON.decode(Tokens.self, try seal.open(sealed, associated: id.uuid.bytes))
    else { return nil }
    return (tokens.access, tokens.refresh)
  }

  /// A token that works by what is known: refreshed if it has expired, or is of a version that the provider did not accept.
  /// Where there is nothing to refresh it with, one that was refused in words not the provider's own is kept ([IM-9]).
  ///
  /// - Throws: ``TokenFailure``; the database's errors.
  func token(of id: ConnectionID, refusing refused: RefusedTokens? = nil) async throws -> AccessGrant {
    let end = ContinuousClock.now + Self.lease + .seconds(5)
    while ContinuousClock.now < end {
      guard let row = try await database.first(TokensOfConnection(connectionID: id)), row.state == .connected,
        let sealed = row.sealedTokens, let tokens = try opened(sealed, of: id)
      else { throw TokenFailure.consent }
      let isExpired = row.expiresAt <= environment.clock.now + Self.margin
      let isRefused = row.tokenVersion == refused?.version
      let isKept = tokens.refresh == nil && refused?.byName == false
      guard isExpired || (isRefused && !isKept) else {
        if seal.needsReseal(sealed) { try await reseal(tokens, row.tokenVersion, of: id) }
        return AccessGrant(token: tokens.access, version: row.tokenVersion)
      }
      guard let provider = providers.first(where: { $0.id == row.provider }) else { throw TokenFailure.unavailable }
      if let grant = try await refreshed(tokens.refresh, row.tokenVersion, of: id, at: provider) { return grant }
      // Another replica refreshes. It stores the result, or its lease ends.
      try await Task.sleep(for: Self.look)
    }
    throw TokenFailure.unavailable
  }

  private func reseal(
    _ tokens: (access: String, refresh: String?), _ version: Int64, of id: ConnectionID
  ) async throws {
    let sealed = try sealed(access: tokens.access, refresh: tokens.refresh, of: id)
    try await database.write(ResealTokens(sealedTokens: sealed, connectionID: id, tokenVersion: version))
  }

  /// `nil` if another replica refreshes, or has.
  private func refreshed(
    _ refreshToken: String?, _ version: Int64, of id: ConnectionID, at provider: ConfiguredProvider
  ) async throws -> AccessGrant? {
    guard let refreshToken else {
      _ = try await database.write(RequireConsent(connectionID: id, tokenVersion: version))
      throw TokenFailure.consent
    }
    let claim = ClaimRefresh(
      connectionID: id, tokenVersion: version, now: environment.clock.now, seconds: Self.lease / .seconds(1))
    guard let claimed = try await database.write(claim).first else { return nil }
    do {
      let endpoint = TokenEndpoint(
        of: provider.server, as: provider.client, through: outbound, speaking: provider.adapter.authorization.dialect)
      let answer = try await endpoint.tokens(forRefreshToken: refreshToken)
      return try await store(answer, after: refreshToken, claimed.refreshFence, of: id, at: provider)
    } catch let failure as OAuth2Failure {
      try await note(failure, claimed, version, of: id, at: provider)
      throw failure == .grantRefused ? TokenFailure.consent : TokenFailure.unavailable
    }
  }

  private func store(
    _ answer: TokenAnswer, after refreshToken: String, _ fence: Int64, of id: ConnectionID,
    at provider: ConfiguredProvider
  ) async throws -> AccessGrant? {
    let lifetime = answer.lifetime ?? provider.adapter.authorization.usualLifetime
    // A server that issues no new refresh token lets the old one be used on (RFC 6749, section 6).
    let sealed = try sealed(
      access: answer.accessToken, refresh: answer.refreshToken ?? refreshToken, of: id)
    let stored = try await database.write(
      StoreTokens(
        sealedTokens: sealed, expiresAt: environment.clock.now + lifetime, connectionID: id, refreshFence: fence)
    ).first
    guard let stored else {
      // The connection may have ended meanwhile: then these are the tokens to revoke.
      try await database.write(StoreEndingTokens(sealedTokens: sealed, connectionID: id))
      return nil
    }
    return AccessGrant(token: answer.accessToken, version: stored)
  }

  private func note(
    _ failure: OAuth2Failure, _ claimed: ClaimRefresh.Row, _ version: Int64, of id: ConnectionID,
    at provider: ConfiguredProvider
  ) async throws {
    let metadata: Logger.Metadata = ["provider": "\(provider.id)", "connection": "\(id)", "failure": "\(failure)"]
    guard failure == .grantRefused else {
      logger.warning("a provider issued no access token", metadata: metadata)
      try await database.write(ReleaseRefresh(connectionID: id, refreshFence: claimed.refreshFence))
      return
    }
    if claimed.lost {
      logger.warning("a refresh token was lost with the answer to an earlier request", metadata: metadata)
    }
    _ = try await database.write(RequireConsent(connectionID: id, tokenVersion: version))
  }

  /// New tokens of a connection that has ended, for their revocation; `nil` if the provider refuses the refresh token.
  ///
  /// They are stored, as the provider may have replaced the refresh token and the revocation may need another attempt.
  func renewed(
    _ refreshToken: String, of id: ConnectionID, at provider: ConfiguredProvider
  ) async throws -> TokenAnswer? {
    let endpoint = TokenEndpoint(
      of: provider.server, as: provider.client, through: outbound, speaking: provider.adapter.authorization.dialect)
    let answer: TokenAnswer
    do { answer = try await endpoint.tokens(forRefreshToken: refreshToken) } catch {
      guard error == .grantRefused else { throw error }
      return nil
    }
    let sealed = try sealed(
      access: answer.accessToken, refresh: answer.refreshToken ?? refreshToken, of: id)
    try await database.write(StoreEndingTokens(sealedTokens: sealed, connectionID: id))
    return answer
  }

  /// Notes that the provider does not accept tokens of this version, nor new ones.
  func requireConsent(_ id: ConnectionID, version: Int64) async throws {
    _ = try await database.write(RequireConsent(connectionID: id, tokenVersion: version))
  }
}

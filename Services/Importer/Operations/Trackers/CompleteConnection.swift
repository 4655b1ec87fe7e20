import Identifiers
import ImporterDomain
import ImporterStore
import Logging
import OAuth2
import Postgres
import ProviderAdapters

/// What a user has allowed at a provider, and the tokens for it.
package struct TrackerConsent: Sendable {
  package let provider: ConfiguredProvider
  fileprivate let completion: CompletionID
  /// How much of the past the user wants; `nil` for as much as others get.
  fileprivate let historyDays: Int32?
  fileprivate let granted: Granted

  fileprivate struct Granted: Sendable {
    let tokens: TokenAnswer
    let scopes: [String]
    /// The provider's id of the user.
    let subject: String?
  }
}

/// An attempt to connect a tracker that the user came back from.
package struct TrackerAttempt: Sendable {
  fileprivate let provider: ConfiguredProvider
  fileprivate let used: UsedAttempt
}

extension TrackerOperations {
  /// Uses an attempt up; `nil` if the user has none of this state that is open.
  package func useAttempt(state: String, of user: UserID) async throws -> TrackerAttempt? {
    guard let used = try await attempts.use(state: state, by: .user(user)),
      let provider = providers.first(where: { $0.id == used.provider })
    else { return nil }
    return TrackerAttempt(provider: provider, used: used)
  }

  /// Exchanges what the provider sent the browser back with for tokens ([IM-2]).
  ///
  /// - Parameter scopes: those that were granted, as the provider told the browser.
  /// - Throws: `OAuth2Failure`.
  package func requestConsent(
    of user: UserID, by attempt: TrackerAttempt, _ answer: AuthorizationAnswer, scopes: String
  ) async throws -> TrackerConsent {
    let provider = attempt.provider
    let completion: CompletionID = environment.newID()
    try await database.write(BeginCompletion(completionID: completion, userID: user, now: environment.clock.now))
    do {
      return TrackerConsent(
        provider: provider, completion: completion, historyDays: Int32(attempt.used.note),
        granted: try await granted(by: answer, attempt, scopes: scopes))
    } catch let failure as OAuth2Failure {
      _ = try await database.write(EndCompletion(completionID: completion))
      logger.info(
        "a tracker could not be connected", metadata: ["provider": "\(provider.id)", "failure": "\(failure)"])
      throw failure
    }
  }

  private func granted(
    by answer: AuthorizationAnswer, _ attempt: TrackerAttempt, scopes reported: String
  ) async throws -> TrackerConsent.Granted {
    let provider = attempt.provider
    let code = try answer.code(from: provider.server(naming: answer.issuer))
    let endpoint = TokenEndpoint(
      of: provider.server, as: provider.client, through: client.outbound,
      speaking: provider.adapter.authorization.dialect)
    let tokens = try await endpoint.tokens(
      for: code, codeVerifier: attempt.used.codeVerifier, redirectURI: attempt.used.redirectURI)
    let scopes = provider.granted(tokens.scope ?? "", reported)
    let subject = try await subject(of: tokens, at: provider)
    guard !provider.allowed(by: scopes).streams.isEmpty else {
      try await revoke(tokens, subject, at: provider)
      throw OAuth2Failure.consentDenied
    }
    return TrackerConsent.Granted(tokens: tokens, scopes: scopes, subject: subject)
  }

  /// The provider's id of the user: from the tokens, or from what the provider answers to the introduction.
  private func subject(of tokens: TokenAnswer, at provider: ConfiguredProvider) async throws -> String? {
    let known = provider.adapter.subject(in: tokens.document)
    guard let introduction = provider.adapter.introduction else { return known }
    let answer: ProviderClient.Answer
    do { answer = try await client.send(introduction, to: provider, token: tokens.accessToken) } catch {
      throw OAuth2Failure(error)
    }
    guard answer.data.status < 500, answer.data.status != 429 else {
      throw OAuth2Failure.temporary(
        reason: "the provider answered \(answer.data.status)", retryAfter: answer.retryAfter)
    }
    return known ?? provider.adapter.subject(in: answer.data.body)
  }

  /// Revokes the tokens of a consent that is not stored.
  package func giveBack(_ consent: TrackerConsent) async throws {
    try await revoke(consent.granted.tokens, consent.granted.subject, at: consent.provider)
  }

  /// Revokes tokens that are of no use; if that fails, they end by themselves.
  private func revoke(_ tokens: TokenAnswer, _ subject: String?, at provider: ConfiguredProvider) async throws {
    let revoked = RevokedTokens(access: tokens.accessToken, refresh: tokens.refreshToken, subject: subject)
    guard let request = provider.adapter.revocation(of: revoked, at: provider.endpoints) else { return }
    do { _ = try await client.send(request, to: provider, token: tokens.accessToken) } catch {
      logger.info("useless tokens could not be revoked", metadata: ["provider": "\(provider.id)", "cause": "\(error)"])
    }
  }

  /// Stores a connection, and begins its first import ([IM-2]).
  ///
  /// - Returns: the connection with the import that runs.
  /// - Throws: `TrackerFailure.noAccount`; the consent is to be given back then.
  package func completeConnection(
    of user: UserID, by consent: TrackerConsent, _ tx: Transaction
  ) async throws -> (connection: ConnectionColumns, last: ImportColumns?) {
    // The deletion of the account waits for this row, and ends what is stored here; or it was first, and removed it.
    guard try await tx.first(EndCompletion(completionID: consent.completion)) != nil else {
      throw TrackerFailure.noAccount
    }
    let (now, provider, granted) = (environment.clock.now, consent.provider, consent.granted)
    let lifetime = granted.tokens.lifetime ?? provider.adapter.authorization.usualLifetime
    let earlier = try await tx.first(LockConnection(userID: user, provider: provider.id))
    let id = earlier?.id ?? environment.newID()
    let sealed = try tokens.sealed(
      access: granted.tokens.accessToken, refresh: granted.tokens.refreshToken, of: id)
    if earlier != nil {
      try await tx.execute(
        RenewConnection(
          subject: granted.subject, scopes: granted.scopes, historyDays: consent.historyDays, sealedTokens: sealed,
          expiresAt: now + lifetime, now: now, connectionID: id))
    } else {
      _ = try await tx.first(
        PutConnection(
          connectionID: id, userID: user, provider: provider.id, subject: granted.subject, scopes: granted.scopes,
          sealedTokens: sealed, expiresAt: now + lifetime, now: now,
          historyDays: consent.historyDays ?? SyncReach.defaultDays))
    }
    try await tx.execute(ForgetLeftConsent(userID: user, provider: provider.id))
    guard let connection = try await tx.first(LockConnection(userID: user, provider: provider.id)) else {
      throw TrackerRefusal.notConnected
    }
    let running = try await running(of: user, connection, insteadOf: earlier, at: provider, tx)
    let begun = try await imports.begin(of: user, connection, at: provider, by: .user, tx)
    return (connection, begun ?? running)
  }

  /// The import that runs; one of another account, or of fewer kinds of data or less of the past than are wanted now, is cancelled,
  /// because it would end as if all of these were imported.
  private func running(
    of user: UserID, _ connection: ConnectionColumns, insteadOf earlier: ConnectionColumns?,
    at provider: ConfiguredProvider, _ tx: Transaction
  ) async throws -> ImportColumns? {
    guard let earlier, let id = try await tx.first(RunningImport(userID: user, provider: provider.id)) else {
      return nil
    }
    guard connection.subject == earlier.subject, Set(connection.scopes).isSubset(of: earlier.scopes),
      connection.historyDays <= earlier.historyDays
    else {
      _ = try await imports.finish(id, .cancelled, at: provider, tx)
      return nil
    }
    return try await tx.first(ImportOfUser(importID: id, userID: user))
  }
}

import FieldViolations
import Idempotency
import Identifiers
import ImporterDomain
import ImporterStore
import Logging
import OAuth2
import Postgres
import ProviderAdapters
import Synchronization
import TTRPC
import TandemImporter

extension Trackers {
  /// Exchanges what the provider sent the browser back with for tokens, and starts the first import ([IM-2]).
  package func completeConnection(_ call: CompleteConnectionRequest, _ context: CallContext) async throws -> Tracker {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let key = context.requestKey(requestID)
    if let first: Tracker = try await idempotency.firstAnswer(to: call, key) { return first }
    let place = key.map { underWay.begin($0) }
    defer { place?.leave() }
    guard let attempt = try await attempts.use(state: call.state, by: .user(user)),
      let provider = providers.first(where: { $0.id == attempt.provider })
    else {
      // The attempt may have been used by the same call a moment ago, which has still to ask the provider. Whichever of them it
      // was goes on; the others wait for it, and not for each other.
      place?.leave()
      if let first = try await answerUnderWay(to: call, key) { return first }
      throw Status.attemptInvalid
    }
    let completion: CompletionID = environment.newID()
    try await database.write(BeginCompletion(completionID: completion, userID: user, now: environment.clock.now))
    let consent: Consent
    do { consent = try await self.consent(in: call, attempt, at: provider) } catch let failure as OAuth2Failure {
      _ = try await database.write(EndCompletion(completionID: completion))
      logger.info(
        "a tracker could not be connected", metadata: ["provider": "\(provider.id)", "failure": "\(failure)"])
      throw Status.connection(failure)
    }
    do {
      return try await idempotency.execute(call, key) { tx in
        // The deletion of the account waits for this row, and ends what is stored here; or it was first, and removed it.
        guard try await tx.first(EndCompletion(completionID: completion)) != nil else { throw AccountDeleted() }
        return try await store(consent, of: user, at: provider, historyDays: Int32(attempt.note), tx)
      }
    } catch let error as PostgresError where error.constraint == "tracker_connections_of_subject" {
      throw Status.trackerOfAnother
    } catch is AccountDeleted {
      try await revoke(consent.tokens, consent.subject, at: provider)
      throw Status.notAUser
    }
  }

  /// The answer to the same call, once it is there: as long as one of them runs that has not found the attempt used.
  private func answerUnderWay(to call: CompleteConnectionRequest, _ key: RequestKey?) async throws -> Tracker? {
    guard let key else { return nil }
    let end = ContinuousClock.now + Self.maxExchangeTime
    while true {
      if let first: Tracker = try await idempotency.firstAnswer(to: call, key) { return first }
      guard ContinuousClock.now < end, underWay.contains(key) else {
        return try await idempotency.firstAnswer(to: call, key)
      }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  /// Longer than the requests to the provider may take.
  private static let maxExchangeTime: Duration = .seconds(60)

  /// While the tokens were requested.
  private struct AccountDeleted: Error {}

  /// What the user has allowed, and the tokens for it.
  private struct Consent: Sendable {
    let tokens: TokenAnswer
    let scopes: [String]
    let subject: String?
  }

  private func consent(
    in call: CompleteConnectionRequest, _ attempt: UsedAttempt, at provider: ConfiguredProvider
  ) async throws -> Consent {
    let answer = AuthorizationAnswer(
      code: call.code, issuer: call.issuer, error: call.error)
    let code = try answer.code(from: provider.server(naming: call.issuer))
    let endpoint = TokenEndpoint(
      of: provider.server, as: provider.client, through: client.outbound,
      speaking: provider.adapter.authorization.dialect)
    let tokens = try await endpoint.tokens(
      for: code, codeVerifier: attempt.codeVerifier, redirectURI: attempt.redirectURI)
    let scopes = provider.granted(tokens.scope ?? "", call.scope)
    let subject = try await subject(of: tokens, at: provider)
    guard !provider.allowed(by: scopes).streams.isEmpty else {
      try await revoke(tokens, subject, at: provider)
      throw OAuth2Failure.consentDenied
    }
    return Consent(tokens: tokens, scopes: scopes, subject: subject)
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

  /// Revokes tokens that are of no use; if that fails, they end by themselves.
  private func revoke(_ tokens: TokenAnswer, _ subject: String?, at provider: ConfiguredProvider) async throws {
    let revoked = RevokedTokens(access: tokens.accessToken, refresh: tokens.refreshToken, subject: subject)
    guard let request = provider.adapter.revocation(of: revoked, at: provider.endpoints) else { return }
    do { _ = try await client.send(request, to: provider, token: tokens.accessToken) } catch {
      logger.info("useless tokens could not be revoked", metadata: ["provider": "\(provider.id)", "cause": "\(error)"])
    }
  }

  private func store(
    _ consent: Consent, of user: UserID, at provider: ConfiguredProvider, historyDays: Int32?, _ tx: Transaction
  ) async throws -> Tracker {
    let now = environment.clock.now
    let lifetime = consent.tokens.lifetime ?? provider.adapter.authorization.usualLifetime
    let earlier = try await tx.first(LockConnection(userID: user, provider: provider.id))
    let id = earlier?.id ?? environment.newID()
    let sealed = try tokens.sealed(
      access: consent.tokens.accessToken, refresh: consent.tokens.refreshToken, of: id)
    if earlier != nil {
      try await tx.execute(
        RenewConnection(
          subject: consent.subject, scopes: consent.scopes, historyDays: historyDays, sealedTokens: sealed,
          expiresAt: now + lifetime, now: now, connectionID: id))
    } else {
      _ = try await tx.first(
        PutConnection(
          connectionID: id, userID: user, provider: provider.id, subject: consent.subject, scopes: consent.scopes,
          sealedTokens: sealed, expiresAt: now + lifetime, now: now, historyDays: historyDays ?? SyncReach.defaultDays))
    }
    try await tx.execute(ForgetLeftConsent(userID: user, provider: provider.id))
    guard let connection = try await tx.first(LockConnection(userID: user, provider: provider.id)) else {
      throw Status.notConnected
    }
    let running = try await running(of: user, connection, insteadOf: earlier, at: provider, tx)
    let begun = try await imports.begin(of: user, connection, at: provider, by: .user, tx)
    return Tracker(provider, connection, last: begun ?? running, isPaused: false)
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

/// The completions with a `request_id` that run in this process: a repetition waits for the answer of the one that goes on.
final class CompletionsUnderWay: Sendable {
  private let running = Mutex<[RequestKey: Int]>([:])

  /// Counts a completion until its place is left.
  func begin(_ key: RequestKey) -> Place {
    running.withLock { $0[key, default: 0] += 1 }
    return Place(of: key, in: self)
  }

  func contains(_ key: RequestKey) -> Bool { running.withLock { $0[key] != nil } }

  private func end(_ key: RequestKey) {
    running.withLock { running in
      let rest = (running[key] ?? 0) - 1
      running[key] = rest > 0 ? rest : nil
    }
  }

  /// One completion's; leaving it again does nothing.
  final class Place: Sendable {
    private let key: RequestKey
    private let underWay: CompletionsUnderWay
    private let isLeft = Atomic(false)

    fileprivate init(of key: RequestKey, in underWay: CompletionsUnderWay) {
      (self.key, self.underWay) = (key, underWay)
    }

    func leave() {
      guard !isLeft.exchange(true, ordering: .relaxed) else { return }
      underWay.end(key)
    }
  }
}

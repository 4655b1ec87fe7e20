import ClientAddresses
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity
import Timestamps

extension Accounts {
  /// Replaces a session's pair of tokens; of concurrent uses of one refresh token exactly one succeeds ([ID-6]).
  ///
  /// The state at the arrival of the call tells a race, in which the losers only fail, from a later use, which ends the
  /// session.
  package func refresh(_ call: RefreshRequest, _ context: CallContext) async throws -> RefreshResponse {
    let use = try TokenUse(call)
    guard let token = use.token,
      let session = try await database.first(SessionByFamily(familyHash: token.hashes.family))
    else { throw Status.refreshTokenInvalid }
    let facts = session.facts(about: token.hashes.secret)
    switch RefreshDecision.of(facts, requestID: use.requestID, now: environment.clock.now) {
    case .rotate: return try await rotate(session, token, use, call, context)
    case .repeatAnswer:
      guard let first: RefreshResponse = try await idempotency.firstAnswer(to: call, context.requestKey(use.requestID))
      else {
        throw Status.refreshTokenInvalid
      }
      return first
    case .endSession:
      try await database.transaction { tx in
        try await endedSessions.end(session.id, in: tx)
        try await tx.execute(DropEmailChangeOfSession(userID: session.userID, sessionID: session.id))
        try await tx.execute(ForgetDeviceOfSession(sessionID: session.id, userID: session.userID))
      }
      throw Status.sessionRevoked
    case .refuse: throw session.revokedAt == nil ? Status.refreshTokenInvalid : Status.sessionRevoked
    }
  }

  private func rotate(
    _ session: SessionByFamily.Row, _ token: RefreshToken, _ use: TokenUse, _ call: RefreshRequest,
    _ context: CallContext
  ) async throws -> RefreshResponse {
    try await idempotency.execute(call, context.requestKey(use.requestID)) { tx in
      let now = environment.clock.now
      let next = RefreshToken(after: token, randomness: environment.randomness)
      let expiresAt = SessionAge.end(of: session.createdAt, usedAt: now)
      let rotated = try await tx.first(
        RotateSession(
          newHash: next.hashes.secret, requestID: use.requestID, address: context.address, now: now,
          expiresAt: expiresAt, sessionID: session.id, oldHash: token.hashes.secret))
      guard rotated != nil else {
        // Another use of the token came first, or the session has ended meanwhile, which the next statement sees.
        let present = try await tx.first(SessionByFamily(familyHash: token.hashes.family))
        guard let present, present.revokedAt == nil else { throw Status.sessionRevoked }
        throw Status.refreshTokenUsed
      }
      let accessToken = try tokens.token(for: session.userID, session: session.id)
      return RefreshResponse(
        sessionID: session.id.description, userID: session.userID.description, accessToken: accessToken.text,
        accessTokenExpireTime: accessToken.expiresAt.timestamp, refreshToken: next.text,
        refreshTokenExpireTime: expiresAt.timestamp)
    }
  }
}

extension SessionByFamily.Row {
  /// The facts about the session's token with this hash.
  fileprivate func facts(about hash: [UInt8]) -> RefreshDecision.Facts {
    var facts = RefreshDecision.Facts(begunAt: createdAt, issuedAt: lastUsedAt, sessionEndedAt: revokedAt)
    if hash != currentHash {
      // Of a token before the previous one it is known only that it was used, which is enough.
      facts.use = .init(at: lastUsedAt, requestID: hash == previousHash ? rotationRequestID : nil)
    }
    return facts
  }
}

/// The validated fields of the request.
private struct TokenUse {
  /// `nil` for a text that was never issued.
  let token: RefreshToken?
  let requestID: UUID7?

  init(_ call: RefreshRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    if call.refreshToken.isEmpty {
      fields.add("refresh_token", "The refresh token is missing", IdentityReason.refreshTokenRequired)
    }
    try fields.check()
    token = RefreshToken(call.refreshToken)
  }
}

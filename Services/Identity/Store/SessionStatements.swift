import Expiry
import IdentityDomain
import Identifiers
import Postgres
import TandemEvents

/// The two hashes by which a session's current refresh token is recognised.
package struct RefreshHashes: Sendable, Equatable {
  /// The hash of the part that all tokens of the session share.
  package let family: [UInt8]
  /// The hash of the part that changes.
  package let secret: [UInt8]

  package init(family: [UInt8], secret: [UInt8]) {
    self.family = family
    self.secret = secret
  }
}

extension InsertSession {
  /// - Parameter provedAt: when the user authenticated; `nil` for now.
  package init(
    sessionID: SessionID, userID: UserID, hashes: RefreshHashes, deviceLabel: String, address: String,
    provedAt: Instant?, now: Instant
  ) {
    self.init(
      sessionID: sessionID, userID: userID, familyHash: hashes.family, refreshHash: hashes.secret,
      deviceLabel: deviceLabel, address: address, now: now, expiresAt: SessionAge.end(of: now, usedAt: now),
      provedAt: provedAt)
  }
}

extension RevokedSessions {
  /// The sessions that ended within the last `window`.
  ///
  /// - Parameter now: the time of the service's clock.
  package init(within window: Duration, now: Instant) {
    self.init(
      seconds: window / .seconds(1), topic: SessionRevoked.topic.name, since: now - window - .seconds(60))
  }
}

extension SessionsBefore {
  /// - Parameter before: the time and the id of the last session of the previous page.
  package init(userID: UserID, before: (Instant, SessionID)?, limit: Int64, now: Instant) {
    self.init(userID: userID, now: now, before: before?.0, beforeID: before?.1, limit: limit)
  }
}

extension DeleteEndedSessions: ExpiryStatement {
  package static let kept = Duration.zero
}

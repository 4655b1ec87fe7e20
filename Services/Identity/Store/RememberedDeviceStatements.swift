import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// A device that a user has logged in from.
package enum RememberedDeviceSubject {}
/// See ``RememberedDeviceSubject``.
package typealias RememberedDeviceID = Identifier<RememberedDeviceSubject>

extension RememberDevice {
  /// - Parameter most: how many devices the account may have with this one.
  package init(
    _ device: RememberedDeviceID, of userID: UserID, tokenHash: [UInt8], session: SessionID, most: Int, now: Instant
  ) {
    self.init(
      userID: userID, kept: Int64(most - 1), rememberedDeviceID: device, tokenHash: tokenHash, sessionID: session,
      now: now, expiresAt: now + Lifetimes.rememberedDevice)
  }
}

extension UseRememberedDevice {
  package init(_ device: RememberedDeviceID, of userID: UserID, session: SessionID, now: Instant) {
    self.init(
      sessionID: session, now: now, expiresAt: now + Lifetimes.rememberedDevice, rememberedDeviceID: device,
      userID: userID)
  }
}

extension DeleteExpiredDevices: ExpiryStatement {
  package static let kept = Duration.zero
}

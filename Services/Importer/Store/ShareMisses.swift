import Identifiers
import Postgres

/// Limits how often an address may try unknown links.
package enum ShareMisses {
  /// Attempts within the window.
  package static let most: Int32 = 30
  /// The window begins with the first attempt.
  package static let window: Duration = .seconds(900)
}

extension ShareMissesOver {
  /// - Parameter addressHash: SHA-256 of the address.
  package init(addressHash: [UInt8], now: Instant) {
    self.init(addressHash: addressHash, now: now, most: ShareMisses.most)
  }
}

extension CountShareMiss {
  /// - Parameter addressHash: SHA-256 of the address.
  package init(addressHash: [UInt8], now: Instant) {
    self.init(now: now, addressHash: addressHash, windowEndsAt: now + ShareMisses.window)
  }
}

import IdentityDomain
import Identifiers

/// The devices that an account was logged in to from ([ID-16]).
package enum KnownDevices {
  /// The maximum number that is kept of an account; a login from one that was dropped is mailed again.
  package static let maxCount: Int64 = 50
  /// Stands for devices that are not known, so that an account that has it is not logged in to for the first time.
  package static let unknown = [UInt8](repeating: 0, count: 32)
}

extension DropSurplusKnownDevices {
  package init(userID: UserID) {
    self.init(userID: userID, unknownHash: KnownDevices.unknown, kept: KnownDevices.maxCount)
  }
}

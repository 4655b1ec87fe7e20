import IdentityPasskeys
import TTRPC
import TandemIdentity

extension Status {
  /// [ID-11]. One reason for every step; the metadata names the step, for developers of clients.
  static func passkeyRefused(_ refusal: PasskeyRefusal, _ code: Code) -> Status {
    Status(
      code, reason: IdentityReason.passkeyRefused.rawValue, "The passkey was refused; try again",
      metadata: ["step": refusal.rawValue])
  }

  /// [ID-11].
  static let passkeyExists = Status(IdentityReason.passkeyExists, "The passkey is registered already")

  /// [ID-11].
  static let tooManyPasskeys = Status(IdentityReason.tooManyPasskeys, "You have twenty passkeys; remove one first")

  /// [ID-11].
  static let passkeyNotFound = Status(IdentityReason.passkeyNotFound, "You have no such passkey")
}

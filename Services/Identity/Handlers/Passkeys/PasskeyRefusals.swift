import IdentityPasskeys
import TTRPC

extension Status {
  /// [ID-11]. One reason for every step; the metadata names the step, for developers of clients.
  static func passkeyRefused(_ refusal: PasskeyRefusal, _ code: Code) -> Status {
    Status(
      code, reason: "PASSKEY_REFUSED", "The passkey was refused; try again", metadata: ["step": refusal.rawValue])
  }

  /// [ID-11].
  static let passkeyExists = Status(.alreadyExists, reason: "PASSKEY_EXISTS", "The passkey is registered already")

  /// [ID-11].
  static let tooManyPasskeys = Status(
    .failedPrecondition, reason: "TOO_MANY_PASSKEYS", "You have twenty passkeys; remove one first")

  /// [ID-11].
  static let passkeyNotFound = Status(.notFound, reason: "PASSKEY_NOT_FOUND", "You have no such passkey")
}

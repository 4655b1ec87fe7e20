import Cryptography
import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres

/// Recognises the devices that accounts are logged in to from, and mails owners about the first login from one that is
/// not known ([ID-16]).
///
/// The first device of an account is not mailed: its owner has followed the link of a mail shortly before.
struct LoginDevices: Sendable {
  let clock: any WallClock
  let mail: SecurityMail

  /// Records the device of a login in its transaction.
  ///
  /// A device is recognised by its token, or else by its label together with the client's network: the label alone is what any client says it
  /// is.
  ///
  /// - Parameter remembered: the device whose token the client has sent.
  func note(
    _ label: DeviceLabel, _ remembered: RememberedDevices.Device?, of opened: OpenedSession, by origin: CallOrigin,
    in tx: Transaction
  ) async throws {
    if let remembered, remembered.isNamed(in: opened) { return }
    let device = Digest.sha256("label:\(origin.network)\n\(label)".utf8)
    guard try await tx.first(NoteDevice(userID: opened.account, deviceHash: device, now: clock.now)) == true else {
      return
    }
    try await tx.execute(DropSurplusKnownDevices(userID: opened.account))
    try await mail.send(.newDevice, to: opened.account, by: origin, of: opened.session, in: tx)
  }
}

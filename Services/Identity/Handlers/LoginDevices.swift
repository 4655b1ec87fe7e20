import ClientAddresses
import Cryptography
import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TTRPC
import TandemIdentity

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
    _ label: DeviceLabel, _ remembered: RememberedDevices.Device?, of account: UserID, _ login: LoginResponse,
    by context: CallContext, in tx: Transaction
  ) async throws {
    if let remembered, remembered.isNamed(in: login) { return }
    let device = Digest.sha256("label:\(context.clientNetwork)\n\(label)".utf8)
    guard try await tx.first(NoteDevice(userID: account, deviceHash: device, now: clock.now)) == true else { return }
    try await tx.execute(DropSurplusKnownDevices(userID: account))
    try await mail.send(.newDevice, to: account, by: context, of: SessionID(login.sessionID), in: tx)
  }
}

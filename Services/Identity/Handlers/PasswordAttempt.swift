import Cryptography
import IdentityDomain
import IdentityOperations
import IdentityStore
import Identifiers
import Postgres
import TTRPC

/// An attempt to guess a password, of an account or of an unknown name ([ID-10]).
struct PasswordAttempt: Sendable {
  /// What stands for the account or the name.
  private let name: ThrottleKey
  /// The throttle that a right password resets.
  private let own: ThrottleKey
  private let address: ThrottleKey?

  /// An attempt to log in to a known account.
  ///
  /// - Parameter device: the remembered device that it comes from. If it is the account's, its wrong passwords count for
  ///   it alone, so that neither guesses from elsewhere nor those from the same address lock its user out.
  init(at account: UserID, on device: RememberedDevices.Device?, from context: CallContext) {
    name = .passwords(of: account)
    if let device, device.userID == account {
      (own, address) = (.passwords(on: device.id), nil)
    } else {
      (own, address) = (name, .address(of: context, .loginAddress))
    }
  }

  /// An attempt by a user who is logged in: its wrong passwords count for the session alone, for the same reason.
  init(at account: UserID, in session: SessionID) {
    name = .passwords(of: account)
    (own, address) = (.passwords(in: session), nil)
  }

  /// An attempt at the password of a name, given in the form in which names are compared.
  init(at name: String, from context: CallContext) {
    self.name = ThrottleKey(.loginName, subject: Digest.sha256("name:\(name)".utf8))
    own = self.name
    address = .address(of: context, .loginAddress)
  }

  /// The subject that stands for the account or the name.
  var subject: [UInt8] { name.subject }

  /// The throttles that a wrong password is counted for.
  var keys: [ThrottleKey] { [own] + (address.map { [$0] } ?? []) }

  /// Records that the password was right, unless concurrent wrong passwords have reached the limit, so that the result
  /// must not be revealed.
  ///
  /// Concurrent guesses are thereby treated as if they came one after the other.
  ///
  /// - Throws: RESOURCE_EXHAUSTED when the limit was reached.
  func succeed(_ throttles: Throttles, in tx: Transaction) async throws {
    try await throttles.requireRoom(keys, in: tx)
    try await tx.execute(ForgetThrottle(own))
  }
}

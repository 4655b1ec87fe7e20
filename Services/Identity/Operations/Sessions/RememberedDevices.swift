import Cryptography
import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres

/// Remembers the devices that users log in from, by a token that each login returns and the next one sends.
///
/// Wrong passwords from elsewhere lock an account; its user still gets in from a remembered device, whose wrong passwords
/// are counted for it alone ([ID-10]). The token is no credential: it never replaces the password.
package struct RememberedDevices: Sendable {
  private let database: Database
  private let environment: Environment

  init(database: Database, environment: Environment) { (self.database, self.environment) = (database, environment) }

  /// The maximum number of devices of an account; the least recently used one is forgotten for the next.
  private static let maxOfAccount = 20

  /// The device that a client names by its token.
  package struct Device: Sendable {
    package let id: RememberedDeviceID
    /// The user that it is remembered for.
    package let userID: UserID
    fileprivate let token: SecretToken

    /// Whether a login has gone on with the device: else it was forgotten meanwhile, and the response has another token.
    func isNamed(in opened: OpenedSession) -> Bool { opened.deviceToken == token.text }
  }

  /// The device of a token; `nil` for a token that is empty or malformed, was never issued, or is no longer valid. None of
  /// these is an error: the login then counts as one from an unknown device.
  package func device(of token: String) async throws -> Device? {
    guard let token = SecretToken(token),
      let known = try await database.first(RememberedDevice(tokenHash: token.hash, now: environment.clock.now))
    else { return nil }
    return Device(id: known.id, userID: known.userID, token: token)
  }

  /// Remembers the device of a login, in the transaction that begins the session and has locked the account.
  ///
  /// - Parameter device: the device, if it is known; another user's is remembered for this account as a new one.
  /// - Returns: the token for the next login.
  func remember(
    _ device: Device?, of account: UserID, session: SessionID, in tx: Transaction
  ) async throws -> SecretToken {
    let now = environment.clock.now
    if let device, device.userID == account,
      try await tx.first(UseRememberedDevice(device.id, of: account, session: session, now: now)) != nil
    {
      return device.token
    }
    let token = SecretToken(randomness: environment.randomness)
    try await tx.execute(
      RememberDevice(
        environment.newID(), of: account, tokenHash: token.hash, session: session, most: Self.maxOfAccount, now: now))
    return token
  }

  /// Forgets the devices of an account in the transaction that ends its sessions, but that of `kept`.
  ///
  /// A user who ends sessions does not trust where they were begun.
  package static func forgetAll(of account: UserID, except kept: SessionID? = nil, in tx: Transaction) async throws {
    try await tx.execute(ForgetDevices(userID: account, keptID: kept))
  }
}

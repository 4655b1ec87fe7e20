import Cryptography
import IdentityStore
import Identifiers
import Postgres

/// Stores push tokens so that the database alone does not reveal them: sealed, and found by their hash ([ID-62]).
package struct PushTokens: Sendable {
  private let seal: Seal

  private static let purpose = Array("push token ".utf8)
  /// The number of devices that are processed at a time.
  private static let batch = 200

  package init(seal: Seal) { self.seal = seal }

  /// The token in its stored form.
  package func kept(_ token: String) throws -> KeptToken {
    let hash = Digest.sha256(token.utf8)
    return KeptToken(hash: hash, sealed: try seal.seal(Array(token.utf8), associated: Self.purpose + hash))
  }

  /// Opens the token of a device.
  ///
  /// - Throws: ``Cryptography/UnsealError`` when it was sealed with a key that is no longer available, or was altered.
  package func token(of device: DeviceToReach) throws -> String {
    try token(device.plainToken, device.sealedToken, device.tokenHash)
  }

  /// Seals every token that is not sealed with the current key: those stored before sealing was introduced, and those
  /// of an earlier key.
  ///
  /// - Returns: how many could not be opened; they are left unchanged.
  package func sealAll(in database: Database) async throws -> Int {
    var (last, failures) = (DeviceID(UUID7(high: 0, low: 0)), 0)
    while true {
      let devices = try await database.rows(
        DevicesToSeal(prefix: seal.currentPrefix, after: last, limit: Int64(Self.batch)))
      for device in devices {
        do {
          let token = try kept(token(device.plainToken, device.sealedToken, device.tokenHash))
          try await database.write(
            SealDevice(sealedToken: token.sealed, deviceID: device.id, tokenHash: token.hash))
        } catch is UnsealError {
          failures += 1
        }
      }
      guard devices.count == Self.batch, let end = devices.last else { return failures }
      last = end.id
    }
  }

  private func token(_ plain: String?, _ sealed: [UInt8]?, _ hash: [UInt8]) throws -> String {
    if let plain { return plain }
    return String(decoding: try seal.open(sealed ?? [], associated: Self.purpose + hash), as: UTF8.self)
  }
}

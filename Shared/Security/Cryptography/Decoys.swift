import Environment
import Synchronization

/// Hashes that no password has, for usernames that do not exist, as costly to check as stored ones.
///
/// After a change of parameters the stored hashes have several costs, until their users log in. If all decoys had one
/// cost, a client that measures response times would learn which names are users'. So each cost gets the share of names
/// that it has of the stored hashes. Which name has which cost cannot be computed without the key, and does not change
/// while the shares do not.
final class Decoys: Sendable {
  private let key: [UInt8]
  private let salt: [UInt8]
  private let digest: [UInt8]
  private let stored: Mutex<[(parameters: ScryptParameters, count: Int)]>

  init(_ parameters: ScryptParameters, key: [UInt8], _ randomness: any Randomness) {
    self.key = key
    // Random, not computed: no password has this hash.
    (salt, digest) = (randomness.bytes(16), randomness.bytes(32))
    stored = Mutex([(parameters, 1)])
  }

  /// Sets the shares to those of the hashes that are stored.
  func imitate(_ hashes: [(parameters: ScryptParameters, count: Int)]) {
    precondition(hashes.contains { $0.count > 0 }, "a decoy is like something")
    stored.withLock { $0 = hashes }
  }

  /// The decoy hash for the name that `subject` stands for.
  func hash(for subject: [UInt8]) -> PasswordHash {
    let number = Digest.hmacSHA256(subject, key: key).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let parameters = stored.withLock { stored in
      // The number as a fraction of all hashes. As floating point, whose error is far below a share that can be
      // measured.
      let total = stored.reduce(0) { $0 + $1.count }
      var place = Int(Double(number) / 0x1p64 * Double(total))
      return stored.first { one in
        place -= one.count
        return place < 0
      }?.parameters ?? stored[stored.count - 1].parameters
    }
    return PasswordHash(parameters: parameters, salt: salt, hash: digest)
  }
}

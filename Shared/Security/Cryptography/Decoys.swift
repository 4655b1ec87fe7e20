import Environment
import Synchronization

/// Hashes that no password has, for names that nobody has, as costly to check as stored ones.
///
/// After a change of parameters there are stored hashes of several, until their owners log in. Were all decoys alike, whoever measures would
/// see that the others are users. So a share of the names has each cost, as large as that of the hashes which have it; which name has which
/// is known to nobody without the key, and does not change while the shares do not.
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

  /// Takes the shares from hashes that are stored.
  func imitate(_ hashes: [(parameters: ScryptParameters, count: Int)]) {
    precondition(hashes.contains { $0.count > 0 }, "a decoy is like something")
    stored.withLock { $0 = hashes }
  }

  /// The hash of whoever has the name that `subject` stands for.
  func hash(for subject: [UInt8]) -> PasswordHash {
    let number = Digest.hmacSHA256(subject, key: key).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let parameters = stored.withLock { stored in
      // The number as a fraction of all hashes. As floating point, whose error is far below a share that anybody could measure.
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

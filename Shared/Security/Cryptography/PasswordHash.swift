import Base64
import Environment
import COpenSSL
import WorkerPool

/// The cost of one scrypt hash (RFC 7914).
public struct ScryptParameters: Sendable, Hashable {
  /// The base-2 logarithm of the cost N; memory is 128 · N · r bytes.
  public let logN: Int
  /// The block size r.
  public let blockSize: Int
  /// The parallelisation p; the p parts are computed one after the other here.
  public let parallelism: Int

  /// `nil` above 512 MiB or 16 passes, so that a damaged row cannot stop the service.
  public init?(logN: Int, blockSize: Int, parallelism: Int) {
    guard (1...20).contains(logN), (1...32).contains(blockSize), (1...16).contains(parallelism),
      128 * blockSize << logN <= 512 << 20
    else { return nil }
    self.init(uncheckedLogN: logN, blockSize, parallelism)
  }

  private init(uncheckedLogN: Int, _ blockSize: Int, _ parallelism: Int) {
    (self.logN, self.blockSize, self.parallelism) = (uncheckedLogN, blockSize, parallelism)
  }

  /// N = 2^15, r = 8, p = 3: 32 MiB, one of the equivalent sets of OWASP's Password Storage Cheat Sheet.
  public static let owasp = ScryptParameters(uncheckedLogN: 15, 8, 3)

  /// N = 2^4, r = 1, p = 1: hardly any protection, for tests that are not about hashing.
  public static let cheapForTests = ScryptParameters(uncheckedLogN: 4, 1, 1)

  var maximumMemory: UInt64 {
    // The working set as OpenSSL computes it: a few blocks more than 128·N·r.
    UInt64(128 * blockSize << logN) + UInt64(128 * blockSize * (parallelism + 4)) + 1 << 20
  }
}

/// A password as it is stored: salted, slow to guess, with its own parameters.
///
/// Its text is in PHC string format: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, both in base 64 without padding.
public struct PasswordHash: Sendable, Hashable {
  /// The parameters that this hash was made with.
  public let parameters: ScryptParameters
  let salt: [UInt8]
  let hash: [UInt8]

  private static let saltLength = 16
  private static let hashLength = 32

  /// Hashes `password` with a new salt; blocks its thread for the whole computation (see `PasswordHasher`).
  public init(
    of password: [UInt8], _ parameters: ScryptParameters, randomness: some Randomness, on thread: borrowing PoolThread
  ) throws(OpenSSLError) {
    let salt = randomness.bytes(Self.saltLength)
    self.init(
      parameters: parameters, salt: salt,
      hash: try Self.scrypt(password, salt: salt, parameters, length: Self.hashLength))
  }

  init(parameters: ScryptParameters, salt: [UInt8], hash: [UInt8]) {
    (self.parameters, self.salt, self.hash) = (parameters, salt, hash)
  }

  /// Whether `password` is the one hashed; compares in constant time and blocks its thread for the whole computation.
  public func matches(_ password: [UInt8], on thread: borrowing PoolThread) throws(OpenSSLError) -> Bool {
    let candidate = try Self.scrypt(password, salt: salt, parameters, length: hash.count)
    return Digest.constantTimeEquals(candidate, hash)
  }

  /// Whether the password should be hashed again at its next use because its parameters differ from `wanted`.
  public func needsRehash(for wanted: ScryptParameters) -> Bool {
    parameters != wanted || salt.count != Self.saltLength || hash.count != Self.hashLength
  }

  static func scrypt(
    _ password: [UInt8], salt: [UInt8], _ parameters: ScryptParameters, length: Int
  ) throws(OpenSSLError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: length)
    let status = password.withUnsafeBytes { password in
      EVP_PBE_scrypt(
        password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
        1 << UInt64(parameters.logN), UInt64(parameters.blockSize), UInt64(parameters.parallelism),
        parameters.maximumMemory, &key, length)
    }
    try require(status, "hashing a password")
    return key
  }
}

extension PasswordHash: LosslessStringConvertible {
  /// The PHC string to store.
  public var description: String {
    "$scrypt$ln=\(parameters.logN),r=\(parameters.blockSize),p=\(parameters.parallelism)"
      + "$\(PHCBase64.encode(salt))$\(PHCBase64.encode(hash))"
  }

  /// Reads a PHC string; `nil` for another algorithm, parameters out of bounds, or lengths under 8 and 16 bytes.
  public init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
      let parameters = Self.parameters(parts[2]),
      let salt = PHCBase64.decode(parts[3]), (8...64).contains(salt.count),
      let hash = PHCBase64.decode(parts[4]), (16...64).contains(hash.count)
    else { return nil }
    self.init(parameters: parameters, salt: salt, hash: hash)
  }

  private static func parameters(_ text: Substring) -> ScryptParameters? { ScryptParameters(phc: text) }
}

extension ScryptParameters {
  /// Reads the parameters of a PHC string, the text between its second and third `$`: `ln=15,r=8,p=3`; `nil` for
  /// anything else.
  public init?(phc text: some StringProtocol) {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 3, fields[0].hasPrefix("ln="), fields[1].hasPrefix("r="), fields[2].hasPrefix("p="),
      let logN = Int(fields[0].dropFirst(3)), let blockSize = Int(fields[1].dropFirst(2)),
      let parallelism = Int(fields[2].dropFirst(2))
    else { return nil }
    self.init(logN: logN, blockSize: blockSize, parallelism: parallelism)
  }
}

/// PHC's base 64: the standard alphabet without padding.
private enum PHCBase64 {
  static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: Base64URL.encode(bytes).utf8.map(standard), as: UTF8.self)
  }

  static func decode(_ text: Substring) -> [UInt8]? {
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return nil }
    return Base64URL.decode(text.utf8.map(urlSafe))
  }

  private static func standard(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: character
    }
  }

  private static func urlSafe(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: character
    }
  }
}

import COpenSSL

/// SHA-256, SHA-512 and HMAC.
public enum Digest {
  /// The SHA-256 of `bytes`: 32 bytes (FIPS 180-4).
  public static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      SHA256(input, input.count, digest.baseAddress)
      count = 32
    }
  }

  /// The SHA-512 of `bytes`: 64 bytes (FIPS 180-4).
  public static func sha512(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    return [UInt8](unsafeUninitializedCapacity: 64) { digest, count in
      SHA512(input, input.count, digest.baseAddress)
      count = 64
    }
  }

  /// The HMAC-SHA-256 of `bytes` under `key`: 32 bytes (RFC 2104).
  public static func hmacSHA256(_ bytes: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    let input = Array(bytes)
    return [UInt8](unsafeUninitializedCapacity: 32) { code, count in
      var length: UInt32 = 0
      let made = HMAC(EVP_sha256(), key, Int32(key.count), input, input.count, code.baseAddress, &length)
      precondition(made != nil && length == 32, "HMAC-SHA-256 is part of every OpenSSL")
      count = 32
    }
  }

  /// Whether both are the same, in a time that depends on the lengths only.
  public static func constantTimeEquals(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    first.count == second.count && CRYPTO_memcmp(first, second, first.count) == 0
  }
}

import Cryptography

/// The public key of a passkey, of the two algorithms that are asked for ([ID-11]).
package struct PasskeyKey: Sendable, Equatable {
  /// As COSE numbers them (RFC 9053).
  package enum Algorithm: Int32, Sendable, CaseIterable {
    /// Ed25519; the shorter and the first choice.
    case edDSA = -8
    /// ECDSA over P-256 with SHA-256.
    case es256 = -7
  }

  package let algorithm: Algorithm
  /// 32 bytes of an Ed25519 key, or x and y of a point of P-256, 32 bytes each.
  package let bytes: [UInt8]

  /// The key as it was stored.
  ///
  /// - Throws: `publicKey` for what is no key of the algorithm.
  package init(_ algorithm: Algorithm, _ bytes: [UInt8]) throws(PasskeyRefusal) {
    (self.algorithm, self.bytes) = (algorithm, bytes)
    guard verifier() != nil else { throw .publicKey }
  }

  /// Reads a COSE_Key (RFC 9052) with the members that its type needs and no others, as WebAuthn asks for (section 5.8.5).
  package init(_ key: CBOR) throws(PasskeyRefusal) {
    guard case .map(let entries) = key, let number = key[.unsigned(3)]?.number,
      let algorithm = Int32(exactly: number).flatMap(Algorithm.init)
    else { throw .publicKey }
    let (kind, curve) = (key[.unsigned(1)]?.number, key[.negative(0)]?.number)
    let x = key[.negative(1)]?.byteString ?? []
    switch algorithm {
    case .edDSA:
      guard entries.count == 4, kind == 1, curve == 6 else { throw .publicKey }
      try self.init(algorithm, x)
    case .es256:
      guard entries.count == 5, kind == 2, curve == 1, x.count == 32, let y = key[.negative(2)]?.byteString else {
        throw .publicKey
      }
      try self.init(algorithm, x + y)
    }
  }

  /// Whether `signature` is the key's over `message`.
  package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    verifier()?(signature, message) ?? false
  }

  /// What checks signatures; `nil` when the bytes are no key.
  private func verifier() -> ((_ signature: [UInt8], _ message: [UInt8]) -> Bool)? {
    do throws(OpenSSLError) {
      switch algorithm {
      case .edDSA:
        let key = try VerificationKey(publicKey: bytes)
        return { key.isValid($0, for: $1) }
      case .es256:
        let key = try ECDSAKey(coordinates: bytes)
        return { key.isValid($0, for: $1) }
      }
    } catch {
      // Which fault OpenSSL found makes no difference: it is no key.
      return nil
    }
  }
}

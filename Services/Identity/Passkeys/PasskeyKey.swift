import Cryptography

/// The public key of a passkey, of one of the two supported algorithms ([ID-11]).
package struct PasskeyKey: Sendable, Equatable {
  /// Numbered as in COSE (RFC 9053).
  package enum Algorithm: Int32, Sendable, CaseIterable {
    /// Ed25519; the shorter key, and preferred.
    case edDSA = -8
    /// ECDSA over P-256 with SHA-256.
    case es256 = -7
  }

  package let algorithm: Algorithm
  /// The 32 bytes of an Ed25519 key, or x and y of a point of P-256, 32 bytes each.
  package let bytes: [UInt8]

  /// A stored key.
  ///
  /// - Throws: `publicKey` if the bytes are not a key of the algorithm.
  package init(_ algorithm: Algorithm, _ bytes: [UInt8]) throws(PasskeyRefusal) {
    (self.algorithm, self.bytes) = (algorithm, bytes)
    guard verifier() != nil else { throw .publicKey }
  }

  /// Parses a COSE_Key (RFC 9052) that must have exactly the members of its type, as WebAuthn requires (section 5.8.5).
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

  package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    verifier()?(signature, message) ?? false
  }

  /// A function that verifies signatures; `nil` when the bytes are not a key.
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
      // Whatever error OpenSSL found, the bytes are not a key.
      return nil
    }
  }
}

/// The data that an authenticator returns and signs (WebAuthn, section 6.1).
package struct AuthenticatorData: Sendable, Equatable {
  /// A newly created passkey.
  package struct NewCredential: Sendable, Equatable {
    package let id: [UInt8]
    package let key: PasskeyKey
  }

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let userPresent = Flags(rawValue: 0x01)
    static let userVerified = Flags(rawValue: 0x04)
    static let hasCredential = Flags(rawValue: 0x40)
    static let hasExtensions = Flags(rawValue: 0x80)
  }

  /// SHA-256 of the relying party id that was given to the authenticator.
  package let relyingPartyHash: [UInt8]
  package let isUserPresent: Bool
  package let isUserVerified: Bool
  /// Increases with every signature; always 0 if the authenticator does not count.
  package let signCount: UInt32
  package let credential: NewCredential?

  /// The maximum length of a credential id in bytes; WebAuthn Level 3 sets the limit, Level 2 none.
  package static let maxCredentialIDLength = 1_023

  /// Parses the bytes, which must be consumed completely.
  package init(_ bytes: [UInt8]) throws(PasskeyRefusal) {
    guard bytes.count >= 37 else { throw .authenticatorData }
    let flags = Flags(rawValue: bytes[32])
    relyingPartyHash = Array(bytes[..<32])
    isUserPresent = flags.contains(.userPresent)
    isUserVerified = flags.contains(.userVerified)
    signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    var rest = bytes[37...]
    credential = flags.contains(.hasCredential) ? try Self.credential(&rest) : nil
    if flags.contains(.hasExtensions) {
      guard case .map = try Self.value(&rest) else { throw .authenticatorData }
    }
    guard rest.isEmpty else { throw .authenticatorData }
  }

  private static func credential(_ rest: inout ArraySlice<UInt8>) throws(PasskeyRefusal) -> NewCredential {
    // The first 16 bytes are the authenticator's model, which is not attested.
    guard rest.count >= 18 else { throw .authenticatorData }
    let length = rest.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(18)
    guard (1...maxCredentialIDLength).contains(length) else { throw .credentialID }
    guard rest.count >= length else { throw .authenticatorData }
    let id = Array(rest.prefix(length))
    rest = rest.dropFirst(length)
    return NewCredential(id: id, key: try PasskeyKey(try value(&rest)))
  }

  private static func value(_ rest: inout ArraySlice<UInt8>) throws(PasskeyRefusal) -> CBOR {
    do throws(CBOR.Malformed) { return try CBOR(taking: &rest) } catch { throw .authenticatorData }
  }
}

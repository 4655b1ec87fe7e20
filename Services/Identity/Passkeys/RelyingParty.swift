import Cryptography

/// The WebAuthn relying party and its checks (WebAuthn Level 2, sections 7.1 and 7.2).
///
/// Without I/O: the caller checks that the challenge was issued and is used once, and that the counter has increased.
package struct RelyingParty: Sendable, Equatable {
  /// The domain that passkeys belong to, e.g. `tandem.example`.
  package let id: String
  /// The name that users see.
  package let name: String
  /// The origins of the pages that may use passkeys, e.g. `https://app.tandem.example`.
  package let origins: [String]

  package init(id: String, name: String, origins: [String]) {
    (self.id, self.name, self.origins) = (id, name, origins)
  }

  /// Checks a registration and returns its passkey.
  ///
  /// - Parameter attestationObject: a map of `fmt`, `attStmt` and `authData`.
  package func newCredential(
    _ client: ClientData, attestationObject: [UInt8]
  ) throws(PasskeyRefusal) -> (credential: AuthenticatorData.NewCredential, signCount: UInt32) {
    try checkOrigin(client)
    let data = try AuthenticatorData(try Self.unattested(attestationObject))
    try check(data)
    guard let credential = data.credential else { throw .authenticatorData }
    return (credential, data.signCount)
  }

  /// Checks a login by a passkey and returns its sign counter.
  ///
  /// - Parameter key: `nil` for an unknown passkey; the error is then the same as for a wrong signature.
  package func signCount(
    _ client: ClientData, authenticatorData: [UInt8], signature: [UInt8], key: PasskeyKey?
  ) throws(PasskeyRefusal) -> UInt32 {
    try checkOrigin(client)
    let data = try AuthenticatorData(authenticatorData)
    try check(data)
    guard data.credential == nil else { throw .authenticatorData }
    guard let key, key.isValid(signature, for: authenticatorData + client.hash) else { throw .signature }
    return data.signCount
  }

  /// Whether a sign counter is valid after the last one: it must increase, unless the authenticator does not count
  /// (section 7.2, step 21).
  package static func counts(_ signCount: UInt32, after last: UInt32) -> Bool {
    signCount > last || (signCount == 0 && last == 0)
  }

  private func checkOrigin(_ client: ClientData) throws(PasskeyRefusal) {
    guard origins.contains(client.origin), !client.isCrossOrigin else { throw .origin }
  }

  private func check(_ data: AuthenticatorData) throws(PasskeyRefusal) {
    guard data.relyingPartyHash == Digest.sha256(id.utf8) else { throw .relyingParty }
    guard data.isUserPresent else { throw .userPresence }
    // A passkey is the only factor, so possession alone is not enough.
    guard data.isUserVerified else { throw .userVerification }
  }

  /// The authenticator data of an attestation object with an empty statement.
  private static func unattested(_ object: [UInt8]) throws(PasskeyRefusal) -> [UInt8] {
    let map: CBOR
    do throws(CBOR.Malformed) { map = try CBOR(whole: object) } catch { throw .attestationObject }
    guard case .map(let entries) = map, entries.count == 3, case .text(let format) = map[.text("fmt")],
      let statement = map[.text("attStmt")], let data = map[.text("authData")]?.byteString
    else { throw .attestationObject }
    guard format == "none", statement == .map([]) else { throw .attestation }
    return data
  }
}

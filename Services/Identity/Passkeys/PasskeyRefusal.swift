/// The step of WebAuthn Level 2 (section 7.1 for a new passkey, 7.2 for a login) that what a client sent does not pass.
package enum PasskeyRefusal: String, Error, Sendable, Hashable, CaseIterable {
  /// The client data are no JSON object with a type, a challenge and an origin, each once.
  case clientData = "CLIENT_DATA"
  /// The ceremony was another one.
  case type = "TYPE"
  /// The challenge was not given out for this, is over five minutes old, or was used.
  case challenge = "CHALLENGE"
  /// The page was not one of ours, or it was within another site's.
  case origin = "ORIGIN"
  /// The attestation object is not the map of three that it must be, in canonical CBOR.
  case attestationObject = "ATTESTATION_OBJECT"
  /// The attestation is not "none", the only kind that is asked for.
  case attestation = "ATTESTATION"
  /// The authenticator data have not the shape that their flags announce.
  case authenticatorData = "AUTHENTICATOR_DATA"
  /// The authenticator made it for another site.
  case relyingParty = "RELYING_PARTY"
  /// Nobody touched the authenticator.
  case userPresence = "USER_PRESENCE"
  /// The authenticator did not verify who touched it.
  case userVerification = "USER_VERIFICATION"
  /// The key is of an algorithm that was not asked for, or no key at all.
  case publicKey = "PUBLIC_KEY"
  /// The credential's id has a length that is not allowed.
  case credentialID = "CREDENTIAL_ID"
  /// The passkey is unknown, is not whose the client says, or did not make the signature.
  case signature = "SIGNATURE"
  /// The sign counter did not go up: somebody may have a copy of the passkey.
  case counter = "COUNTER"
}

/// The step of WebAuthn Level 2 (section 7.1 for a new passkey, 7.2 for a login) that the client's data failed.
package enum PasskeyRefusal: String, Error, Sendable, Hashable, CaseIterable {
  /// The client data are not a JSON object with exactly one type, challenge and origin.
  case clientData = "CLIENT_DATA"
  /// The client data belong to another ceremony.
  case type = "TYPE"
  /// The challenge was not issued for this ceremony, is over five minutes old, or was used.
  case challenge = "CHALLENGE"
  /// The page does not have one of the allowed origins, or was embedded in another site's page.
  case origin = "ORIGIN"
  /// The attestation object is not a map of three members in canonical CBOR.
  case attestationObject = "ATTESTATION_OBJECT"
  /// The attestation is not "none", the only supported kind.
  case attestation = "ATTESTATION"
  /// The authenticator data do not have the form that their flags indicate.
  case authenticatorData = "AUTHENTICATOR_DATA"
  /// The authenticator created the passkey for another site.
  case relyingParty = "RELYING_PARTY"
  /// The user did not touch the authenticator.
  case userPresence = "USER_PRESENCE"
  /// The authenticator did not verify the user.
  case userVerification = "USER_VERIFICATION"
  /// The key is invalid or of an unsupported algorithm.
  case publicKey = "PUBLIC_KEY"
  /// The length of the credential id is not allowed.
  case credentialID = "CREDENTIAL_ID"
  /// The passkey is unknown, belongs to another user than the client says, or did not create the signature.
  case signature = "SIGNATURE"
  /// The sign counter did not increase: a copy of the passkey may exist.
  case counter = "COUNTER"
}

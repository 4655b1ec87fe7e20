import IdentityPasskeys

/// Unsigned data of an authenticator: CBOR, then authenticator data, client data and an attestation object.
enum PasskeyFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let bytes = Array(bytes)
    do throws(CBOR.Malformed) {
      var rest = bytes[...]
      let value = try CBOR(taking: &rest)
      let again = try CBOR(whole: Array(bytes.prefix(bytes.count - rest.count)))
      precondition(value == again, "a value depends on what follows it")
    } catch {}
    let party = RelyingParty(id: "tandem.example", name: "Tandem", origins: ["https://tandem.example"])
    do throws(PasskeyRefusal) { _ = try AuthenticatorData(bytes) } catch {}
    do throws(PasskeyRefusal) { _ = try ClientData(bytes, of: .login) } catch {}
    do throws(PasskeyRefusal) {
      let client = try ClientData(Self.client, of: .registration)
      _ = try party.newCredential(client, attestationObject: bytes)
    } catch {}
  }

  private static let client = Array(
    #"{"type":"webauthn.create","challenge":"AAAA","origin":"https://tandem.example"}"#.utf8)
}

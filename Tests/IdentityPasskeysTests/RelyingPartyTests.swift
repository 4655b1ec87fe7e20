import IdentityPasskeys
import Testing

@Suite("rules of passkeys")
struct RelyingPartyTests {
  @Test("[ID-11] a sign counter goes up, or is always zero")
  func counters() {
    #expect(RelyingParty.counts(1, after: 0) && RelyingParty.counts(.max, after: 4) && RelyingParty.counts(0, after: 0))
    #expect(!RelyingParty.counts(4, after: 4) && !RelyingParty.counts(3, after: 4) && !RelyingParty.counts(0, after: 4))
  }

  @Test("[ID-11] client data of another length, type or shape are refused")
  func clientData() {
    func refusal(_ text: String) -> PasskeyRefusal? {
      do throws(PasskeyRefusal) { _ = try ClientData(Array(text.utf8), of: .login) } catch { return error }
      return nil
    }
    let good = #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://tandem.example","other":{"type":1}}"#
    #expect(refusal(good) == nil)
    #expect(refusal(good + String(repeating: " ", count: 4_096)) == .clientData)
    #expect(refusal(good.replacing("webauthn.get", with: "webauthn.create")) == .type)
    #expect(refusal(good.replacing("AAAA", with: "AA=A")) == .challenge)
    #expect(refusal(good.replacing(#""AAAA""#, with: "7")) == .clientData)
    #expect(refusal("[]") == .clientData)
    #expect(refusal(#"{"type":"webauthn.get","ty\u0070e":"webauthn.get","challenge":"","origin":""}"#) == .clientData)
  }

  @Test("[ID-11] authenticator data that are cut off anywhere are refused")
  func cutOff() throws {
    let key: [UInt8] = [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + ed25519
    let whole =
      [UInt8](repeating: 3, count: 32) + [0x45, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 16) + [0, 2, 7, 8] + key
    let data = try AuthenticatorData(whole)
    #expect(data.signCount == 9 && data.credential?.id == [7, 8] && data.isUserPresent && data.isUserVerified)
    #expect(data.credential?.key.algorithm == .edDSA && data.credential?.key.bytes == ed25519)
    for length in 0..<whole.count {
      #expect(throws: PasskeyRefusal.self, "\(length)") { try AuthenticatorData(Array(whole[..<length])) }
    }
    #expect(throws: PasskeyRefusal.authenticatorData) { try AuthenticatorData(whole + [0]) }
  }

  /// The first test vector of RFC 8032, section 7.1.
  private let ed25519: [UInt8] = [
    0xD7, 0x5A, 0x98, 0x01, 0x82, 0xB1, 0x0A, 0xB7, 0xD5, 0x4B, 0xFE, 0xD3, 0xC9, 0x64, 0x07, 0x3A, 0x0E, 0xE1, 0x72,
    0xF3, 0xDA, 0xA6, 0x23, 0x25, 0xAF, 0x02, 0x1A, 0x68, 0xF7, 0x07, 0x51, 0x1A,
  ]
}

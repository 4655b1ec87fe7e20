import Base64
import Identifiers
import TestSupport
import Testing

@testable import Cryptography

@Suite struct AccessTokenTests {
  private let now = Instant(microseconds: 1_768_478_400_000_000)
  private let key: SigningKey
  private let claims: AccessClaims

  init() throws {
    key = try SigningKey(randomness: SeededRandomness(seed: 11))
    claims = AccessClaims(
      subject: UUID7(high: 1, low: 2), session: UUID7(high: 3, low: 4), tokenID: UUID7(high: 5, low: 6), issuedAt: now,
      expiresAt: now + .seconds(600), scope: "user")
  }

  private func refusal(_ token: String, at instant: Instant? = nil) -> TokenRefusal? {
    do throws(TokenRefusal) {
      _ = try AccessToken.verify(token, for: .tandem, keys: [key.id: key.verificationKey], at: instant ?? now)
      return nil
    } catch {
      return error
    }
  }

  private func signed(header: String, payload: String, with signer: SigningKey? = nil) throws -> String {
    let input = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
    return input + "." + Base64URL.encode(try (signer ?? key).signature(for: input.utf8))
  }

  private var header: String { #"{"alg":"EdDSA","kid":"\#(key.id)","typ":"at+jwt"}"# }

  private func payload(_ changes: [String: String?] = [:]) -> String {
    var members = [
      "iss": #""tandem-identity""#, "aud": #""tandem""#, "sub": "\"\(claims.subject)\"", "sid": "\"\(claims.session)\"",
      "jti": "\"\(claims.tokenID)\"", "iat": "1768478400", "exp": "1768479000", "scope": #""user""#,
    ]
    for (name, value) in changes { members[name] = value }
    return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  @Test("the example of RFC 8037, appendix A, has its signature, its verdict and its thumbprint")
  func example() throws {
    let seed = try #require(Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
    let key = try SigningKey(seed: seed)
    #expect(Base64URL.encode(key.verificationKey.publicKey) == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
    #expect(key.id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    let input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
    let signature = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
    #expect(Base64URL.encode(try key.signature(for: input.utf8)) == signature)
    let signed = try #require(JSONWebSignature(input + "." + signature))
    #expect(key.verificationKey.isValid(signed.signature, for: signed.signingInput))
    #expect(String(decoding: signed.payload, as: UTF8.self) == "Example of Ed25519 signing")
  }

  @Test("[ID-5] a token says what it was made to say")
  func roundTrip() throws {
    let token = try AccessToken.sign(claims, for: .tandem, with: key)
    let read = try AccessToken.verify(token, for: .tandem, keys: [key.id: key.verificationKey], at: now)
    #expect(read == claims)
    #expect(token.split(separator: ".").count == 3)
    #expect(try refusal(signed(header: header, payload: payload())) == nil)
  }

  @Test("[C-1] a token is good until the second it expires in")
  func expiry() throws {
    let token = try AccessToken.sign(claims, for: .tandem, with: key)
    #expect(refusal(token, at: now + .milliseconds(599_999)) == nil)
    #expect(refusal(token, at: now + .seconds(600)) == .expired)
    #expect(refusal(token, at: now - .seconds(60)) == nil)
    #expect(refusal(token, at: now - .seconds(61)) == .invalid)
  }

  @Test("[C-1] no changed character leaves a token good")
  func tampering() throws {
    let token = try AccessToken.sign(claims, for: .tandem, with: key)
    for index in token.indices {
      var changed = token
      changed.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
      #expect(refusal(changed) == .invalid)
    }
    for length in 0..<token.count { #expect(refusal(String(token.prefix(length))) == .invalid) }
    #expect(refusal(token + "A") == .invalid)
    #expect(refusal(token + "=") == .invalid)
    #expect(refusal(token + ".") == .invalid)
    #expect(refusal(" " + token) == .invalid)
    #expect(refusal(String(repeating: "A", count: 100_000)) == .invalid)
  }

  @Test(
    "[C-1] no algorithm but EdDSA and no key but a known one is accepted",
    arguments: [
      #"{"alg":"none","kid":"KID","typ":"at+jwt"}"#, #"{"alg":"HS256","kid":"KID","typ":"at+jwt"}"#,
      #"{"alg":"eddsa","kid":"KID","typ":"at+jwt"}"#, #"{"kid":"KID","typ":"at+jwt"}"#,
      #"{"alg":"EdDSA","typ":"at+jwt"}"#,
      #"{"alg":"EdDSA","kid":"other","typ":"at+jwt"}"#, #"{"alg":"EdDSA","kid":"KID"}"#,
      #"{"alg":"EdDSA","kid":"KID","typ":"JWT"}"#, #"{"alg":"EdDSA","kid":"KID","typ":"at+jwt","crit":["b64"]}"#,
      #"{"alg":"none","alg":"EdDSA","kid":"KID","typ":"at+jwt"}"#,
      #"{"\u0061lg":"none","alg":"EdDSA","kid":"KID","typ":"at+jwt"}"#, "[]", "", "{",
    ])
  func headers(template: String) throws {
    let token = try signed(header: template.replacing("KID", with: key.id), payload: payload())
    #expect(refusal(token) == .invalid)
  }

  @Test("[C-1] an unsigned token is refused, whatever its header says")
  func unsigned() throws {
    let token = try AccessToken.sign(claims, for: .tandem, with: key)
    let parts = token.split(separator: ".")
    #expect(refusal("\(parts[0]).\(parts[1]).") == .invalid)
    let none = Base64URL.encode(Array(#"{"alg":"none","kid":"\#(key.id)","typ":"at+jwt"}"#.utf8))
    #expect(refusal("\(none).\(parts[1]).") == .invalid)
    #expect(refusal("\(none).\(parts[1]).\(parts[2])") == .invalid)
  }

  @Test(
    "[C-1] claims that are missing, doubled, of another type or realm are refused",
    arguments: [
      ("iss", #""other""#), ("aud", #""other""#), ("aud", #"["tandem"]"#), ("sub", nil), ("sid", nil), ("jti", nil),
      ("exp", nil), ("scope", nil), ("sub", #""admin""#), ("exp", #""1768479000""#), ("exp", "1e400"), ("exp", "-1"),
      ("exp", "1768478400"), ("iat", "9223372036854775807"), ("exp", "9223372036854775807"),
      ("scope", #""user","scope":"service""#), ("scope", #""""#), ("scope", #""users""#), ("scope", #""read mail""#),
    ] as [(String, String?)])
  func badClaims(name: String, value: String?) throws {
    #expect(try refusal(signed(header: header, payload: payload([name: value]))) == .invalid)
  }

  @Test("[C-1] a token that is good for more beside is good")
  func wideScope() throws {
    #expect(try refusal(signed(header: header, payload: payload(["scope": #""read user mail""#]))) == nil)
  }

  @Test("[C-1] another key's token is refused even under our key's id")
  func otherKey() throws {
    let other = try SigningKey(randomness: SeededRandomness(seed: 12))
    #expect(try refusal(signed(header: header, payload: payload(), with: other)) == .invalid)
    #expect(try refusal(AccessToken.sign(claims, for: .tandem, with: other)) == .invalid)
  }

  @Test("claims that a later version adds do not disturb")
  func additions() throws {
    #expect(try refusal(signed(header: header, payload: payload(["amr": #"["pwd",{"sub":1}]"#]))) == nil)
  }

  @Test("after a rotation both keys' tokens are good, and only the new key signs")
  func rotation() throws {
    let next = try SigningKey(randomness: SeededRandomness(seed: 13))
    let ring = KeyRing(signing: key).rotated(to: next)
    #expect(ring.signing.id == next.id)
    #expect(ring.verificationKeys.map(\.id) == [next.id, key.id])
    let verifier = TokenVerifier(ring.verificationKeys)
    #expect(try verifier.verify(AccessToken.sign(claims, for: .tandem, with: key), at: now) == claims)
    #expect(try verifier.verify(AccessToken.sign(claims, for: .tandem, with: next), at: now) == claims)
    #expect(ring.jsonWebKeySet.contains(#""kid":"\#(key.id)""#))
  }

  @Test("a ring is read from a key file: what signs first, then what is retired")
  func keyFile() throws {
    let next = try SigningKey(randomness: SeededRandomness(seed: 14))
    let retired = try #require(String(validating: try key.pem().utf8, as: UTF8.self))
    let ring = try KeyRing(pem: "# comment\n" + next.pem() + "\n" + retired)
    #expect(ring.signing.id == next.id)
    #expect(ring.verificationKeys.map(\.id) == [next.id, key.id])
    #expect(throws: OpenSSLError.self) { try KeyRing(pem: "") }
    #expect(throws: OpenSSLError.self) {
      try KeyRing(pem: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")
    }
  }
}

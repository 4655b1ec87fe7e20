import Base64
import TestSupport
import Testing

@testable import Cryptography

@Suite struct SecretTests {
  private let randomness = SeededRandomness(seed: 31)

  @Test("[ID-4] a secret's text leads back to it and its hash is that of its bytes")
  func roundTrip() throws {
    let secret = SecretToken(randomness: randomness)
    #expect(secret.text.count == 43)
    let read = try #require(SecretToken(secret.text))
    #expect(read == secret)
    #expect(read.hash == secret.hash)
    #expect(secret.hash == Digest.sha256(Base64URL.decode(secret.text) ?? []))
    #expect(secret != SecretToken(randomness: randomness))
  }

  @Test("a secret does not show in text made of it")
  func redaction() {
    let secret = SecretToken(randomness: randomness)
    var dumped = ""
    dump(secret, to: &dumped)
    let shown = "\(secret) \(String(reflecting: secret)) \([secret]) \(["key": secret]) \(dumped)"
    #expect(!shown.contains(secret.text))
    #expect(!shown.contains("[\(Base64URL.decode(secret.text)?.first ?? 0)"))
  }

  @Test(
    "a secret has one spelling",
    arguments: ["", "A", String(repeating: "A", count: 42), String(repeating: "A", count: 44)])
  func badText(text: String) {
    #expect(SecretToken(text) == nil)
  }

  @Test("base64url is RFC 4648's, without padding and with one spelling for the same bytes")
  func base64() {
    #expect(
      ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map { Base64URL.encode(Array($0.utf8)) }
        == ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy"])
    #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
    for bad in ["Zg==", "Zh", "Zm9", "A", "Z g", "+/8", "Zg\n", "Zgé"] { #expect(Base64URL.decode(bad) == nil) }
    for length in 0..<100 {
      let bytes = randomness.bytes(length)
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
  }

  @Test("digests are those of FIPS 180-4 and RFC 4231")
  func digests() {
    #expect(Digest.sha256("abc".utf8) == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    #expect(
      Digest.hmacSHA256("what do ya want for nothing?".utf8, key: Array("Jefe".utf8))
        == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    #expect(Digest.constantTimeEquals([1, 2], [1, 2]))
    #expect(!Digest.constantTimeEquals([1, 2], [1, 3]))
    #expect(!Digest.constantTimeEquals([1, 2], [1]))
    #expect(Digest.constantTimeEquals([], []))
  }
}

@Suite struct SealTests {
  private let randomness = SeededRandomness(seed: 32)

  private func key(_ id: String) throws -> SealKey {
    try #require(SealKey(id: id, bytes: randomness.bytes(32)))
  }

  @Test("AES-256-GCM gives the results of its specification's test case 16")
  func vector() throws {
    let key = hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    let plain = hex(
      """
      d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525
      b16aedf5aa0de657ba637b39
      """)
    let (nonce, associated) = (hex("cafebabefacedbaddecaf888"), hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
    let expected = hex(
      """
      522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838
      c5f61e6393ba7a0abcc9f662 76fc6ece0f4e1768cddf8853bb2d551b
      """)
    #expect(try AES256GCM.encrypt(plain, key: key, nonce: nonce, associated) == expected)
    #expect(try AES256GCM.decrypt(expected, key: key, nonce: nonce, associated) == plain)
  }

  @Test("what was sealed opens for the same place only", arguments: [0, 1, 15, 16, 17, 4_096])
  func roundTrip(length: Int) throws {
    let seal = Seal(current: try key("a"), randomness: randomness)
    let secret = randomness.bytes(length)
    let sealed = try seal.seal(secret, associated: [1])
    #expect(try seal.open(sealed, associated: [1]) == secret)
    #expect(throws: UnsealError.notAuthentic) { try seal.open(sealed, associated: [2]) }
    #expect(try seal.seal(secret, associated: [1]) != sealed)
  }

  @Test("no changed or missing byte opens")
  func tampering() throws {
    let seal = Seal(current: try key("key-1"), randomness: randomness)
    let sealed = try seal.seal(Array("secret".utf8), associated: [])
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: UnsealError.self) { try seal.open(changed, associated: []) }
      #expect(throws: UnsealError.self) { try seal.open(Array(sealed[..<index]), associated: []) }
    }
    #expect(throws: UnsealError.self) { try seal.open(sealed + [0], associated: []) }
  }

  @Test("after a rotation the old key still opens, and says that it should be replaced")
  func rotation() throws {
    let (old, new) = (try key("2025"), try key("2026"))
    let sealed = try Seal(current: old, randomness: randomness).seal([1, 2, 3], associated: [])
    let rotated = Seal(current: new, retired: [old], randomness: randomness)
    #expect(try rotated.open(sealed, associated: []) == [1, 2, 3])
    #expect(rotated.needsReseal(sealed))
    #expect(try !rotated.needsReseal(rotated.seal([1], associated: [])))
    #expect(throws: UnsealError.unknownKey(id: "2025")) { try Seal(current: new).open(sealed, associated: []) }
  }

  @Test("a key is read from its line, and shows its id only")
  func keyLine() throws {
    let key = try key("2026-01")
    #expect(SealKey(line: key.line)?.bytes == key.bytes)
    #expect("\(key)" == "SealKey(2026-01)")
    for bad in ["", "a", "a:AAAA", ":\(key.line.dropFirst(8))", "a b:\(key.line.dropFirst(8))", key.line + ":"] {
      #expect(SealKey(line: bad) == nil)
    }
  }
}

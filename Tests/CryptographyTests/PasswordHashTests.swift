import Environment
import Synchronization
import TestSupport
import Testing
import WorkerPool

@testable import Cryptography

@Suite struct PasswordHashTests {
  private let randomness = SeededRandomness(seed: 7)

  @Test(
    "scrypt gives the results of RFC 7914, section 12",
    arguments: [
      (
        "", "", [4, 1, 1],
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
      (
        "password", "NaCl", [10, 8, 16],
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", [14, 8, 1],
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ])
  func vectors(password: String, salt: String, numbers: [Int], expected: String) throws {
    let parameters = try #require(
      ScryptParameters(logN: numbers[0], blockSize: numbers[1], parallelism: numbers[2]))
    let key = try PasswordHash.scrypt(Array(password.utf8), salt: Array(salt.utf8), parameters, length: 64)
    #expect(key == hex(expected))
  }

  @Test("a password matches its own hash and no other does")
  func matching() throws {
    let hash = try PasswordHash(of: Array("open sesame".utf8), .cheapForTests, randomness: randomness, on: .assumed())
    #expect(try hash.matches(Array("open sesame".utf8), on: .assumed()))
    #expect(try !hash.matches(Array("open sesamE".utf8), on: .assumed()))
    #expect(try !hash.matches([], on: .assumed()))
  }

  @Test("the same password never has the same hash twice")
  func salting() throws {
    let first = try PasswordHash(of: [1], .cheapForTests, randomness: randomness, on: .assumed())
    let second = try PasswordHash(of: [1], .cheapForTests, randomness: randomness, on: .assumed())
    #expect(first != second)
    #expect(first.salt.count == 16)
    #expect(first.hash.count == 32)
  }

  @Test("a hash is stored in PHC format with the parameters it was made with, and read back")
  func text() throws {
    let hash = try PasswordHash(of: Array("open sesame".utf8), .owasp, randomness: randomness, on: .assumed())
    let text = hash.description
    #expect(text.hasPrefix("$scrypt$ln=15,r=8,p=3$"))
    #expect(text.count == 22 + 22 + 1 + 43)
    #expect(!text.contains("="[...]) || !text.hasSuffix("="))
    let read = try #require(PasswordHash(text))
    #expect(read == hash)
    #expect(try read.matches(Array("open sesame".utf8), on: .assumed()))
  }

  @Test("a hash made elsewhere is read, and asks for a new one with our parameters")
  func foreign() throws {
    // RFC 7914's third vector, its first 32 bytes.
    let text = "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI"
    let hash = try #require(PasswordHash(text))
    #expect(try hash.matches(Array("pleaseletmein".utf8), on: .assumed()))
    #expect(hash.needsRehash(for: .owasp))
    #expect(hash.description == text)
  }

  @Test(
    "text that is no such hash, or would cost too much, is refused",
    arguments: [
      "", "secret", "$scrypt$", "$argon2id$v=19$m=1,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=15,r=8$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=31,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=20,r=32,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=15,r=8,p=-1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=15,r=8,p=3$AAAA$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$",
      "$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAA-$AAAAAAAAAAAAAAAAAAAAAA",
    ])
  func refusedText(text: String) {
    #expect(PasswordHash(text) == nil)
  }
}

@Suite struct PasswordHasherTests {
  private let hasher = PasswordHasher(.cheapForTests, workers: 2, places: 16, randomness: SeededRandomness(seed: 8))
  private let password = Array("open sesame".utf8)

  @Test("[ID-5] a login learns whether the password is right")
  func verdicts() async throws {
    let hash = try await hasher.hash(password)
    #expect(try await hasher.verify(password, against: hash) == .init(matches: true, needsRehash: false))
    #expect(try await hasher.verify([1], against: hash) == .init(matches: false, needsRehash: false))
  }

  @Test("[ID-5] an unknown user's login is refused after the same work")
  func decoy() async throws {
    let computed = Mutex<[ScryptParameters]>([])
    let hasher = PasswordHasher(.cheapForTests, workers: 1) { parameters in computed.withLock { $0.append(parameters) }
    }
    let hash = try await hasher.hash(password)
    #expect(try await hasher.verify([1], against: hash) == .init(matches: false, needsRehash: false))
    #expect(try await hasher.verify(password, against: nil) == .init(matches: false, needsRehash: false))
    #expect(computed.withLock { $0 } == [.cheapForTests, .cheapForTests, .cheapForTests])
  }

  @Test("a hash with other parameters is right, and to be made anew")
  func rehash() async throws {
    let parameters = try #require(ScryptParameters(logN: 5, blockSize: 1, parallelism: 1))
    let old = try PasswordHash(of: password, parameters, randomness: SystemRandomness(), on: .assumed())
    #expect(try await hasher.verify(password, against: old) == .init(matches: true, needsRehash: true))
    #expect(try await hasher.verify([1], against: old) == .init(matches: false, needsRehash: false))
  }
}

import Foundation
import Testing
import WorkerPool

@testable import Cryptography

@Suite struct PasswordStrengthTests {
  private static let list = publicData("credentials/django-common-passwords-20k.txt")

  @Test(
    "[ID-3] none of the 20,000 common passwords of 8 or more characters is strong enough",
    .enabled(
      if: FileManager.default.fileExists(atPath: list.path),
      "needs \(list.path), which is not there: the common passwords were NOT checked"))
  func commonPasswords() throws {
    let all = try String(contentsOf: Self.list, encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
    let long = all.map { String(decoding: $0._nfcCodeUnits, as: UTF8.self) }.filter { $0.unicodeScalars.count >= 8 }
    #expect(all.count == 19_640)
    #expect(long.count == 8_354)
    // After an update of libzxcvbn, what appears here is added by Shared/SystemLibraries/CCommonPasswords/add.
    let accepted = long.filter { PasswordStrength(of: $0, context: [], on: .assumed()) >= .safelyUnguessable }
    #expect(accepted == [])
  }

  @Test(
    "[ID-3] nor is any of them with some letters in upper case",
    .enabled(
      if: FileManager.default.fileExists(atPath: list.path),
      "needs \(list.path), which is not there: the common passwords were NOT checked"))
  func commonPasswordsInOtherCase() throws {
    let all = try String(contentsOf: Self.list, encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
    let long = all.map { String(decoding: $0._nfcCodeUnits, as: UTF8.self) }.filter { $0.unicodeScalars.count >= 8 }
    let spellings: [(String) -> String] = [
      { $0.uppercased() }, { $0.prefix(1).uppercased() + $0.dropFirst() },
      { String($0.enumerated().map { $0 % 2 == 0 ? Character($1.uppercased()) : $1 }) },
    ]
    let accepted = long.flatMap { word in
      spellings.map { $0(word) }.filter { PasswordStrength(of: $0, context: [], on: .assumed()) >= .safelyUnguessable }
    }
    #expect(accepted == [])
  }

  @Test(
    "[ID-3] guessable passwords score under 3",
    arguments: [
      "Contrasena", "PISTACHE", "cOnTrAsEnA",
      "password", "Passw0rd1", "qwertyuiop", "12345678", "abcdefgh", "aaaaaaaaaaaaaaaa", "pe#5gz29ptzmse",
      "PE#5GZ29PTZMSE",
      "пппппппппппппп", "19842011", "\0\0\0\0\0\0\0\0\0\0",
    ])
  func weak(password: String) {
    #expect(PasswordStrength(of: password, context: [], on: .assumed()) < .safelyUnguessable)
  }

  @Test(
    "[ID-3] hard ones score 3 or more",
    arguments: ["correct horse battery staple", "kT7#vLq9!zR2", "zwölf Boxkämpfer jagen", "жираф на велосипеде"])
  func strong(password: String) {
    #expect(
      PasswordStrength(of: password, context: ["jo_doe", "jo.doe@example.org"], on: .assumed()) >= .safelyUnguessable)
  }

  @Test("[ID-3] a password made of the username or the e-mail address is weak, a stranger's is not")
  func context() {
    let password = "Zaphodbeeble.Quorx"
    let own = ["zaphodbeeble", "Zaphodbeeble.Quorx@example.org"]
    #expect(PasswordStrength(of: password, context: [], on: .assumed()) >= .safelyUnguessable)
    #expect(PasswordStrength(of: password, context: own, on: .assumed()) < .safelyUnguessable)
    #expect(PasswordStrength(of: "zaphodbeeble1", context: own, on: .assumed()) < .safelyUnguessable)
  }

  @Test("what follows a NUL counts too, and of input of any length a bounded part is judged")
  func bounds() {
    #expect(PasswordStrength(of: "\0kT7#vLq9!zR2", context: [], on: .assumed()) >= .safelyUnguessable)
    #expect(PasswordStrength(of: "", context: [""], on: .assumed()) == .tooGuessable)
    let long = String(repeating: "p4ssw0rd kT7#vLq9!", count: 50_000)
    let context = (0..<10_000).map { "word\($0)" }
    #expect(PasswordStrength.judged(long).count == 128 + 1)
    #expect(PasswordStrength.words(context).count == 32)
    #expect(PasswordStrength.words([long]).allSatisfy { $0.count <= 64 + 1 })
    #expect(PasswordStrength(of: long, context: context, on: .assumed()) >= .tooGuessable)
  }
}

import IdentityDomain
import Testing

@Suite struct UsernameTests {
  @Test(
    "[ID-2] 3 to 30 of a-z 0-9 _ . make a username",
    arguments: ["abc", "a.b", "_._", "007", String(repeating: "z", count: 30)])
  func accepted(text: String) {
    #expect(Username(text)?.spelling == text)
  }

  @Test(
    "[ID-2] other lengths and characters make none",
    arguments: [
      "", "ab", String(repeating: "z", count: 31), "a b", "a-b", "a@b", "jürgen", "abc\n", "ab\0c", "ａｂｃ", "K\u{212A}k",
    ])
  func refused(text: String) {
    #expect(Username(text) == nil)
  }

  @Test("[ID-2] usernames are compared without case, and kept as given")
  func sameness() throws {
    let name = try #require(Username("Jo_Doe"))
    #expect(name == Username("jo_doe"))
    #expect(name.key == "jo_doe")
    #expect("\(name)" == "Jo_Doe")
  }
}

@Suite struct PasswordTests {
  @Test("[ID-3] a password has at least 8 characters, counted after normalisation")
  func shortest() throws {
    #expect(try #require(Password("abcdefgh")).isAcceptable(score: 3))
    #expect(try !#require(Password("abcdefg")).isAcceptable(score: 4))
    // Eight code points as typed, seven in NFC.
    #expect(try !#require(Password("abcdefe\u{301}")).isAcceptable(score: 4))
    #expect(try #require(Password("пароль12")).isAcceptable(score: 3))
    #expect(Password("") == nil)
  }

  @Test("[ID-3] a password has at most 128 code points, counted after normalisation")
  func longest() {
    #expect(Password(String(repeating: "a", count: 128)) != nil)
    #expect(Password(String(repeating: "a", count: 129)) == nil)
    #expect(Password(String(repeating: "e\u{301}", count: 128))?.bytes.count == 256)
    #expect(Password(String(repeating: "\u{3B1}\u{313}\u{300}\u{345}", count: 128))?.bytes.count == 384)
    #expect(Password(String(repeating: "😀", count: 128)) != nil)
    #expect(Password(String(repeating: "😀", count: 129)) == nil)
    #expect(Password(String(repeating: "a", count: 1_000_000)) == nil)
  }

  @Test("[ID-3] a score under 3 is not enough")
  func score() throws {
    let password = try #require(Password("abcdefgh"))
    #expect((0...4).map(password.isAcceptable) == [false, false, false, true, true])
    #expect(Password.refusal == "The password is not strong enough")
  }

  @Test(
    "[ID-3] however a letter is composed, the password is the same",
    arguments: [
      ("e\u{301}", "\u{E9}"), ("\u{212B}", "\u{C5}"), ("\u{1E0B}\u{323}", "\u{1E0D}\u{307}"),
      ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{2126}", "\u{3A9}"), ("\u{340}", "\u{300}"),
      ("\u{958}", "\u{915}\u{93C}"),
    ])
  func normalisation(typed: String, composed: String) throws {
    let password = try #require(Password(typed))
    #expect(password.bytes == Array(composed.utf8))
    #expect(password.bytes == Password(composed)?.bytes)
    #expect(password.text == composed)
  }

  @Test("a password does not show in text made of it")
  func secrecy() throws {
    let password = try #require(Password("open sesame"))
    var dumped = ""
    dump(password, to: &dumped)
    #expect(!"\(password) \(String(reflecting: password)) \([password]) \(dumped)".contains("sesame"))
  }
}

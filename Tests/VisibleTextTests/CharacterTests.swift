import FieldViolations
import Testing
import VisibleText

private enum NameLimit: TextLimit {
  static let name = "The name"
  static let maxLength = 20
}

private enum LetterLimit: TextLimit {
  static let name = "The letter"
  static let maxLength = 2_000
  static let lines = TextLines.several
}

private typealias Name = VisibleText<NameLimit>
private typealias Letter = VisibleText<LetterLimit>

private func flaw<Limit>(_ result: Result<VisibleText<Limit>, TextFlaw>) -> TextFlaw.Fault? {
  if case .failure(let flaw) = result { flaw.fault } else { nil }
}

@Suite("characters of visible text")
struct CharacterTests {
  @Test(
    "[C-12] invisible characters are refused with their place, at the ends too",
    arguments: [
      0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060,
      0x2061,
      0x2064, 0x206A, 0x3164, 0xFE00, 0xFE0E, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0x13430, 0x1BCA0, 0x1D173,
      0xE0001, 0xE0020, 0xE0041, 0xE007F, 0xE0100, 0xE01EF,
    ] as [UInt32])
  func invisible(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(flaw(Name.read("\(scalar)")) == .invisible(scalar, at: 1))
    #expect(flaw(Name.read("ab\(scalar)c")) == .invisible(scalar, at: 3))
    #expect(flaw(Letter.read(" a\n\(scalar) ")) == .invisible(scalar, at: 4))
    #expect(!Name.isBlank("\(scalar)"))
    #expect(Name(cleaning: "ab\(scalar)c")?.text == "abc" && Name(cleaning: "\(scalar)") == nil)
  }

  @Test(
    "[C-12] what changes the direction of text is refused",
    arguments: [0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069] as [UInt32])
  func direction(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(flaw(Name.read("\(scalar)gnp.exe")) == .direction(scalar, at: 1))
    #expect(flaw(Letter.read("שלום \(scalar)")) == .direction(scalar, at: 6))
    #expect(Name(cleaning: "\(scalar)gnp.exe")?.text == "gnp.exe")
  }

  @Test("[C-12] control characters are refused; a text of several lines has line breaks and tabs")
  func control() throws {
    for value in (0x00...0x1F as ClosedRange<UInt32>).map({ $0 }) + (0x7F...0x9F) {
      let scalar = try #require(Unicode.Scalar(value))
      let isLineBreak = scalar == "\n" || scalar == "\r"
      #expect(flaw(Name.read("a\(scalar)b")) == (isLineBreak ? .lineBreak(at: 2) : .control(scalar, at: 2)))
      let isOfLines = scalar == "\n" || scalar == "\t"
      #expect(flaw(Letter.read("a\(scalar)b")) == (isOfLines ? nil : .control(scalar, at: 2)))
    }
    #expect(Letter("one\r\ntwo\u{2028}three\u{2029}four")?.text == "one\r\ntwo\u{2028}three\u{2029}four")
    #expect(flaw(Name.read("a\u{2028}b")) == .lineBreak(at: 2) && flaw(Name.read("a\u{2029}b")) == .lineBreak(at: 2))
    #expect(Name(" \t\nname\r\n\t ")?.text == "name")
  }

  @Test(
    "[C-12] code points that are no characters, or private, are refused",
    arguments: [0xE000, 0xF8FF, 0xF0000, 0x10FFFD, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF, 0x378, 0x40000]
      as [UInt32])
  func undefined(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(flaw(Name.read("a\(scalar)")) == .undefined(scalar, at: 2))
    #expect(Name(cleaning: "a\(scalar)") == nil)
  }

  @Test(
    "[C-12] the words and signs of the world's scripts are taken as they are",
    arguments: [
      "Zoë & Søren", "O’Brien – 100 %", "日本語 한국어 ไทย", "葛\u{E0100}城市", "辻\u{E0101}さん", "שָׁלוֹם", "السَّلامُ عَلَيْكُم",
      "می\u{200C}خواهم", "کار\u{200C}ها", "ه\u{200D}.ق", "क\u{94D}\u{200D}ष", "क\u{94D}\u{200C}ष", "ന\u{D4D}\u{200D}",
      "ශ\u{DCA}\u{200D}රී ලංකා", "বাংলা", "ᠮᠣᠩᠭᠣᠯ", "ᠨ\u{180B}ᠠ", "བོད་ཡིག", "Đà Nẵng", "Ελλάδα", "ქართული", "\u{FFFD}",
      "\u{2801}\u{2800}\u{2803}",
      "\u{600}١٢٣", "٪ ﷺ", "a\u{A0}b\u{3000}c", "x\u{338}", "ḍ\u{307}",
    ])
  func scripts(text: String) {
    #expect(flaw(Name.read(text)) == nil)
    #expect(text.withoutHiddenCharacters.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(
    "[C-12] emoji are taken with what belongs to them: joiners, skin tones, selectors, keycaps and regions",
    arguments: [
      "🧗🏽‍♀️", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️", "❤️‍🔥", "👁️‍🗨️", "1️⃣", "#️⃣", "☎\u{FE0E}", "©\u{FE0F}", "🇩🇪", "🤝🏿", "🧑🏻‍🤝‍🧑🏿",
      "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "㊗️", "\u{1FAFF}",
    ])
  func emoji(text: String) {
    #expect(flaw(Name.read(text)) == nil)
    #expect(text.withoutHiddenCharacters.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(
    "[C-12] the same characters are refused where they show nothing",
    arguments: [
      ("a\u{200D}b", 2), ("a\u{200C}b", 2), ("می\u{200C} ", 3), ("می\u{200C}\u{200C}خ", 3), ("🧗\u{200D}", 2),
      ("🧗\u{200D}a", 2), ("a\u{200D}🧗", 2), ("1\u{FE0F}", 2), ("a\u{FE0F}", 2), ("🧗\u{FE0F}\u{FE0F}", 3),
      ("a\u{E0100}", 2), ("葛\u{E0100}\u{E0100}", 3), ("a\u{180B}", 2), ("\u{1F3F4}\u{E0067}", 2),
      ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}", 2), ("\u{1F3F4}\u{E007F}", 2),
      ("🧗\u{E0067}\u{E0062}\u{E0065}\u{E007F}", 2),
      ("١\u{200C}٢", 2), ("かな\u{200D}", 3),
    ])
  func misplaced(text: String, place: Int) throws {
    let scalar = Array(text.unicodeScalars)[place - 1]
    #expect(flaw(Name.read(text)) == .invisible(scalar, at: place))
  }

  @Test("[C-12] four marks are taken on a character, a fifth is refused, and a mark at the beginning")
  func marks() {
    let four = String(repeating: "\u{33D}", count: 4)
    #expect(flaw(Letter.read("a\(four)b\(four)")) == nil)
    #expect(flaw(Letter.read("a\(four)b\(four)\u{33D}")) == .tooManyMarks(most: 4, at: 11))
    #expect(flaw(Name.read("\u{301}a")) == .leadingMark("\u{301}"))
    #expect(flaw(Name.read("  \u{20E3}")) == .leadingMark("\u{20E3}"))
  }
}

@Suite("lengths and forms of visible text")
struct LengthTests {
  @Test("[C-12] a text is stored in NFC without white space at its ends, and counted so")
  func normalised() throws {
    let typed = "\u{3000}" + String(repeating: "e\u{302}\u{301}", count: 20) + "\u{2800}\n"
    #expect(Array(try #require(Name(typed)).text.unicodeScalars) == Array(repeating: "\u{1EBF}", count: 20))
    #expect(Array(try #require(Name("\u{212B}")).text.unicodeScalars) == ["\u{C5}"])
    let hangul = String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 20)
    #expect(Array(try #require(Name(hangul)).text.unicodeScalars) == Array(repeating: "\u{D55C}", count: 20))
  }

  @Test("[C-12] lengths are code points, and one more than the limit is refused")
  func tooLong() {
    for letter in ["x", "ü", "\u{1F426}", "e\u{301}"] {
      #expect(Name(String(repeating: letter, count: 20)) != nil)
      #expect(flaw(Name.read(String(repeating: letter, count: 21))) == .tooLong(most: 20))
    }
    #expect(flaw(Name.read(String(repeating: "x", count: 1_000_000))) == .tooLong(most: 20))
    #expect(flaw(Name.read(String(repeating: "ü", count: 1_000_000))) == .tooLong(most: 20))
  }

  @Test(
    "[C-12] a text that shows nothing is blank", arguments: ["", " ", "\t\r\n", "\u{A0}\u{2003}\u{3000}", "\u{2800} "])
  func blank(text: String) {
    #expect(Name.isBlank(text) && flaw(Name.read(text)) == .blank && flaw(Letter.read(text)) == .blank)
  }

  @Test(
    "[C-12] an error says what is wrong, and where",
    arguments: [
      ("", "The name is empty"), ("ab\u{200B}", "The name has the invisible character U+200B at position 3"),
      ("\u{202E}gnp.exe", "The name has the character U+202E, which changes the direction of text, at position 1"),
      ("\u{AD}", "The name has the invisible character U+00AD at position 1"),
      ("a\u{7}", "The name has the control character U+0007 at position 2"),
      ("a\nb", "The name has a line break at position 2"),
      ("\u{10FFFF}", "The name has the code point U+10FFFF, which is no character that others can see, at position 1"),
      ("e\u{301}\u{327}\u{323}\u{33D}\u{33E}\u{33F}", "The name has more than 4 marks on one character at position 6"),
      ("\u{301}", "The name begins with the combining mark U+0301"),
      (String(repeating: "x", count: 21), "The name has more than 20 characters"),
    ])
  func words(text: String, sentence: String) {
    var bad = Violations()
    let read = bad.require("group.name", Name.read(text), "NAME_INVALID")
    #expect(read == nil)
    #expect(
      throws: BadFields(violations: [
        FieldViolation(field: "group.name", description: sentence, reason: "NAME_INVALID")
      ])
    ) { try bad.check() }
  }
}

import CatalogDomain
import Testing

@Suite("keywords")
struct SearchTests {
  @Test(
    "words of a text in ASCII are the same ones that the text has beside a letter of another script",
    arguments: [
      "The Hitchhiker's Guide, 2nd ed. (1979)", "  O'Reilly--and\tSONS\n", "'", "a'b'c", "x_y-z/0", "\u{7F}del\u{0}nul",
      "",
      String(repeating: "Long", count: 20),
    ])
  func wordsOfASCII(text: String) {
    #expect(Words.of(text) + ["я"] == Words.of("\(text) я"))
  }

  @Test(
    "[CA-25] words are compared without case, accents and apostrophes",
    arguments: [
      ("The Hobbit", ["the", "hobbit"]), ("Les Misérables", ["les", "miserables"]), ("Le\u{301}on", ["leon"]),
      ("STRASSE Straße", ["strasse", "strasse"]), ("O'Brien O’Brien", ["obrien", "obrien"]),
      ("Anne-Marie, 1984!", ["anne", "marie", "1984"]), ("Łódź Ærø", ["lodz", "aero"]), ("ΆΝΘΡΩΠΟΣ", ["ανθρωποσ"]),
      ("Ёлка", ["елка"]), ("红楼梦", ["红", "楼", "梦"]), ("İstanbul", ["istanbul"]), ("...", []), ("", []),
      ("Phở bò", ["pho", "bo"]),
    ])
  func words(text: String, expected: [String]) {
    let folded = Words.of(text)
    #expect(folded == expected)
    #expect(Words.of(folded.joined(separator: " ")) == folded)
  }

  @Test(
    "[CA-25] D-9: spellings of one word in one script are the same word, and folded twice they stay the same",
    arguments: [
      (["الكتاب", "كتاب", "والكتاب", "بالكتاب", "كِتَاب", "كتـــاب"], ["كتاب"]),
      (["إسلام", "أسلام", "اسلام"], ["اسلام"]),
      (["قراءة", "قراءه", "قراة"], ["قراه"]), (["مستشفى", "مستشفي"], ["مستشفي"]), (["الله"], ["الله"]),
      (["ﾊﾘｰ･ﾎﾟｯﾀｰ", "ハリー・ポッター"], ["ハ", "リ", "ー", "ポ", "ッ", "タ", "ー"]),
      (["Ἰλιάς", "ἰλιὰς", "Ιλιάς", "ΙΛΙΑΣ"], ["ιλιασ"]), (["ᾠδή", "ωδη"], ["ωδη"]),
      (["ﬁnal ﬂow", "final flow"], ["final", "flow"]), (["เจ้าชายน้อย"], ["เจ้า", "ชา", "ย", "น้", "อ", "ย"]),
    ])
  func scripts(texts: [String], expected: [String]) {
    for text in texts {
      let folded = Words.of(text)
      #expect(folded == expected, "\(text)")
      #expect(Words.of(folded.joined(separator: " ")) == folded, "\(text)")
    }
  }

  @Test("[CA-25] D-9: a word within a Thai sentence has the syllables that it has alone, beside other scripts too")
  func thai() {
    let sentence = Words.of("เจ้าชายน้อยABC")
    for word in ["เจ้า", "ชาย", "น้อย", "abc"] {
      let alone = Words.of(word)
      #expect(sentence.indices.contains { sentence[$0...].starts(with: alone) }, "\(word)")
    }
  }

  @Test("[CA-25] a query has 60 characters of scripts without spaces at most, beside 20 other keywords")
  func unspacedLimits() throws {
    let characters = (0..<61).compactMap { Unicode.Scalar(0x4E00 + $0).map(String.init) }
    #expect(try SearchQuery(characters.dropLast().joined()).keywords.count == 60)
    #expect(throws: SearchQuery.Refusal.tooLong) { try SearchQuery(characters.joined()) }
    let words = (1...21).map { "word\($0)" }.joined(separator: " ")
    #expect(throws: SearchQuery.Refusal.tooLong) { try SearchQuery("\(characters[0]) \(words)") }
  }

  @Test("[CA-25] a word cannot end the query that it is put into")
  func metacharacters() throws {
    let query = try SearchQuery("':* | !( ) & \\ <-> a'b c:d")
    #expect(query.keywords.map(\.word) == ["ab", "c", "d"])
  }

  @Test("[CA-25] an ISBN is one keyword in any spelling")
  func isbn() throws {
    for text in ["0-439-02348-3", "978 0 439 02348 1", "0439023483"] {
      #expect(try SearchQuery(text).keywords.map(\.word) == ["9780439023481"], "\(text)")
    }
    #expect(try SearchQuery("hunger 0-439-02348-3").keywords.map(\.word) == ["hunger", "9780439023481"])
  }

  @Test("[CA-25] full-width letters and digits are those that they are wide forms of")
  func fullWidth() throws {
    #expect(try SearchQuery("Ｄｕｎｅ １９６５").keywords.map(\.word) == ["dune", "1965"])
    #expect(Words.of("ＴＨＥ ＨＯＢＢＩＴ") == ["the", "hobbit"])
  }

  @Test("[CA-25] a query has words, not too many, and each counts once")
  func limits() throws {
    #expect(throws: SearchQuery.Refusal.empty) { try SearchQuery(" ... ") }
    #expect(throws: SearchQuery.Refusal.tooLong) { try SearchQuery(String(repeating: "a", count: 401)) }
    #expect(throws: SearchQuery.Refusal.tooLong) {
      try SearchQuery((1...21).map { "word\($0)" }.joined(separator: " "))
    }
    #expect(try SearchQuery("Dune dune DUNE").keywords.count == 1)
  }

  @Test(
    "[CA-21] a title fits its record without subtitle, series and article",
    arguments: [
      ("The Hunger Games", "The Hunger Games (The Hunger Games, #1)"),
      ("hunger games", "The Hunger Games (The Hunger Games, #1)"),
      ("Les Miserables", "Les Misérables"), ("Sapiens", "Sapiens: A Brief History of Humankind"),
      ("Sapiens - A Brief History of Humankind", "Sapiens"), ("1984", "1984"), ("It", "It"),
      ("Harry Potter and the Sorcerer's Stone", "Harry Potter and the Sorcerer's Stone (Harry Potter, #1)"),
    ])
  func fits(typed: String, known: String) {
    #expect(TitleComparison.fits(typed, anyOf: ["Something else", known]))
  }

  @Test(
    "[CA-21] another title does not fit",
    arguments: [
      ("Twilight", "The Hunger Games (The Hunger Games, #1)"), ("The", "The Hunger Games"),
      ("Harry Potter and the Goblet of Fire", "Harry Potter and the Sorcerer's Stone (Harry Potter, #1)"),
      ("It", "The Stand"), ("!!!", "It"), ("Hunger", "The Hunger Games (The Hunger Games, #1)"),
      ("Hunger Games", "Hunger"), ("A Brief History of Time", "Sapiens: A Brief History of Humankind"),
    ])
  func differs(typed: String, known: String) {
    #expect(!TitleComparison.fits(typed, anyOf: [known]))
  }

  @Test("texts are trimmed, counted in code points, and have no control characters")
  func texts() {
    #expect(Title("  Dune \n")?.text == "Dune")
    #expect(Title("") == nil && Title(" \t ") == nil && Title("Du\nne") == nil && Title("Du\0ne") == nil)
    #expect(Title(String(repeating: "ü", count: 500)) != nil && Title(String(repeating: "ü", count: 501)) == nil)
    #expect(BookDescription("two\nlines")?.text == "two\nlines" && BookDescription("a\u{1B}[31m") == nil)
  }
}

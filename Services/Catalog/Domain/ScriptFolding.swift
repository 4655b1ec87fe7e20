/// What single scripts write in several ways and readers take for the same.
enum ScriptFolding {
  /// A text with one spelling for: Arabic letters with and without hamza, vowel signs and lengthening; Greek letters with any accents;
  /// half-width kana; Latin and Armenian ligatures. Between syllables of Thai and Lao there are spaces.
  static func folded(_ text: String) -> String {
    // The standard library's own NFC; its name is underscored, but Foundation builds on it too.
    let composed = String(decoding: text.lowercased()._nfcCodeUnits, as: UTF8.self)
    var folded = String.UnicodeScalarView()
    var place = SyllablePlace.elsewhere
    for scalar in composed.unicodeScalars where !isArabicMark(scalar) {
      let next = SyllablePlace(of: scalar, after: place)
      if next.startsWord || (place != .elsewhere && next == .elsewhere) { folded.append(" ") }
      folded.append(contentsOf: spellings[scalar] ?? String.UnicodeScalarView([scalar]))
      place = next
    }
    return String(folded)
  }

  /// An Arabic word without its article, and what is written together with it: `الكتاب` is `كتاب`.
  ///
  /// - Parameter word: with the letters of ``folded(_:)``.
  static func withoutArticle(_ word: String) -> String {
    guard word.unicodeScalars.first.map({ (0x0600...0x06FF).contains($0.value) }) == true else { return word }
    var rest = word.unicodeScalars[...]
    // Of what is left, the beginning may look like an article too: a word that is folded twice must stay as it is.
    while let article = articles.first(where: { rest.starts(with: $0) }), rest.count - article.count >= shortestStem {
      rest = rest.dropFirst(article.count)
    }
    return String(String.UnicodeScalarView(rest))
  }

  /// Shorter words are not taken for what follows an article: most of these only begin like one.
  private static let shortestStem = 3

  /// The article alone, and after "and", "with", "like", "so" and "to".
  private static let articles = ["وال", "بال", "كال", "فال", "لل", "ال"].map(\.unicodeScalars)

  /// Whether it is a vowel sign, or lengthens a word on the line; neither makes another word.
  private static func isArabicMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7, 0x06E8,
      0x06EA...0x06ED:
      true
    default: false
    }
  }

  private static let spellings: [Unicode.Scalar: String.UnicodeScalarView] = {
    var table: [Unicode.Scalar: String.UnicodeScalarView] = [:]
    for (letters, variants) in variants {
      for scalar in variants.unicodeScalars { table[scalar] = letters.unicodeScalars }
    }
    for (half, full) in zip(halfWidthKana.unicodeScalars, fullWidthKana.unicodeScalars) {
      table[half] = String.UnicodeScalarView([full])
    }
    return table
  }()

  private static let variants: KeyValuePairs<String, String> = [
    "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "ffi": "ﬃ", "ffl": "ﬄ", "st": "ﬅﬆ",
    "մն": "ﬓ", "մե": "ﬔ", "մի": "ﬕ", "վն": "ﬖ", "մխ": "ﬗ", "եւ": "և",
    "α": "ἀἁἂἃἄἅἆἇὰᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ", "ε": "ἐἑἒἓἔἕὲ", "η": "ἠἡἢἣἤἥἦἧὴᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ", "ι": "ἰἱἲἳἴἵἶἷὶῐῑῒῖῗ",
    "ο": "ὀὁὂὃὄὅὸ", "υ": "ὐὑὒὓὔὕὖὗὺῠῡῢῦῧ", "ω": "ὠὡὢὣὤὥὦὧὼᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ", "ρ": "ῤῥ",
    "ا": "\u{622}\u{623}\u{625}\u{671}", "و": "\u{624}", "ي": "\u{626}\u{649}\u{6CC}",
    "ه": "\u{629}\u{6C0}\u{6C1}\u{6C2}\u{6D5}",
    "ك": "\u{6A9}",
    // A hamza on the line is left out by many.
    "": "\u{621}",
    // Half-width kana have their voicing marks beside them.
    "\u{3099}": "\u{FF9E}", "\u{309A}": "\u{FF9F}",
  ]

  private static let halfWidthKana = "ｦｧｨｩｪｫｬｭｮｯｰｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝ"
  private static let fullWidthKana = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
}

/// Where a character of Thai or Lao stands in its syllable; no word ends within one.
private enum SyllablePlace: Equatable {
  /// Not in these scripts.
  case elsewhere
  /// A vowel that is written before its consonant, and begins the syllable.
  case leadingVowel
  /// The consonant of the leading vowel before it.
  case consonantOfVowel
  /// Any other consonant or sign: it begins a syllable.
  case consonant
  /// A vowel or a mark that belongs to the character before.
  case following

  init(of scalar: Unicode.Scalar, after place: SyllablePlace) {
    guard (0x0E01...0x0E4E).contains(scalar.value) || (0x0E81...0x0ECE).contains(scalar.value) else {
      self = .elsewhere
      return
    }
    // The blocks of both scripts have the same order.
    switch 0x0E00 + scalar.value % 0x80 {
    case 0x0E30...0x0E3D, 0x0E45, 0x0E47...0x0E4E: self = place == .elsewhere ? .consonant : .following
    case 0x0E40...0x0E44: self = .leadingVowel
    default: self = place == .leadingVowel ? .consonantOfVowel : .consonant
    }
  }

  var startsWord: Bool { self == .leadingVowel || self == .consonant }
}

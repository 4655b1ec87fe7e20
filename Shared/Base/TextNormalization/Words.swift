/// Words as they are compared: without case, accents and apostrophes, so that a search finds other spellings of a word.
///
/// It is done here and not in the database, whose classification of letters depends on its locale.
public enum Words {
  /// Longer words are cut; in books there are none.
  private static let maxWordLength = 60

  /// The words of `text`, in order. Characters of scripts that put no space between words are words of their own.
  public static func of(_ text: String) -> [String] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return ofASCII(text) }
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      if !word.isEmpty { words.append(String(word)) }
      word.removeAll()
    }
    // The standard library's own NFC; its name is underscored, but Foundation builds on it too.
    let composed = String(decoding: narrow(text).lowercased()._nfcCodeUnits, as: UTF8.self)
    for scalar in composed.unicodeScalars where !isSilent(scalar) {
      guard isPartOfWord(scalar) else {
        end()
        continue
      }
      if standsAlone(scalar) { end() }
      if word.count < maxWordLength { word.append(contentsOf: plain[scalar] ?? String.UnicodeScalarView([scalar])) }
      if standsAlone(scalar) { end() }
    }
    end()
    return words
  }

  /// The text with the full-width forms of ASCII, which Chinese and Japanese keyboards have, as what they are wide forms of.
  private static func narrow(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { fullWidth.contains($0.value) }) else { return text }
    var narrow = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isWide = fullWidth.contains(scalar.value)
      narrow.append(isWide ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 0xFF01 + 0x21)) : scalar)
    }
    return String(narrow)
  }

  /// `！` to `～`.
  private static let fullWidth: ClosedRange<UInt32> = 0xFF01...0xFF5E

  /// The words of a text in ASCII, as most texts are: there is nothing to compose or to look up.
  private static func ofASCII(_ text: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    func end() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    for byte in text.utf8 where byte != UInt8(ascii: "'") {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        if word.count < maxWordLength { word.append(byte) }
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): if word.count < maxWordLength { word.append(byte | 0x20) }
      default: end()
      }
    }
    end()
    return words
  }

  /// Whether it is an apostrophe within a word, or an accent that did not compose with its letter.
  private static func isSilent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x27, 0x2BC, 0x2018, 0x2019, 0x300...0x36F: true
    default: false
    }
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// Whether it is Han, Hiragana or Katakana.
  private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x2FA1F: true
    default: false
    }
  }

  /// The plain letters that letters with accents, and ligatures, are compared as.
  private static let plain: [Unicode.Scalar: String.UnicodeScalarView] = {
    var table: [Unicode.Scalar: String.UnicodeScalarView] = [:]
    for (letters, variants) in variantsOfLetters {
      for scalar in variants.unicodeScalars { table[scalar] = letters.unicodeScalars }
    }
    return table
  }()

  private static let variantsOfLetters: KeyValuePairs<String, String> = [
    "a": "àáâãäåāăąǎǟǡǻȁȃȧạảấầẩẫậắằẳẵặª", "ae": "æǣǽ", "b": "ḃḅḇ", "c": "çćĉċč", "d": "ďđðḋḍḏḑḓ",
    "e": "èéêëēĕėęěȅȇȩẹẻẽếềểễệ", "f": "ḟƒ", "g": "ĝğġģǥǧǵ", "h": "ĥħȟḣḥḧḩḫ", "i": "ìíîïĩīĭįıǐȉȋỉị", "ij": "ĳ",
    "j": "ĵǰ", "k": "ķǩḱḳḵĸ", "l": "ĺļľŀłḷḹḻḽ", "m": "ḿṁṃ", "n": "ñńņňŉŋǹṅṇṉṋ",
    "o": "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱọỏốồổỗộớờởỡợº",
    "oe": "œ", "p": "ṕṗ", "r": "ŕŗřȑȓṙṛṝṟ", "s": "śŝşšșṡṣṥṧṩſ", "ss": "ß", "t": "ţťŧțṫṭṯṱ", "th": "þ",
    "u": "ùúûüũūŭůűųưǔǖǘǚǜȕȗụủứừửữự", "v": "ṽṿ", "w": "ŵẁẃẅẇẉ", "x": "ẋẍ", "y": "ýÿŷȳẏỳỵỷỹ", "z": "źżžẑẓẕ",
    "α": "ά", "ε": "έ", "η": "ή", "ι": "ίϊΐ", "ο": "ό", "σ": "ς", "υ": "ύϋΰ", "ω": "ώ", "е": "ё", "и": "й",
  ]
}

@_spi(_Unicode) import Swift
import TextNormalization

/// The words of messages and queries as they are compared: without case and accents, in every script. PostgreSQL only compares what this makes, as
/// its own classification of letters depends on the database's locale.
///
/// Scripts without spaces between words are searched by pairs of letters that follow each other, of whatever words these belong to.
public enum SearchedWords {
  /// The words of a message in the text form of PostgreSQL's `tsvector`.
  public static func vector(of text: String) -> String {
    var words: [Substring] = []
    var letters: Set<Substring> = []
    for run in runs(of: text) {
      words += run.words
      // What a query of a single letter finds. They have no place in the order: what is quoted has more than one.
      if run.words.count > 0, run.letters.count > 1 { letters.formUnion(run.letters) }
    }
    var vector = ""
    for (index, word) in words.enumerated() { vector += "'\(word)':\(min(index + 1, lastPosition)) " }
    for letter in letters.subtracting(words) { vector += "'\(letter)' " }
    return vector
  }

  /// A query in the text form of PostgreSQL's `tsquery`; `nil` for one without a word that is to be there.
  ///
  /// It is read as users know it: `-` before what must not be there, quotes around what has to follow each other, and `or`.
  public static func query(_ typed: String) -> String? {
    let choices = Term.terms(of: typed).split { $0 == .or }.compactMap { terms -> String? in
      let parts = terms.compactMap(\.condition)
      return parts.contains { $0.isWanted } ? parts.map(\.text).joined(separator: " & ") : nil
    }
    return choices.isEmpty ? nil : choices.joined(separator: " | ")
  }

  /// The largest position in a `tsvector`.
  private static let lastPosition = 16_383

  /// Part of a text: words with spaces between them, or letters of a script that has none.
  fileprivate struct Run {
    /// In their order.
    let words: [Substring]
    /// Those of a script without spaces.
    let letters: [Substring]
  }

  fileprivate static func runs(of text: String) -> [Run] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return [Run(words: words(of: text[...]), letters: [])] }
    var (runs, letters) = ([Run](), [Substring]())
    func end() {
      guard !letters.isEmpty else { return }
      runs.append(Run(words: pairs(of: letters), letters: letters))
      letters = []
    }
    let plain = unaccented(text)
    let scalars = plain.unicodeScalars
    var place = scalars.startIndex
    while place < scalars.endIndex {
      let start = place
      let isRunOn = scalars[place].isRunOnLetter
      scalars.formIndex(after: &place)
      if isRunOn {
        while place < scalars.endIndex, scalars[place].isMark { scalars.formIndex(after: &place) }
        letters.append(plain[start..<place])
      } else {
        end()
        while place < scalars.endIndex, !scalars[place].isRunOnLetter { scalars.formIndex(after: &place) }
        runs.append(Run(words: words(of: plain[start..<place]), letters: []))
      }
    }
    end()
    return runs
  }

  /// Words between spaces, signs and apostrophes: `l'été` is found by `été`.
  private static func words(of text: Substring) -> [Substring] {
    text.split { apostrophes.contains($0) }.flatMap { Words.of(String($0)).map { $0[...] } }
  }

  private static let apostrophes: [Character] = ["'", "\u{2BC}", "\u{2018}", "\u{2019}"]

  /// Each letter with the next one, of letters in a row of a text; a letter alone as it is.
  private static func pairs(of letters: [Substring]) -> [Substring] {
    letters.count == 1
      ? letters : zip(letters, letters.dropFirst()).map { $0.base[$0.startIndex..<$1.endIndex] }
  }

  /// The text in NFC without the accents and points that are left out by who writes quickly. Marks that are letters of their script stay.
  private static func unaccented(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.lowercased()._nfd.lazy.filter { !$0.isAccent })
    // The standard library's own NFC; its name is underscored, but Foundation builds on it too.
    return String(decoding: String(kept)._nfcCodeUnits, as: UTF8.self)
  }
}

/// What a query is made of.
private enum Term: Equatable {
  case or
  /// Words that follow each other.
  case phrase(String, isWanted: Bool)

  static func terms(of typed: String) -> [Term] {
    var terms: [Term] = []
    var rest = typed[...].drop(while: \.isWhitespace)
    while !rest.isEmpty {
      let isWanted = rest.first != "-"
      if !isWanted { rest.removeFirst() }
      let isQuoted = rest.first == "\""
      if isQuoted { rest.removeFirst() }
      let text = rest.prefix { isQuoted ? $0 != "\"" : !$0.isWhitespace && $0 != "\"" }
      rest = rest[text.endIndex...]
      if isQuoted, !rest.isEmpty { rest.removeFirst() }
      rest = rest.drop(while: \.isWhitespace)
      let isOr = isWanted && !isQuoted && text.lowercased() == "or"
      terms.append(isOr ? .or : .phrase(String(text), isWanted: isWanted))
    }
    return terms
  }

  /// What it asks of a message; `nil` if it has no words.
  var condition: (text: String, isWanted: Bool)? {
    guard case .phrase(let phrase, let isWanted) = self else { return nil }
    let runs = SearchedWords.runs(of: phrase)
    // A letter that stands alone in the query may be amidst others in the message, where its place is not known.
    let parts = isWanted ? runs.split(keeping: { $0.letters.count == 1 }) : [runs[...]]
    let followed = parts.compactMap { part -> String? in
      let words = part.flatMap(\.words)
      return words.isEmpty ? nil : "(\(words.map { "'\($0)'" }.joined(separator: " <-> ")))"
    }
    guard !followed.isEmpty else { return nil }
    return ((isWanted ? "" : "!") + followed.joined(separator: " & "), isWanted)
  }
}

extension Array {
  /// Its parts before, between and after the elements of which `isAlone` is true, and these as parts of their own.
  fileprivate func split(keeping isAlone: (Element) -> Bool) -> [ArraySlice<Element>] {
    var (parts, start) = ([ArraySlice<Element>](), startIndex)
    for place in indices where isAlone(self[place]) {
      parts += [self[start..<place], self[place...place]]
      start = place + 1
    }
    return parts + [self[start...]]
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter, digit or mark of Chinese or Japanese, Thai, Lao, Burmese or Khmer.
  fileprivate var isRunOnLetter: Bool {
    switch value {
    case 0...0x0DFF: false
    // Letters all, and by far the most.
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF,
      0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xAA60...0xAA7F, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      switch properties.generalCategory {
      case .otherLetter, .modifierLetter, .decimalNumber, .letterNumber, .nonspacingMark, .spacingMark: true
      default: false
      }
    default: false
    }
  }

  fileprivate var isMark: Bool {
    switch value {
    case 0...0x02FF, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF: return false
    default:
      switch properties.generalCategory {
      case .nonspacingMark, .spacingMark: return true
      default: return false
      }
    }
  }

  /// Whether it is an accent of Latin, Greek or Cyrillic letters, or a point of Hebrew, Arabic or Syriac ones.
  fileprivate var isAccent: Bool {
    switch value {
    case 0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7,
      0x0610...0x061A,
      0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8, 0x06EA...0x06ED, 0x0711,
      0x0730...0x074A,
      0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F:
      true
    // The stretch of an Arabic word.
    case 0x0640: true
    default: false
    }
  }
}

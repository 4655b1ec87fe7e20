import TextNormalization

/// How postcodes are found in addresses ([LE-8]).
public enum Postcode {
  /// Characters of a key. A shorter one would be any house number; no country has longer ones.
  private static let lengths = 3...10
  /// A postcode may be written as several words: `SW1A 1AA`, `101-0051`.
  private static let maxWords = 2
  /// Further words of an address are ignored.
  private static let maxWordsOfAddress = 24

  /// The search key of a postcode: its letters and digits, in small letters; `nil` for a text that is none.
  public static func key(_ text: String) -> String? {
    let key = Words.of(text).joined()
    return isKey(key) ? key : nil
  }

  /// The keys of all postcodes that an address may contain. A house number may be among them: only what is known in the city counts.
  public static func keys(in address: String) -> [String] {
    let words = Array(Words.of(address).prefix(maxWordsOfAddress))
    var keys: Set<String> = []
    for start in words.indices {
      for end in start..<min(words.endIndex, start + maxWords) { keys.insert(words[start...end].joined()) }
    }
    return keys.filter(isKey).sorted()
  }

  /// Every postcode has a digit, which most words of an address have not.
  private static func isKey(_ text: String) -> Bool {
    lengths.contains(text.utf8.count) && text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && text.utf8.allSatisfy { $0 < 0x80 }
  }
}

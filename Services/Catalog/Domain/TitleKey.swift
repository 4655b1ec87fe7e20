/// What a title is looked up by: its words as ``Words`` spells them, without the name of a series in brackets and without an article at the
/// beginning ([CA-25]). `lord of the rings` is that of `The Lord of the Rings (The Lord of the Rings, #1-3)`.
public enum TitleKey {
  /// Longer keys are cut, so that an index can hold them; code points.
  private static let maxLength = 200

  /// The key of a book's title.
  public static func of(_ title: String) -> String {
    of(words: Words.of(withoutSeries(title)))
  }

  /// A title without what follows a bracket, unless nothing would be left.
  public static func withoutSeries(_ title: String) -> String {
    var own = title.prefix { $0 != "(" && $0 != "[" }
    while own.last?.isWhitespace == true { own.removeLast() }
    return Words.of(String(own)).isEmpty ? title : String(own)
  }

  /// The key of words that a user typed as a title.
  static func of(words: [String]) -> String {
    let hasArticle = words.count > 1 && TitleComparison.articles.contains(words[0])
    let key = words.dropFirst(hasArticle ? 1 : 0).joined(separator: " ")
    return String(String.UnicodeScalarView(key.unicodeScalars.prefix(maxLength)))
  }
}

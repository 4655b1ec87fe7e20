/// Whether two titles are titles of the same book ([CA-21]): users leave out subtitles, series and articles.
public enum TitleComparison {
  /// Whether a typed title matches one of a record's titles.
  public static func fits(_ typed: String, anyOf titles: [String]) -> Bool {
    titles.contains { fits(typed, $0) }
  }

  /// Words that users leave out at the beginning of a title, or move to its end.
  static let articles: Set<String> = [
    "a", "an", "the", "der", "die", "das", "ein", "eine", "le", "la", "les", "l", "un", "une", "el", "los", "las",
    "una",
    "il", "lo", "gli", "de", "het", "een", "o", "os", "as", "um", "uma",
  ]

  private static func fits(_ typed: String, _ known: String) -> Bool {
    let (given, whole) = (significant(typed), significant(known))
    let main = significant(mainPart(of: known))
    if given == whole || given == main || significant(mainPart(of: typed)) == main { return true }
    // A part of the record's title matches if it has most of the words before subtitle and series: "Hunger" is not "The Hunger Games".
    if given.isSubset(of: whole) { return 2 * given.intersection(main).count > main.count }
    // A longer title matches if the record's title is most of it.
    return main.isSubset(of: given) && 2 * main.count > given.count
  }

  /// The significant words; all words if there are only articles.
  private static func significant(_ title: String) -> Set<String> {
    let words = Set(Words.of(title))
    let rest = words.subtracting(articles)
    return rest.isEmpty ? words : rest
  }

  /// The title before its subtitle or the name of a series.
  private static func mainPart(of title: String) -> String {
    let undashed = [" - ", " – ", " — "].compactMap { title.firstRange(of: $0)?.lowerBound }.min() ?? title.endIndex
    let main = title[..<undashed].prefix { !"(:;/[".contains($0) }
    return Words.of(String(main)).isEmpty ? title : String(main)
  }
}

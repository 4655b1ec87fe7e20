import CatalogDomain

/// An edition as a file's record describes it, validated and cut to the stored lengths.
package struct EditionRecord: Sendable, Equatable {
  /// The collection's own id of it.
  package var sourceID: String
  /// At least one.
  package var isbns: [ISBN]
  /// The title to show, then others; at least one.
  package var titles: [String]
  /// The authors' names in the record; may be empty.
  package var authors: [String]
  /// The authors' keys, if their names are in separate records.
  package var authorKeys: [String]
  /// Negative for years BC.
  package var year: Int32?
  /// As the record spells it; may be empty.
  package var language: String

  /// Why a record is not a usable edition.
  package struct Flaw: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Validates a record.
  ///
  /// - Parameter isbns: as written in the file; invalid ones are left out.
  init(
    sourceID: String, isbns: [String], titles: [String?], authors: [String], authorKeys: [String] = [], year: Int32?,
    language: String
  ) throws(Flaw) {
    guard Self.isUsable(id: sourceID) else { throw Flaw("it has no usable id") }
    self.sourceID = sourceID
    self.isbns = Self.unique(isbns.compactMap { ISBN($0) })
    guard !self.isbns.isEmpty else { throw Flaw("it has no valid ISBN") }
    self.titles = Self.unique(titles.compactMap { $0.flatMap { Title(cleaning: $0)?.text } })
    guard !self.titles.isEmpty else { throw Flaw("it has no usable title") }
    self.authors = Array(
      Self.unique(authors.compactMap { AuthorName(cleaning: $0)?.text }).prefix(BookFields.maxAuthors))
    self.authorKeys = Array(authorKeys.filter(Self.isUsable).prefix(BookFields.maxAuthors))
    self.year = year.flatMap { $0 != 0 && BookFields.years.contains($0) ? $0 : nil }
    self.language = LanguageName(cleaning: language)?.text ?? ""
  }

  private static let maxSourceIDLength = 40

  /// Whether an id of a collection is usable: printable ASCII, up to 40 characters.
  static func isUsable(id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= maxSourceIDLength && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }
}

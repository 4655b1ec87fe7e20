import CatalogDomain
import FoundationEssentials

/// Parses a dump of Open Library.
struct OpenLibraryReader: RecordReader {
  private struct Reference: Decodable {
    let key: String
  }

  private struct Edition: Decodable {
    let title: String?
    let subtitle: String?
    let isbn10: [String]?
    let isbn13: [String]?
    let authors: [Reference]?
    let byStatement: String?
    let publishDate: String?
    let languages: [Reference]?

    enum CodingKeys: String, CodingKey {
      case title, subtitle, authors, languages
      case isbn10 = "isbn_10"
      case isbn13 = "isbn_13"
      case byStatement = "by_statement"
      case publishDate = "publish_date"
    }
  }

  private struct Author: Decodable {
    let name: String?
  }

  private let decoder = JSONDecoder()

  mutating func read(_ record: String) throws -> BookRecord {
    let columns = record.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard columns.count == 5 else { throw EditionRecord.Flaw("it has \(columns.count) columns instead of 5") }
    let key = Self.name(columns[1])
    switch columns[0] {
    case "/type/edition": return try edition(key, columns[4])
    case "/type/author":
      let author = try decode(Author.self, columns[4])
      guard EditionRecord.isUsable(id: key) else { throw EditionRecord.Flaw("it has no usable id") }
      guard let name = author.name.flatMap({ AuthorName(cleaning: $0) }) else { return .passedOver }
      return .author(key: key, name: name.text)
    default: return .passedOver
    }
  }

  private func edition(_ key: String, _ json: Substring) throws -> BookRecord {
    let edition = try decode(Edition.self, json)
    let isbns = (edition.isbn13 ?? []) + (edition.isbn10 ?? [])
    // Most editions in a library are older than ISBNs.
    if isbns.isEmpty { return .passedOver }
    let long = edition.title.flatMap { title in edition.subtitle.map { "\(title): \($0)" } }
    return .edition(
      try EditionRecord(
        sourceID: key, isbns: isbns, titles: [edition.title, long], authors: [edition.byStatement].compactMap { $0 },
        authorKeys: (edition.authors ?? []).map { Self.name($0.key[...]) },
        year: edition.publishDate.flatMap(Self.year),
        language: edition.languages?.first.map { Self.name($0.key[...]) } ?? ""))
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ json: Substring) throws(EditionRecord.Flaw) -> Value {
    do { return try decoder.decode(type, from: Data(json.utf8)) } catch {
      throw EditionRecord.Flaw(JSONShape.reason(for: error))
    }
  }

  /// The last part of a key: `OL1M` of `/books/OL1M`.
  private static func name(_ key: Substring) -> String {
    String(key.split(separator: "/").last ?? "")
  }

  /// The first four-digit number in free text: `March 2009`, `c1985`.
  private static func year(_ text: String) -> Int32? {
    text.split { !("0"..."9").contains($0) }.first { $0.count == 4 }.flatMap { Int32($0) }
  }
}

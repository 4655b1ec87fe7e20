import CatalogDomain
import FieldViolations
import TandemCatalog

/// How a search found what it found: by its words, or, when these gave nothing, by similar ones.
///
/// The raw value stays in page tokens: the pages of a search are all of one step.
enum SearchStep: Int64 {
  /// There were no words to look for.
  case all = 0
  case exact = 1
  case similar = 2

  var wire: SearchMatch {
    switch self {
    case .all: .unspecified
    case .exact: .exact
    case .similar: .similar
    }
  }
}

extension Violations {
  /// Keywords, in the field of that name.
  mutating func query(_ text: String, _ field: String) -> SearchQuery? {
    query(text, field) { text throws(SearchQuery.Refusal) in try SearchQuery(text) }
  }

  /// What `read` makes of keywords, in the field of that name.
  mutating func query<Query>(
    _ text: String, _ field: String, _ read: (String) throws(SearchQuery.Refusal) -> Query
  ) -> Query? {
    do throws(SearchQuery.Refusal) { return try read(text) } catch {
      switch error {
      case .empty: add(field, "You must enter something", "QUERY_REQUIRED")
      case .tooLong:
        add(
          field, "At most \(SearchQuery.maxTextLength) characters and \(SearchQuery.maxKeywords) keywords",
          "QUERY_TOO_LONG")
      }
      return nil
    }
  }
}

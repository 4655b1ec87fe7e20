import CatalogDomain
import FieldViolations
import TandemCatalog

extension SearchStep {
  var wire: SearchMatch {
    switch self {
    case .all: .unspecified
    case .exact, .newest: .exact
    case .similar, .wider, .respelt, .most: .similar
    }
  }
}

extension Violations {
  /// Parses keywords from the field of that name.
  mutating func query(_ text: String, _ field: String) -> SearchQuery? {
    query(text, field) { text throws(SearchQuery.Refusal) in try SearchQuery(text) }
  }

  /// Parses keywords from the field of that name with `read`.
  mutating func query<Query>(
    _ text: String, _ field: String, _ read: (String) throws(SearchQuery.Refusal) -> Query
  ) -> Query? {
    do throws(SearchQuery.Refusal) { return try read(text) } catch {
      switch error {
      case .empty: add(field, "You must enter something", CatalogReason.queryRequired)
      case .tooLong:
        add(
          field, "At most \(SearchQuery.maxTextLength) characters and \(SearchQuery.maxKeywords) keywords",
          CatalogReason.queryTooLong)
      }
      return nil
    }
  }
}

import CatalogDomain
import Identifiers
import Postgres

extension UsersReadings {
  /// - Parameter last: the last reading of the previous call.
  package init(after last: Row?, limit: Int64) {
    self.init(afterUserID: last?.userID, afterISBN: last?.isbn, limit: limit)
  }
}

extension CollectionReadings {
  /// - Parameter last: the last rating of the previous call.
  package init(after last: Row?, limit: Int64) {
    self.init(afterSource: last?.source, afterReader: last?.reader, afterSourceID: last?.sourceID, limit: limit)
  }
}

extension InsertNeighbours {
  package init(_ books: [BookNeighbours]) {
    self.init(
      isbns: books.map { ISBN(stored: $0.book) }, readers: books.map { Int32($0.readers) },
      neighbours: books.map { Self.list($0.neighbours.map { "\($0.book)" }) },
      weights: books.map { Self.list($0.neighbours.map { "\($0.weight)" }) })
  }

  private static func list(_ elements: [String]) -> String { "{\(elements.joined(separator: ","))}" }
}

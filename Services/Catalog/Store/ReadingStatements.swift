import CatalogDomain
import Identifiers
import Postgres

/// Some of the readings of the service's users, ordered by user and book, so that the next call continues: what they borrowed, and what
/// they rated.
package struct UsersReadings: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let user: UserID
    package let isbn: Int64
    /// `nil` for a book that was borrowed and not rated.
    package let stars: Stars?
  }

  // Both sides begin after the same row and have the requested number of rows, so that loan and rating of a book stay together. The start
  // is an expression and not "null or", so that it is a condition of the index.
  package static let sql = """
    with borrowed as (
      select distinct borrower_id as person_id, isbn from past_loans
      where (borrower_id, isbn) > (coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid), coalesce($2, 0))
      order by borrower_id, isbn
      limit $3
    ), rated as (
      select person_id, isbn, stars from book_ratings
      where (person_id, isbn) > (coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid), coalesce($2, 0))
      order by person_id, isbn
      limit $3
    )
    select person_id, isbn, rated.stars
    from borrowed full join rated using (person_id, isbn)
    order by person_id, isbn
    limit $3
    """
  let after: Row?
  let limit: Int64

  package init(after: Row?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after?.user)
    p.append(after?.isbn)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(user: try row.next(), isbn: try row.next(), stars: try row.next(as: Int16?.self).map { Stars(stored: $0) })
  }
}

/// Some of the ratings of collections, ordered by collection, reader and book, so that the next call continues.
package struct CollectionReadings: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let source: String
    package let reader: Int64
    package let sourceID: String
    /// The book; `nil` if its record is not loaded. The lowest ISBN represents a record.
    package let isbn: Int64?
    package let stars: Stars
  }

  package static let sql = """
    select rating.source, rating.reader, rating.source_id, edition.isbn, rating.stars
    from (
      select source, reader, source_id, stars from reader_ratings
      where (source, reader, source_id) > (coalesce($1, ''), coalesce($2, 0), coalesce($3, ''))
      order by source, reader, source_id
      limit $4
    ) as rating
    left join lateral (
      select editions.isbn from editions
      where editions.source = rating.source and editions.source_id = rating.source_id
      order by editions.isbn
      limit 1
    ) as edition on true
    order by rating.source, rating.reader, rating.source_id
    """
  let after: Row?
  let limit: Int64

  package init(after: Row?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after?.source)
    p.append(after?.reader)
    p.append(after?.sourceID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      source: try row.next(), reader: try row.next(), sourceID: try row.next(), isbn: try row.next(),
      stars: Stars(stored: try row.next()))
  }
}

/// Begins a computation of recommendations and returns the number of the run.
package struct BeginRecommendations: Statement {
  package typealias Row = Int64
  package static let sql = "update recommendation_runs set begun = begun + 1 returning begun"

  package init() {}
}

/// Locks the recommendations for a run that is about to store its own; no row if a later run has already done so.
package struct EndRecommendations: Statement {
  package typealias Row = Int64
  package static let sql = "update recommendation_runs set stored = $1 where stored < $1 returning stored"
  let run: Int64

  package init(_ run: Int64) { self.run = run }

  package func bind(_ p: inout Parameters) { p.append(run) }
}

/// Removes the recommendations, in a transaction that stores new ones.
package struct RemoveNeighbours: Statement {
  package typealias Row = Void
  package static let sql = "delete from book_neighbours"

  package init() {}
}

/// Stores the neighbours of some books.
package struct InsertNeighbours: Statement {
  package typealias Row = Void
  // The arrays of an array must have one length: each is passed as text in PostgreSQL's array format.
  package static let sql = """
    insert into book_neighbours (isbn, readers, neighbours, weights)
    select isbn, readers, neighbours::bigint[], weights::real[]
    from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[]) as book (isbn, readers, neighbours, weights)
    """
  let books: [BookNeighbours]

  package init(_ books: [BookNeighbours]) { self.books = books }

  package func bind(_ p: inout Parameters) {
    p.append(books.map(\.book))
    p.append(books.map { Int32($0.readers) })
    p.append(books.map { list($0.neighbours.map { "\($0.book)" }) })
    p.append(books.map { list($0.neighbours.map { "\($0.weight)" }) })
  }

  private func list(_ elements: [String]) -> String { "{\(elements.joined(separator: ","))}" }
}

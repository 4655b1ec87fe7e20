import CatalogDomain
import Identifiers
import Postgres

/// Some of what users of the suite read, in an order that one goes on in, by user and book: what they borrowed, and what they rated.
package struct UsersReadings: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let user: UserID
    package let isbn: Int64
    /// `nil` for what they borrowed and did not rate.
    package let stars: Stars?
  }

  // Both sides begin behind the same row and have as many rows as are wanted, so no pair is torn apart. What to begin behind is an expression,
  // never "null or": the index is entered there.
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

/// Some of what the readers of collections rated, in an order that one goes on in: by collection, reader and book.
package struct CollectionReadings: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let source: String
    package let reader: Int64
    package let sourceID: String
    /// The book; `nil` where no record of it is loaded. Of a record's ISBNs the lowest stands for it.
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

/// Begins to make recommendations: gives the run its number.
package struct BeginRecommendations: Statement {
  package typealias Row = Int64
  package static let sql = "update recommendation_runs set begun = begun + 1 returning begun"

  package init() {}
}

/// Locks what is recommended for the run that is about to store it anew; no row where a run that began later has done so.
package struct EndRecommendations: Statement {
  package typealias Row = Int64
  package static let sql = "update recommendation_runs set stored = $1 where stored < $1 returning stored"
  let run: Int64

  /// - Parameter run: its number.
  package init(_ run: Int64) { self.run = run }

  package func bind(_ p: inout Parameters) { p.append(run) }
}

/// Forgets what was recommended, in a transaction that stores it anew.
package struct RemoveNeighbours: Statement {
  package typealias Row = Void
  package static let sql = "delete from book_neighbours"

  package init() {}
}

/// What is close to some books.
package struct InsertNeighbours: Statement {
  package typealias Row = Void
  // An array of arrays would have to be of one length: each goes as text, in PostgreSQL's own spelling.
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

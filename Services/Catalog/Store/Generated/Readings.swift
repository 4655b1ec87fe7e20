// Made from readings.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// Some of the readings of the service's users, ordered by user and book, so that the next call continues: what they borrowed, and what
/// they rated.
package struct UsersReadings: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let isbn: ISBN
    /// `nil` for a book that was borrowed and not rated.
    package let stars: Stars?
  }

  package static let pace = Pace.slow
  package static let sql = """
    with borrowed as (
      select distinct borrower_id as user_id, isbn from past_loans
      where (borrower_id, isbn)
        > (coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid), coalesce($2::bigint, 0))
      order by borrower_id, isbn
      limit $3
    ), rated as (
      select user_id, isbn, stars from book_ratings
      where (user_id, isbn)
        > (coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid), coalesce($2::bigint, 0))
      order by user_id, isbn
      limit $3
    )
    select user_id as user_id, isbn as isbn, rated.stars
    from borrowed full join rated using (user_id, isbn)
    order by user_id, isbn
    limit $3
    """
  package let afterUserID: UserID?
  package let afterISBN: ISBN?
  package let limit: Int64

  package init(afterUserID: UserID?, afterISBN: ISBN?, limit: Int64) {
    self.afterUserID = afterUserID
    self.afterISBN = afterISBN
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(afterUserID)
    p.append(afterISBN)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), isbn: try row.next(), stars: try row.next())
  }
}

/// Some of the ratings of collections, ordered by collection, reader and book, so that the next call continues.
package struct CollectionReadings: Statement {
  package struct Row: Sendable {
    package let source: String
    package let reader: Int64
    package let sourceID: String
    /// The book; `nil` if its record is not loaded. The lowest ISBN represents a record.
    package let isbn: ISBN?
    package let stars: Stars
  }

  package static let pace = Pace.slow
  package static let sql = """
    select rating.source, rating.reader, rating.source_id, edition.isbn, rating.stars
    from (
      select source, reader, source_id, stars from reader_ratings
      where (source, reader, source_id)
        > (coalesce($1, ''), coalesce($2::bigint, 0), coalesce($3, ''))
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
  package let afterSource: String?
  package let afterReader: Int64?
  package let afterSourceID: String?
  package let limit: Int64

  package init(afterSource: String?, afterReader: Int64?, afterSourceID: String?, limit: Int64) {
    self.afterSource = afterSource
    self.afterReader = afterReader
    self.afterSourceID = afterSourceID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(afterSource)
    p.append(afterReader)
    p.append(afterSourceID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      source: try row.next(), reader: try row.next(), sourceID: try row.next(), isbn: try row.next(),
      stars: try row.next())
  }
}

/// Begins a computation of recommendations and returns the number of the run.
package struct BeginRecommendations: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    update recommendation_runs set begun = begun + 1 returning begun
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks the recommendations for a run that is about to store its own; no row if a later run has already done so.
package struct EndRecommendations: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    update recommendation_runs set stored = $1 where stored < $1 returning stored
    """
  package let run: Int64

  package init(run: Int64) {
    self.run = run
  }

  package func bind(_ p: inout Parameters) {
    p.append(run)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes the recommendations, in a transaction that stores new ones.
package struct RemoveNeighbours: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from book_neighbours
    """

  package init() {}
}

/// Stores the neighbours of some books.
package struct InsertNeighbours: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into book_neighbours (isbn, readers, neighbours, weights)
    select isbn, readers, neighbours::bigint[], weights::real[]
    from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[])
      as book (isbn, readers, neighbours, weights)
    """
  package let isbns: [ISBN]
  package let readers: [Int32]
  /// The arrays of an array must have one length: each is passed as text in PostgreSQL's array format.
  package let neighbours: [String]
  package let weights: [String]

  package init(isbns: [ISBN], readers: [Int32], neighbours: [String], weights: [String]) {
    self.isbns = isbns
    self.readers = readers
    self.neighbours = neighbours
    self.weights = weights
  }

  package func bind(_ p: inout Parameters) {
    p.append(isbns)
    p.append(readers)
    p.append(neighbours)
    p.append(weights)
  }
}

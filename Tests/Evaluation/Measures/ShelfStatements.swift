import Postgres

/// A table of books that hides the catalog's own until the transaction ends.
package struct CreateShelf: Statement {
  package typealias Row = Void
  package static let sql = "create temporary table books (like books including all) on commit drop"

  package init() {}
}

/// The words of these books' titles and authors.
package struct CreateShelfWords: Statement {
  package typealias Row = Void
  package static let sql = "create temporary table name_words (like name_words including all) on commit drop"

  package init() {}
}

/// Tells the planner how many there are.
package struct AnalyzeShelf: Statement {
  package typealias Row = Void
  package static let sql = "analyze books, name_words"

  package init() {}
}

import CatalogDomain
import CatalogStore
import Identifiers
import Logging
import PeriodicTask
import Postgres
import ServiceLifecycle

/// Gives stored books, gyms and workouts the words that searches ask for, after a change of how the service spells words: page by page, at the
/// start, and for what replicas of the version before add meanwhile every five minutes ([CA-2], [CA-13], [CA-25]).
package struct SearchFolding: Service {
  private static let interval: Duration = .seconds(300)
  /// Rows in one transaction.
  private static let pageSize: Int64 = 500

  private let database: Database
  private let logger: Logger

  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "words of searches could not be made anew") { _ in
      try await fold()
    }
  }

  /// Makes the words of all rows that come after those of the last pass.
  package func fold() async throws {
    try await fold("BOOKS", books)
    try await fold("GYMS", gyms)
    try await fold("WORKOUTS", workouts)
    try await foldOutdated()
  }

  /// Makes the words of books anew of whose ISBNs records were loaded.
  private func foldOutdated() async throws {
    var last: BookID?
    while true {
      let books = try await database.rows(OutdatedBooks(after: last, limit: Self.pageSize))
      // One that another transaction has waits for the next pass.
      _ = try await first(busyIn: FoldBooks(books.map(FoldedBook.init)), of: books)
      guard books.count == Self.pageSize, let end = books.last else { return }
      last = end.id
    }
  }

  /// The rows of a page, in the order of their ids, and the first of them that another transaction has.
  private typealias Page = (ids: [UUID7], busy: UUID7?)

  private func fold(_ kind: String, _ page: (_ last: UUID7?) async throws -> Page) async throws {
    let version = Words.foldingVersion
    let stored = try await database.first(SearchFoldedUpTo(kind: kind))
    // A replica of a later version has begun: its words are not replaced by older ones.
    if let stored, stored.version > version { return }
    var last = stored.flatMap { $0.version == version ? $0.lastID : nil }
    while true {
      let (ids, busy) = try await page(last)
      let done = ids.prefix { $0 != busy }
      // A row that is busy twice in a row waits for the next pass.
      guard let end = done.last else { return }
      try await database.write(StoreSearchFolding(kind: kind, version: version, lastID: end))
      if busy == nil, ids.count < Self.pageSize { return }
      last = end
    }
  }

  private func books(after last: UUID7?) async throws -> Page {
    let books = try await database.rows(BooksToFold(after: last.map { BookID($0) }, limit: Self.pageSize))
    return (
      books.map(\.id.uuid), try await first(busyIn: FoldBooks(books.map(FoldedBook.init)), of: books)?.uuid
    )
  }

  private func gyms(after last: UUID7?) async throws -> Page {
    let gyms = try await database.rows(GymsToFold(after: last.map { GymID($0) }, limit: Self.pageSize))
    let folded = FoldGyms(
      gymIDs: gyms.map(\.id), formerVectors: gyms.map(\.vector),
      vectors: gyms.map { SearchVector.refolded($0.words, weights: $0.weights) },
      nameKeys: gyms.map { GymSearchText.refolded(nameKey: $0.nameKey) })
    return (gyms.map(\.id.uuid), try await first(busyIn: folded, of: gyms)?.uuid)
  }

  private func workouts(after last: UUID7?) async throws -> Page {
    let workouts = try await database.rows(WorkoutsToFold(after: last.map { WorkoutID($0) }, limit: Self.pageSize))
    let folded = FoldWorkouts(
      workoutIDs: workouts.map(\.id), formerVectors: workouts.map(\.vector),
      vectors: workouts.map { SearchVector.refolded($0.words, weights: $0.weights) },
      names: workouts.map { SearchVector.refolded($0.names) })
    return (workouts.map(\.id.uuid), try await first(busyIn: folded, of: workouts)?.uuid)
  }

  private func first<S: SingleRowStatement, Row>(busyIn folded: S, of rows: [Row]) async throws -> S.Row? {
    guard !rows.isEmpty else { return nil }
    return try await database.transaction { tx in try await tx.first(folded) }
  }
}

/// A book with its words as they are made today.
private struct FoldedBook {
  let id: BookID
  let revision: Int64
  let text: SearchText

  init(_ book: BooksToFold.Row) {
    (id, revision) = (book.id, book.revision)
    text = SearchText(
      title: book.title, recorded: book.titles, authors: book.authors, isbn: book.isbn, description: book.description)
  }

  init(_ book: OutdatedBooks.Row) {
    (id, revision) = (book.id, book.revision)
    text = SearchText(
      title: book.title, recorded: book.titles, authors: book.authors, isbn: book.isbn, description: book.description)
  }
}

extension FoldBooks {
  fileprivate init(_ books: [FoldedBook]) {
    self.init(
      bookIDs: books.map(\.id), revisions: books.map(\.revision), vectors: books.map(\.text.vector),
      names: books.map(\.text.names), titleKeys: books.map(\.text.titleKey),
      otherTitleKeys: books.map { $0.text.otherTitleKeys.joined(separator: "\n") }, surnames: books.map(\.text.surname))
  }
}

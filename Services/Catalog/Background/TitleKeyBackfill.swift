import CatalogDomain
import CatalogStore
import Logging
import PeriodicTask
import Postgres
import ServiceLifecycle

/// Gives title keys to books that replicas of a version without them add during an update: at the start, and every five minutes.
package struct TitleKeyBackfill: Service {
  private static let interval: Duration = .seconds(300)
  /// Books in one transaction.
  private static let page: Int64 = 500

  private let database: Database
  private let logger: Logger

  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "title keys could not be filled in") { _ in
      try await fill()
    }
  }

  /// Goes once through the books without a key. A title of signs alone has none.
  package func fill() async throws {
    var last: BookID?
    repeat {
      let books = try await database.rows(BooksWithoutTitleKey(before: last, limit: Self.page))
      last = books.count < Self.page ? nil : books.last?.id
      let keyed = books.map { ($0, TitleKey.of($0.title)) }.filter { !$0.1.isEmpty }
      if !keyed.isEmpty {
        let found = FillTitleKeys(
          bookIDs: keyed.map(\.0.id), titles: keyed.map(\.0.title), titleKeys: keyed.map(\.1),
          surnames: keyed.map { SearchText.surname(of: $0.0.authors) })
        try await database.transaction { tx in try await tx.execute(found) }
      }
    } while last != nil
  }
}

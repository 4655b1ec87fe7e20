import Environment
import Events
import Identifiers
import LendingDomain
import LendingStore
import Postgres
import TandemEvents

extension EventSubscription {
  /// What is done about the catalog's books: what requests keep of them is known before anybody asks.
  ///
  /// Where the news is gone, the catalog is asked about each book when somebody asks for it. Deletions cannot be missed: the catalog has lending
  /// retire a book first.
  package static func books(clock: any WallClock) -> EventSubscription {
    EventSubscription(
      of: "catalog",
      handlers: [
        EventHandler(of: BookListed.self) { event, tx in
          try await PutBook(event).keep(in: tx)
        },
        EventHandler(of: BookDeleted.self) { event, tx in
          let id = try BookID(event)
          guard let book = try await tx.first(LockedBook(id)), book.facts.status == .available else { return }
          _ = try await tx.first(MarkRetired(id, now: clock.now))
        },
      ],
      resyncRestoresAll: true,
      resync: { _ in { tx in try await tx.execute(ForgetDescriptions()) } })
  }
}

/// An event of the catalog's that names no book, or nobody.
private struct NothingNamed: Error {}

extension PutBook {
  /// - Throws: when the event names no book, no owner or no ISBN.
  package init(_ event: ReceivedEvent<BookListed>) throws {
    let book = event.message
    guard let id = BookID(book.bookID), let owner = UserID(book.ownerID), let isbn = ISBN(complete: book.isbn) else {
      throw NothingNamed()
    }
    self.init(id, of: owner, isbn, title: book.title, description: book.description)
  }
}

extension BookID {
  /// - Throws: when the event names no book.
  package init(_ event: ReceivedEvent<BookDeleted>) throws {
    guard let id = BookID(event.message.bookID) else { throw NothingNamed() }
    self = id
  }
}

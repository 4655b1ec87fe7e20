import Events
import Identifiers
import LendingDomain
import LendingOperations
import LendingStore
import Postgres
import TandemEvents

extension EventSubscription {
  /// Stores the catalog's books, so that the details that requests copy are available before the first request.
  ///
  /// When events are gone, the catalog is asked about a book once a user requests it. Deletions cannot be missed: the catalog asks lending
  /// to retire a book first.
  package static func books(_ operations: LoanOperations) -> EventSubscription {
    EventSubscription(
      of: "catalog",
      handlers: [
        EventHandler(batchesOf: BookListed.self) { events, tx in
          try await tx.execute(PutBooks(try events.map { try PutBook($0) }))
        },
        EventHandler(batchesOf: BookDeleted.self) { events, tx in
          try await operations.retireDeletedBooks(try events.map { try BookID($0) }, tx)
        },
      ],
      // The owners before the books, and books in the order of their ids, as the jobs lock them.
      preparation: { events, tx in
        let listed = events.filter { $0.type == BookListed.protobufName }
        let owners = try listed.map { try PutBook(ReceivedEvent($0)).ownerID }
        let books = events.compactMap { BookID($0.key) }
        _ = try await tx.rows(EnterUsers(userIDs: owners), ShareUsers(userIDs: owners), LockBooks(bookIDs: books))
      },
      resyncRestoresAll: true,
      resync: { _ in { tx in try await tx.execute(ForgetDescriptions()) } })
  }
}

/// An event of the catalog without a valid book, owner or ISBN.
private struct NothingNamed: Error {}

extension PutBook {
  /// - Throws: if the event has no valid book id, owner id or ISBN.
  package init(_ event: ReceivedEvent<BookListed>) throws {
    let book = event.message
    guard let id = BookID(book.bookID), let owner = UserID(book.ownerID), let isbn = ISBN(complete: book.isbn) else {
      throw NothingNamed()
    }
    self.init(ownerID: owner, bookID: id, isbn: isbn, title: book.title, description: book.description)
  }
}

extension BookID {
  /// - Throws: if the event has no valid book id.
  package init(_ event: ReceivedEvent<BookDeleted>) throws {
    guard let id = BookID(event.message.bookID) else { throw NothingNamed() }
    self = id
  }
}

import Events
import Identifiers
import LendingDomain
import LendingStore
import TandemEvents

/// An event of the catalog's that names no book, or nobody.
private struct NothingNamed: Error {}

extension PutBook {
  /// - Throws: when the event names no book, no owner or no ISBN.
  package init(_ event: ReceivedEvent<BookListed>) throws {
    let book = event.message
    guard let id = BookID(book.bookID), let owner = PersonID(book.ownerID), let isbn = ISBN(complete: book.isbn) else {
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

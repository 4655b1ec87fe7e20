import Ambient
import CatalogDomain
import CatalogStore
import Events
import Identifiers
import TandemEvents
import Timestamps

/// A lending event has an id that is not a UUID, or an unknown status.
private struct MalformedEvent: Error {}

/// A book's availability, from lending's event.
package struct Whereabouts: Sendable, Hashable {
  package let book: BookID
  package let status: CatalogDomain.BookStatus
  /// The borrower while the book is accepted or borrowed; `nil` after the return.
  package let borrower: PersonID?

  package init(_ book: BookID, _ status: CatalogDomain.BookStatus, borrower: String) {
    self.book = book
    self.status = status
    self.borrower = status == .accepted || status == .borrowed ? PersonID(borrower) : nil
  }

  package init(_ shown: ShownBooks.Row) {
    (book, status, borrower) = (shown.id, shown.status, shown.borrower)
  }

  /// - Throws: when the book id is not a UUID, or the status is unknown.
  package init(_ event: ReceivedEvent<BookStatusChanged>) throws {
    let change = event.message
    guard let book = BookID(change.bookID), let status = CatalogDomain.BookStatus(change.status) else {
      throw MalformedEvent()
    }
    self.init(book, status, borrower: change.borrowerID)
  }

  package func update(at now: Instant) -> SetBookStatus { SetBookStatus(book, status, borrower: borrower, now: now) }
}

extension ReturnComment {
  /// A borrower's comment; `nil` when an id is not a UUID.
  package init?(loan: String, book: String, author: String, _ text: String, at moment: Instant, _ ambient: Ambient) {
    guard let loan = UUID7(loan), let book = BookID(book), let author = PersonID(author) else { return nil }
    self.init(
      CommentID(ambient.randomness.uuid7(at: moment)), on: book, by: author, CommentText(stored: text),
      endingLoan: loan, saidAt: moment)
  }

  /// - Throws: when an id is not a UUID, or the time is out of range.
  package init(_ event: ReceivedEvent<ReturnCommented>, _ ambient: Ambient) throws {
    let said = event.message
    let moment = try said.createTime.map { try Instant(told: $0) } ?? event.occurredAt
    let comment = Self(loan: said.loanID, book: said.bookID, author: said.authorID, said.text, at: moment, ambient)
    guard let comment else { throw MalformedEvent() }
    self = comment
  }
}

extension InsertPastLoan {
  /// - Throws: when an id is not a UUID.
  package init(_ event: ReceivedEvent<BookStatusChanged>) throws {
    let change = event.message
    guard let loan = UUID7(change.loanID), let book = BookID(change.bookID), let borrower = PersonID(change.borrowerID)
    else { throw MalformedEvent() }
    self.init(loan, of: book, to: borrower, at: event.occurredAt)
  }
}

extension CatalogDomain.BookStatus {
  fileprivate init?(_ told: LendingStatus) {
    switch told {
    case .available: self = .available
    case .requested: self = .requested
    case .accepted: self = .accepted
    case .borrowed: self = .borrowed
    case .unspecified, .unrecognized: return nil
    }
  }
}

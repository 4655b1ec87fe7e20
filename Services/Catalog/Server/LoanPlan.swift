import Ambient
import CatalogDomain
import CatalogHandlers
import CatalogStore
import Events
import Identifiers
import Postgres
import TandemEvents

extension ConsumerPlan {
  /// What is done about lending's events: where each book is, and who has it, is shown as lending says ([LE-15]); what a borrower says while
  /// giving a book back becomes a comment on it, once ([LE-10]).
  ///
  /// Where the news is gone lending is asked where all books are, and what was said on returns.
  static func loans(_ ambient: Ambient) -> ConsumerPlan {
    ConsumerPlan(
      of: "lending",
      effects: [
        EventEffect(of: BookStatusChanged.self) { event, tx in
          let change = event.message
          guard let book = BookID(change.bookID), let status = CatalogDomain.BookStatus(change.status) else {
            throw NothingNamed()
          }
          let whereabouts = Whereabouts(book, status, borrower: change.borrowerID)
          try await tx.execute(whereabouts.update(at: ambient.clock.now))
        },
        EventEffect(of: ReturnCommented.self) { event, tx in
          let said = event.message
          let moment = said.createTime.flatMap { Instant($0) } ?? event.occurredAt
          let comment = ReturnComment(
            loan: said.loanID, book: said.bookID, author: said.authorID, said.text, at: moment, ambient)
          guard let comment else { throw NothingNamed() }
          try await tx.execute(InsertReturnComments([comment]))
        },
      ],
      rebuild: { source in try await MissedLoans(source, ambient).gathered() })
  }

  /// The event names no book, or a status that nobody knows.
  private struct NothingNamed: Error {}
}

/// Where a book is, as lending says.
struct Whereabouts: Sendable, Hashable {
  let book: BookID
  let status: CatalogDomain.BookStatus
  /// Who has it or was promised it; who gave it back is not named.
  let borrower: PersonID?

  init(_ book: BookID, _ status: CatalogDomain.BookStatus, borrower: String) {
    self.book = book
    self.status = status
    self.borrower = status == .accepted || status == .borrowed ? PersonID(borrower) : nil
  }

  init(_ shown: ShownBooks.Row) {
    (book, status, borrower) = (shown.id, shown.status, shown.borrower)
  }

  func update(at now: Instant) -> SetBookStatus { SetBookStatus(book, status, borrower: borrower, now: now) }
}

extension ReturnComment {
  /// What a borrower said; `nil` when it names no loan, book or author.
  init?(loan: String, book: String, author: String, _ text: String, at moment: Instant, _ ambient: Ambient) {
    guard let loan = UUID7(loan), let book = BookID(book), let author = PersonID(author) else { return nil }
    self.init(
      CommentID(ambient.randomness.uuid7(at: moment)), on: book, by: author, CommentText(stored: text),
      endingLoan: loan, saidAt: moment)
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

import CatalogDomain
import CatalogStore
import Environment
import Events
import Identifiers
import Jobs
import Postgres
import TandemEvents
import Timestamps

extension EventSubscription {
  /// Stores where each book is, and who has it, by lending's events ([LE-15]); a borrower's comment on a return becomes a comment on the
  /// book, once ([LE-10]).
  ///
  /// When events are gone, the resync asks lending for the status of all books and for the comments on returns.
  package static func loans(_ environment: Environment) -> EventSubscription {
    EventSubscription(
      of: "lending",
      handlers: [
        EventHandler(batchesOf: BookStatusChanged.self) { events, tx in
          // The author of a comment on a return, which is stored next, is the borrower of the return's event.
          try await BookAvailability.store(
            try events.map { try BookAvailability($0) }, locking: events.compactMap { UserID($0.message.borrowerID) },
            at: environment.clock.now, in: tx)
        },
        EventHandler(batchesOf: BookHoldChanged.self) { events, tx in
          try await BookHold.store(try events.map { try BookHold($0) }, at: environment.clock.now, in: tx)
        },
        EventHandler(batchesOf: ReturnCommented.self) { events, tx in
          try await tx.execute(InsertReturnComments(try events.map { try ReturnComment($0, environment) }))
        },
      ],
      resyncRestoresAll: true,
      resync: { source in try await LendingResync(source, environment).gathered() })
  }

  /// Stores what users borrowed, by lending's events, and queues the computation of recommendations ([CA-28]).
  ///
  /// When events are gone it continues with later ones: the recommendations lack the loans in between and stay valid.
  package static func pastLoans(_ jobs: Jobs) -> EventSubscription {
    EventSubscription(
      of: "lending", name: "recommendations",
      handlers: [
        EventHandler(batchesOf: BookStatusChanged.self) { events, tx in
          let loans = try events.filter { $0.message.status == .borrowed }.map { try PastLoan($0) }
          guard !loans.isEmpty, try await !tx.rows(InsertPastLoans(loans)).isEmpty else { return }
          try await tx.schedule(RecommendationJob.after(jobs.environment.clock.now), with: jobs)
        }
      ],
      resync: { _ in { _ in } })
  }
}

/// A lending event has an id that is not a UUID, or an unknown status.
private struct MalformedEvent: Error {}

/// A book's availability, from lending's event.
package struct BookAvailability: Sendable, Hashable {
  package let book: BookID
  package let status: CatalogDomain.BookStatus
  /// The borrower while the book is accepted or borrowed; `nil` after the return.
  package let borrower: UserID?

  package init(_ book: BookID, _ status: CatalogDomain.BookStatus, borrower: String) {
    self.book = book
    self.status = status
    self.borrower = status == .accepted || status == .borrowed ? UserID(borrower) : nil
  }

  package init(_ shown: ShownBooks.Row) {
    (book, status, borrower) = (shown.id, shown.status, shown.borrowerID)
  }

  /// - Throws: when the book id is not a UUID, or the status is unknown.
  package init(_ event: ReceivedEvent<BookStatusChanged>) throws {
    let change = event.message
    guard let book = BookID(change.bookID), let status = CatalogDomain.BookStatus(change.status) else {
      throw MalformedEvent()
    }
    self.init(book, status, borrower: change.borrowerID)
  }

  /// Stores the last availability of each book.
  ///
  /// - Parameter users: locked too, for what the transaction stores of them afterwards.
  package static func store(
    _ reported: [BookAvailability], locking users: [UserID] = [], at now: Instant, in tx: Transaction
  ) async throws {
    let books = SetBookStatuses(last: reported, now: now)
    _ = try await tx.rows(LockUsersOfBooks(bookIDs: books.bookIDs, userIDs: users + books.borrowerIDs), books)
  }
}

/// Whether the owner of a book withholds it, from lending's event ([CA-29]).
package struct BookHold: Sendable, Hashable {
  package let book: BookID
  package let isHeld: Bool

  package init(_ book: BookID, isHeld: Bool) { (self.book, self.isHeld) = (book, isHeld) }

  /// - Throws: when the book id is not a UUID.
  package init(_ event: ReceivedEvent<BookHoldChanged>) throws {
    guard let book = BookID(event.message.bookID) else { throw MalformedEvent() }
    self.init(book, isHeld: event.message.onHold)
  }

  /// Stores the last of what was reported of each book.
  package static func store(_ reported: [BookHold], at now: Instant, in tx: Transaction) async throws {
    guard !reported.isEmpty else { return }
    var books: Set<BookID> = []
    let last = reported.reversed().filter { books.insert($0.book).inserted }.reversed()
    let ids = last.map(\.book)
    _ = try await tx.rows(
      LockUsersOfBooks(bookIDs: ids, userIDs: []), SetBookHolds(bookIDs: ids, holds: last.map(\.isHeld), now: now))
  }
}

extension SetBookStatuses {
  /// The last of the statuses reported for each book, in the order of these.
  fileprivate init(last reported: [BookAvailability], now: Instant) {
    var books: Set<BookID> = []
    let last = reported.reversed().filter { books.insert($0.book).inserted }.reversed()
    let held = last.compactMap { book in book.borrower.map { (book.book, $0) } }
    self.init(
      bookIDs: last.map(\.book), statuses: last.map(\.status), heldBookIDs: held.map(\.0),
      borrowerIDs: held.map(\.1), now: now)
  }
}

extension ReturnComment {
  /// A borrower's comment; `nil` when an id is not a UUID.
  package init?(
    loan: String, book: String, author: String, _ text: String, at moment: Instant, _ environment: Environment
  ) {
    guard let loan = UUID7(loan), let book = BookID(book), let author = UserID(author) else { return nil }
    self.init(
      CommentID(environment.randomness.uuid7(at: moment)), on: book, by: author, CommentText(stored: text),
      endingLoan: loan, saidAt: moment)
  }

  /// - Throws: when an id is not a UUID, or the time is out of range.
  package init(_ event: ReceivedEvent<ReturnCommented>, _ environment: Environment) throws {
    let said = event.message
    let moment = try said.createTime.map { try Instant(wire: $0) } ?? event.occurredAt
    let comment = Self(loan: said.loanID, book: said.bookID, author: said.authorID, said.text, at: moment, environment)
    guard let comment else { throw MalformedEvent() }
    self = comment
  }
}

extension PastLoan {
  /// - Throws: when an id is not a UUID.
  package init(_ event: ReceivedEvent<BookStatusChanged>) throws {
    let change = event.message
    guard let loan = UUID7(change.loanID), let book = BookID(change.bookID), let borrower = UserID(change.borrowerID)
    else { throw MalformedEvent() }
    self.init(loan, of: book, by: borrower, at: event.occurredAt)
  }
}

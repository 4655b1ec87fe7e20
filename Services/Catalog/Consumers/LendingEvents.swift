import CatalogDomain
import CatalogOperations
import CatalogStore
import Environment
import Events
import Identifiers
import Postgres
import TandemEvents
import Timestamps

extension EventSubscription {
  /// Stores where each book is, and who has it, by lending's events ([LE-15]); a borrower's comment on a return becomes a comment on the
  /// book, once ([LE-10]).
  ///
  /// When events are gone, lending is asked for the status of all books and for the comments on returns.
  package static func loans(_ operations: BookOperations, _ environment: Environment) -> EventSubscription {
    EventSubscription(
      of: "lending",
      handlers: [
        EventHandler(batchesOf: BookStatusChanged.self) { events, tx in
          try await operations.storeAvailability(try events.map { try BookAvailability($0) }, tx)
        },
        EventHandler(batchesOf: BookHoldChanged.self) { events, tx in
          try await operations.storeHolds(try events.map { try BookHold($0) }, tx)
        },
        EventHandler(batchesOf: ReturnCommented.self) { events, tx in
          try await tx.execute(InsertReturnComments(try events.map { try ReturnComment($0, environment) }))
        },
      ],
      // All users before what is stored of any, in the order in which other transactions lock them.
      preparation: { events, tx in
        let named = try events.map { try Concerned($0) }
        try await tx.holdUsers(ofBooks: named.compactMap(\.book), and: named.compactMap(\.user))
      },
      resyncRestoresAll: true,
      resync: { source in
        let report = try await operations.askLending(source.producer, about: source.database)
        return { tx in try await operations.store(report, tx) }
      })
  }

  /// Stores what users borrowed, by lending's events, and queues the computation of recommendations ([CA-28]).
  ///
  /// When events are gone it continues with later ones: the recommendations lack the loans in between and stay valid.
  package static func pastLoans(_ operations: BookOperations) -> EventSubscription {
    EventSubscription(
      of: "lending", name: "recommendations",
      handlers: [
        EventHandler(batchesOf: BookStatusChanged.self) { events, tx in
          let loans = try events.filter { $0.message.status == .borrowed }.map { try PastLoan($0) }
          try await operations.storeLoans(loans, tx)
        }
      ],
      resync: { _ in { _ in } })
  }
}

/// Whom and what an event of lending concerns.
private struct Concerned {
  var book: BookID?
  var user: UserID?

  init(_ event: Event) throws {
    switch event.type {
    case BookStatusChanged.protobufName:
      let change = try ReceivedEvent<BookStatusChanged>(event).message
      (book, user) = (BookID(change.bookID), UserID(change.borrowerID))
    case BookHoldChanged.protobufName: book = BookID(try ReceivedEvent<BookHoldChanged>(event).message.bookID)
    case ReturnCommented.protobufName: user = UserID(try ReceivedEvent<ReturnCommented>(event).message.authorID)
    default: break
    }
  }
}

/// A lending event has an id that is not a UUID, or an unknown status.
private struct MalformedEvent: Error {}

extension BookAvailability {
  /// - Throws: when the book id is not a UUID, or the status is unknown.
  package init(_ event: ReceivedEvent<BookStatusChanged>) throws {
    let change = event.message
    guard let book = BookID(change.bookID), let status = CatalogDomain.BookStatus(change.status) else {
      throw MalformedEvent()
    }
    self.init(book, status, borrower: change.borrowerID)
  }
}

extension BookHold {
  /// - Throws: when the book id is not a UUID.
  package init(_ event: ReceivedEvent<BookHoldChanged>) throws {
    guard let book = BookID(event.message.bookID) else { throw MalformedEvent() }
    self.init(book, isHeld: event.message.onHold)
  }
}

extension ReturnComment {
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

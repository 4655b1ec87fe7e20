import Ambient
import CatalogDomain
import CatalogStore
import Events
import Identifiers
import Postgres
import TTRPC
import TandemEvents
import TandemLending

extension ConsumerPlan {
  /// What is done about lending's events: where each book is, and who has it, is shown as lending says ([LE-15]); what a borrower says while
  /// giving a book back becomes a comment on it, once ([LE-10]).
  ///
  /// Where the news is gone lending is asked where all books are.
  static func loans(_ ambient: Ambient) -> ConsumerPlan {
    ConsumerPlan(
      of: "lending",
      effects: [
        EventEffect(of: BookStatusChanged.self) { event, tx in
          let change = event.message
          guard let book = BookID(change.bookID), let status = CatalogDomain.BookStatus(change.status) else {
            throw NothingNamed()
          }
          try await tx.execute(
            SetBookStatus(book, status, borrower: borrower(change.borrowerID, status), now: ambient.clock.now))
        },
        EventEffect(of: ReturnCommented.self) { event, tx in
          let said = event.message
          guard let book = BookID(said.bookID), let author = PersonID(said.authorID), let loan = UUID7(said.loanID)
          else { throw NothingNamed() }
          // Who left meanwhile has said nothing.
          guard try await tx.first(EnterPerson(author)) != nil else { return }
          try await tx.execute(
            InsertReturnComment(
              ambient.newID(), on: book, by: author, CommentText(stored: said.text), endingLoan: loan,
              now: event.occurredAt))
        },
      ],
      rebuild: { source in
        let statuses = try await statuses(of: source)
        return { tx in
          for (book, status, borrower) in statuses {
            try await tx.execute(SetBookStatus(book, status, borrower: borrower, now: ambient.clock.now))
          }
        }
      })
  }

  /// The event names no book, or a status that nobody knows.
  private struct NothingNamed: Error {}

  /// Who has a book or was promised it; who gave it back is not named.
  private static func borrower(_ id: String, _ status: CatalogDomain.BookStatus) -> PersonID? {
    status == .accepted || status == .borrowed ? PersonID(id) : nil
  }

  // MARK: When the news was missed

  /// Books that lending is asked about at a time: as many as it takes.
  private static let page = 1_000
  /// A page is one look at an index.
  private static let patience = Duration.seconds(10)

  private static func statuses(
    of source: RebuildSource
  ) async throws -> [(BookID, CatalogDomain.BookStatus, PersonID?)] {
    let loans = LoansClient(source.producer)
    var statuses: [(BookID, CatalogDomain.BookStatus, PersonID?)] = []
    var last = BookID(UUID7(high: 0, low: 0))
    while true {
      let ids = try await source.database.rows(BookIDsAfter(last, limit: Int64(page)))
      guard let end = ids.last else { return statuses }
      let answer = try await loans.findBookStatuses(
        FindBookStatusesRequest(bookIds: ids.map(\.description)), CallOptions(timeout: patience))
      for known in answer.statuses {
        guard let id = BookID(known.bookID), let status = CatalogDomain.BookStatus(known.status) else { continue }
        statuses.append((id, status, borrower(known.borrowerID, status)))
      }
      if ids.count < page { return statuses }
      last = end
    }
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

  fileprivate init?(_ known: TandemLending.BookStatus) {
    switch known {
    case .available: self = .available
    case .requested: self = .requested
    case .accepted: self = .accepted
    case .borrowed: self = .borrowed
    case .unspecified, .unrecognized: return nil
    }
  }
}

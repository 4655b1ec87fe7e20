import CatalogHandlers
import CatalogStore
import Events
import Identifiers
import Jobs
import Postgres
import TandemEvents

extension ConsumerPlan {
  /// Keeps what people borrowed, as lending tells it, and has what is recommended made anew ([CA-28]).
  ///
  /// Where the news is gone it goes on with what is told from now on: recommendations lack what was borrowed meanwhile, and are none the less
  /// true.
  static func pastLoans(_ jobs: Jobs) -> ConsumerPlan {
    ConsumerPlan(
      of: "lending", name: "recommendations",
      effects: [
        EventEffect(of: BookStatusChanged.self) { event, tx in
          guard event.message.status == .borrowed else { return }
          let loan = try PastLoan(event.message, at: event.occurredAt)
          guard try await tx.first(loan.insert) != nil else { return }
          try await tx.schedule(RecommendationJob.after(jobs.ambient.clock.now), with: jobs)
        }
      ],
      rebuild: { _ in { _ in } })
  }
}

/// A loan that an event tells of.
private struct PastLoan {
  let insert: InsertPastLoan

  /// The event names no loan.
  private struct NoLoan: Error {}

  init(_ event: BookStatusChanged, at moment: Instant) throws {
    guard let loan = UUID7(event.loanID), let book = BookID(event.bookID), let borrower = PersonID(event.borrowerID)
    else { throw NoLoan() }
    insert = InsertPastLoan(loan, of: book, to: borrower, at: moment)
  }
}

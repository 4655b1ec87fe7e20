import Ambient
import CatalogHandlers
import CatalogStore
import Events
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
          try await tx.execute(try Whereabouts(event).update(at: ambient.clock.now))
        },
        EventEffect(of: ReturnCommented.self) { event, tx in
          try await tx.execute(InsertReturnComments([try ReturnComment(event, ambient)]))
        },
      ],
      rebuildRestoresAll: true,
      rebuild: { source in try await MissedLoans(source, ambient).gathered() })
  }
}

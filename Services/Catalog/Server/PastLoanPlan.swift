import CatalogHandlers
import CatalogStore
import Events
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
          guard try await tx.first(try InsertPastLoan(event)) != nil else { return }
          try await tx.schedule(RecommendationJob.after(jobs.ambient.clock.now), with: jobs)
        }
      ],
      rebuild: { _ in { _ in } })
  }
}

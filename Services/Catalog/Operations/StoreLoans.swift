import CatalogStore
import Jobs
import Postgres

extension BookOperations {
  /// Stores what users borrowed, each loan once, and queues the computation of recommendations if any is new ([CA-28]).
  package func storeLoans(_ loans: [PastLoan], _ tx: Transaction) async throws {
    guard !loans.isEmpty, try await !tx.rows(InsertPastLoans(loans)).isEmpty else { return }
    try await tx.schedule(RecommendationJob.after(environment.clock.now), with: jobs)
  }
}

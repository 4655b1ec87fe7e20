import CatalogDomain
import CatalogStore
import Identifiers
import Jobs
import Postgres

extension BookOperations {
  /// Deletes a user's rating of a book ([CA-28]).
  package func deleteRating(of isbn: ISBN, by reader: UserID, _ tx: Transaction) async throws {
    try await tx.enter(reader)
    guard try await tx.first(RemoveRating(userID: reader, isbn: isbn)) != nil else { throw RatingRefusal.noSuchRating }
    try await tx.schedule(RecommendationJob.after(environment.clock.now), with: jobs)
    try await countRating(-1, of: reader, tx)
  }
}

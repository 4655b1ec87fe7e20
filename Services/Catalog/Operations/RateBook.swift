import CatalogDomain
import CatalogStore
import Identifiers
import Jobs
import Postgres

extension BookOperations {
  /// Stores a user's rating of a book ([CA-28]).
  package func rateBook(_ isbn: ISBN, _ stars: Stars, by reader: UserID, _ tx: Transaction) async throws -> StoredRating
  {
    // The user's row is locked before any other.
    try await tx.enter(reader)
    try await tx.schedule(RecommendationJob.after(environment.clock.now), with: jobs)
    let rating = StoredRating(
      isbn: isbn, title: try await title(of: isbn, for: reader, tx), stars: stars, ratedAt: environment.clock.now)
    if try await tx.first(StoreRating(rating, userID: reader)) == true { try await countRating(1, of: reader, tx) }
    return rating
  }

  private func title(of isbn: ISBN, for reader: UserID, _ tx: Transaction) async throws -> String {
    if let edition = try await tx.first(EditionByISBN(isbn: isbn)) { return edition.title }
    if let title = try await tx.first(TitleOfCopy(userID: reader, isbn: isbn)) { return title }
    throw BookRefusal.noSuchEdition(amongRecords: try await tx.first(HasRecords()) ?? false)
  }

  /// Makes sure that something is known about an ISBN, so that a user can rate its book.
  ///
  /// - Throws: `noSuchEdition`.
  package func requireRatable(_ isbn: ISBN, by reader: UserID) async throws {
    guard try await database.first(EditionByISBN(isbn: isbn)) == nil,
      try await database.first(TitleOfCopy(userID: reader, isbn: isbn)) == nil
    else { return }
    throw BookRefusal.noSuchEdition(amongRecords: try await database.first(HasRecords()) ?? false)
  }

  /// Adds a rating to the user's count, or removes one from it.
  ///
  /// - Parameter number: 1 or -1.
  func countRating(_ number: Int32, of reader: UserID, _ tx: Transaction) async throws {
    do {
      try await tx.execute(CountRating(number: number, userID: reader))
    } catch let error as PostgresError where error.constraint == CountRating.limitConstraint {
      throw RatingRefusal.tooManyRatings
    }
  }
}

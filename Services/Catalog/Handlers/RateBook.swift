import CatalogDomain
import CatalogStore
import FieldViolations
import Idempotency
import Identifiers
import Jobs
import Postgres
import TTRPC
import TandemCatalog
import Timestamps

extension Books {
  /// Stores the caller's rating of a book ([CA-28]).
  package func rateBook(_ call: RateBookRequest, _ context: CallContext) async throws -> BookRating {
    let reader = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require("isbn", ISBN(call.isbn), ISBN.refusal, CatalogReason.invalidIsbn)
    let given = bad.require("stars", Stars(call.stars), "A book has 1 to 5 stars", CatalogReason.starsInvalid)
    try await addUnknown(named, for: reader, to: &bad)
    let (isbn, stars) = try bad.all(named, given)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      // The user's row is locked before any other.
      guard try await tx.first(EnterUser(userID: reader)) != nil else { throw Status.notAUser }
      try await tx.schedule(RecommendationJob.after(environment.clock.now), with: jobs)
      let rating = StoredRating(
        isbn: isbn, title: try await title(of: isbn, for: reader, tx), stars: stars, ratedAt: environment.clock.now)
      if try await tx.first(StoreRating(rating, userID: reader)) == true { try await count(1, of: reader, tx) }
      return BookRating(rating)
    }
  }

  private func title(of isbn: ISBN, for reader: UserID, _ tx: Transaction) async throws -> String {
    if let edition = try await tx.first(EditionByISBN(isbn: isbn)) { return edition.title }
    if let title = try await tx.first(TitleOfCopy(userID: reader, isbn: isbn)) { return title }
    throw Status.noSuchEdition(amongRecords: try await tx.first(HasRecords()) ?? false)
  }

  /// Adds an ISBN about which nothing is known to a request's other bad fields, so that all are named at once ([C-2]).
  private func addUnknown(_ isbn: ISBN?, for reader: UserID, to bad: inout Violations) async throws {
    guard !bad.isEmpty, let isbn, try await database.first(EditionByISBN(isbn: isbn)) == nil,
      try await database.first(TitleOfCopy(userID: reader, isbn: isbn)) == nil
    else { return }
    let hasRecords = try await database.first(HasRecords()) ?? false
    bad.add("isbn", Status.unknownISBN(amongRecords: hasRecords), CatalogReason.editionNotFound)
  }

  /// Adds a rating to the user's count, or removes one from it.
  ///
  /// - Parameter number: 1 or -1.
  func count(_ number: Int32, of reader: UserID, _ tx: Transaction) async throws {
    do {
      try await tx.execute(CountRating(number: number, userID: reader))
    } catch let error as PostgresError where error.constraint == CountRating.limitConstraint {
      throw Status.tooManyRatings
    }
  }
}

extension BookRating {
  /// The rating as its author sees it.
  init(_ stored: StoredRating) {
    self.init(
      isbn: stored.isbn.description, title: stored.title, stars: Int32(stored.stars.count),
      rateTime: stored.ratedAt.timestamp)
  }
}

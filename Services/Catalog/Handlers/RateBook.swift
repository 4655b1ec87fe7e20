import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Idempotency
import Identifiers
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
      BookRating(try await operations.rateBook(isbn, stars, by: reader, tx))
    }
  }

  /// Adds an ISBN about which nothing is known to a request's other bad fields, so that all are named at once ([C-2]).
  private func addUnknown(_ isbn: ISBN?, for reader: UserID, to bad: inout Violations) async throws {
    guard !bad.isEmpty, let isbn else { return }
    do {
      try await operations.requireRatable(isbn, by: reader)
    } catch BookRefusal.noSuchEdition(let amongRecords) {
      bad.add("isbn", BookRefusal.unknownISBN(amongRecords: amongRecords), CatalogReason.editionNotFound)
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

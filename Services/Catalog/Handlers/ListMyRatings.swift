import CatalogStore
import FieldViolations
import Identifiers
import Pagination
import TTRPC
import TandemCatalog

extension Books {
  /// A page of the caller's ratings, the latest first ([CA-28], [C-5]).
  package func listMyRatings(
    _ call: ListMyRatingsRequest, _ context: CallContext
  ) async throws -> ListMyRatingsResponse {
    let reader = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Instant.self, Int64.self)
    try bad.check()
    let found = try await database.rows(RatingsBefore(userID: reader, before: page.after, limit: page.limit))
    let (rows, next) = try page.cut(found) { ($0.ratedAt, $0.isbn.number) }
    return ListMyRatingsResponse(ratings: rows.map { BookRating($0) }, nextPageToken: next)
  }
}

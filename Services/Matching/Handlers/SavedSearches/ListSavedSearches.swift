import MatchingStore
import TTRPC
import TandemMatching

extension SavedSearches {
  /// The caller's searches, the newest first.
  package func listSavedSearches(
    _ call: ListSavedSearchesRequest, _ context: CallContext
  ) async throws -> ListSavedSearchesResponse {
    let searches = try await database.rows(SearchesOf(userID: try context.userID))
    return ListSavedSearchesResponse(searches: searches.map { SavedSearch($0) })
  }
}

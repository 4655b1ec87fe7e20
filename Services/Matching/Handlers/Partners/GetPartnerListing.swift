import MatchingStore
import TTRPC
import TandemMatching

extension Partners {
  /// The caller's listing ([MA-13]).
  package func getPartnerListing(
    _ call: GetPartnerListingRequest, _ context: CallContext
  ) async throws -> PartnerListing {
    guard let stored = try await database.first(ListingOf(userID: try context.userID)), let position = stored.position
    else { throw Status.noSuchListing }
    return PartnerListing(position, stored.focus, stored.level)
  }
}

import IdentityStore
import TTRPC
import TandemNotification

extension Badges {
  /// Lists the caller's badges, most recently awarded first ([ID-64]).
  package func listBadges(_ call: ListBadgesRequest, _ context: CallContext) async throws -> ListBadgesResponse {
    ListBadgesResponse(badges: try await database.rows(BadgesOf(userID: try context.userID)).map { Badge($0) })
  }
}
